//! Which rule a target breaks that refuses right codes: codes made by usual mistakes are tried until one is accepted.

use hmac::Hmac;
use sha1::Sha1;
use sha2::{Sha256, Sha512};

use crate::chapters::prelude::*;
use crate::fixture::two_factor::Factor;
use crate::oracle::totp::{hmac, picked, six_digits, word_at};

/// A mistake: the rule it breaks, its name, and the code it makes at a time in milliseconds.
struct Mistake(&'static str, &'static str, fn(&Factor, i64) -> String);

#[rustfmt::skip]
const MISTAKES: &[Mistake] = &[
    Mistake("codes/key", "the text of the secret as key", |f, at| sha1_code(f.secret.as_bytes(), counter(at))),
    Mistake("codes/key", "the text of the secret in lower case as key", |f, at| sha1_code(f.secret.to_lowercase().as_bytes(), counter(at))),
    Mistake("codes/key", "the text of the secret in upper case as key", |f, at| sha1_code(f.secret.to_uppercase().as_bytes(), counter(at))),
    Mistake("codes/key", "the secret read as base32", |f, at| sha1_code(&base32(&f.secret), counter(at))),
    Mistake("codes/key", "the first ten bytes as key", |f, at| sha1_code(f.key.get(..10).unwrap_or_default(), counter(at))),
    Mistake("codes/key", "the first 16 bytes as key", |f, at| sha1_code(f.key.get(..16).unwrap_or_default(), counter(at))),
    Mistake("codes/key", "the bytes in reverse as key", |f, at| sha1_code(&f.key.iter().rev().copied().collect::<Vec<_>>(), counter(at))),
    Mistake("codes/algorithm", "HMAC-SHA256", |f, at| six_digits(picked(&hmac::<Hmac<Sha256>>(&f.key, &counter(at))))),
    Mistake("codes/algorithm", "HMAC-SHA512", |f, at| six_digits(picked(&hmac::<Hmac<Sha512>>(&f.key, &counter(at))))),
    Mistake("codes/algorithm", "the step as little-endian bytes", |f, at| sha1_code(&f.key, step(at, 30).to_le_bytes())),
    Mistake("codes/algorithm", "the step as text", |f, at| six_digits(picked(&hmac::<Hmac<Sha1>>(&f.key, step(at, 30).to_string().as_bytes())))),
    Mistake("codes/algorithm", "the step as four bytes", |f, at| six_digits(picked(&hmac::<Hmac<Sha1>>(&f.key, &counter(at)[4..])))),
    Mistake("codes/algorithm", "the sign bit kept", |f, at| format!("{:06}", picked(&sha1(f, at)) % 1_000_000)),
    Mistake("codes/algorithm", "always the first four bytes", |f, at| six_digits(word_at(&sha1(f, at), 0))),
    Mistake("codes/algorithm", "always the last four bytes", |f, at| six_digits(word_at(&sha1(f, at), 16))),
    Mistake("codes/algorithm", "the place taken from the first byte", |f, at| { let digest = sha1(f, at); six_digits(word_at(&digest, usize::from(digest[0] & 0xf))) }),
    Mistake("codes/step", "steps of 60 seconds", |f, at| sha1_code(&f.key, step(at, 60).to_be_bytes())),
    Mistake("codes/step", "steps of 15 seconds", |f, at| sha1_code(&f.key, step(at, 15).to_be_bytes())),
    Mistake("codes/step", "steps of 20 seconds", |f, at| sha1_code(&f.key, step(at, 20).to_be_bytes())),
    Mistake("codes/step", "steps of 10 seconds", |f, at| sha1_code(&f.key, step(at, 10).to_be_bytes())),
    Mistake("codes/step", "steps of 45 seconds", |f, at| sha1_code(&f.key, step(at, 45).to_be_bytes())),
    Mistake("codes/step", "steps of 90 seconds", |f, at| sha1_code(&f.key, step(at, 90).to_be_bytes())),
    Mistake("codes/step", "steps of 120 seconds", |f, at| sha1_code(&f.key, step(at, 120).to_be_bytes())),
    Mistake("codes/step", "steps of 30 milliseconds", |f, at| sha1_code(&f.key, at.div_euclid(30).to_be_bytes())),
    Mistake("codes/digits", "the first six digits", |f, at| (picked(&sha1(f, at)) & 0x7fff_ffff).to_string().chars().take(6).collect()),
    Mistake("codes/digits", "zeros added at the end", |f, at| format!("{:0<6}", ((picked(&sha1(f, at)) & 0x7fff_ffff) % 1_000_000).to_string())),
    Mistake("codes/digits", "eight digits", |f, at| format!("{:08}", (picked(&sha1(f, at)) & 0x7fff_ffff) % 100_000_000)),
    Mistake("codes/digits", "seven digits", |f, at| format!("{:07}", (picked(&sha1(f, at)) & 0x7fff_ffff) % 10_000_000)),
    Mistake("codes/digits", "five digits", |f, at| format!("{:05}", (picked(&sha1(f, at)) & 0x7fff_ffff) % 100_000)),
];

fn step(at_ms: i64, step_s: i64) -> i64 {
    at_ms.div_euclid(step_s * 1_000)
}

fn counter(at_ms: i64) -> [u8; 8] {
    step(at_ms, 30).to_be_bytes()
}

fn sha1(factor: &Factor, at_ms: i64) -> Vec<u8> {
    hmac::<Hmac<Sha1>>(&factor.key, &counter(at_ms))
}

fn sha1_code(key: &[u8], counter: [u8; 8]) -> String {
    six_digits(picked(&hmac::<Hmac<Sha1>>(key, &counter)))
}

/// The bytes of base32 digits; skips other characters.
fn base32(text: &str) -> Vec<u8> {
    const DIGITS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    let (mut bytes, mut bits, mut held) = (Vec::new(), 0_u32, 0_u32);
    for digit in text.to_uppercase().chars().filter_map(|c| DIGITS.find(c)) {
        bits = (bits << 5) | u32::try_from(digit).unwrap_or_default();
        held += 5;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held).to_be_bytes()[3]);
            bits &= (1 << held) - 1;
        }
    }
    bytes
}

/// The rule broken by a target that refuses right codes, and what shows it. Tries two codes for each user: a third failure would block.
pub(super) fn broken_rule(cx: &CaseContext<'_>) -> CaseResult<(&'static str, String)> {
    for pair in MISTAKES.chunks(2) {
        let (enrolled, session) = two_factor::enroll_and_log_in(cx)?;
        for Mistake(rule, name, code) in pair {
            let code = code(&enrolled.factor, cx.target_now()?);
            if two_factor::verify(cx, &session, &code)?.is(200) {
                return Ok((rule, format!("200 to one made with this mistake: {name}")));
            }
        }
    }
    Ok(("codes/algorithm", "no code made by a usual mistake is accepted either".into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every mistake makes codes of its own; otherwise two mistakes would look alike.
    #[test]
    fn mistakes_differ_from_each_other_and_from_the_right_code() {
        let secret = "3132333435363738393031323334353637383930aB"[..40].to_owned();
        let factor = Factor {
            key: hex::decode(&secret).unwrap(),
            secret: secret.replace("3930", "39AF").replace("3536", "35bc"),
            backup_codes: Vec::new(),
        };
        let at = 1_111_111_109_000 + 30_000 * 7;
        for Mistake(_, name, make) in MISTAKES {
            let differs = (0..2_000).any(|n| {
                let at = at + n * 30_000;
                let code = make(&factor, at);
                let mut others = MISTAKES.iter().filter(|Mistake(_, other, _)| other != name);
                code != factor.code(crate::oracle::totp::step_at(at))
                    && others.all(|Mistake(_, _, other)| other(&factor, at) != code)
            });
            assert!(differs, "{name}");
        }
    }

    #[test]
    fn base32_is_that_of_rfc_4648() {
        assert_eq!(base32("MZXW6YTB"), b"fooba");
        assert_eq!(base32("mzxw 6ytb 18"), b"fooba");
    }
}
