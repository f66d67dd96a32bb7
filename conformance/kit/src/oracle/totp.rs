//! Time-based one-time codes of the documents: RFC 6238 with HMAC-SHA1, steps of 30 seconds, six digits.

use hmac::{Hmac, KeyInit, Mac};
use sha1::Sha1;

pub const STEP_MS: i64 = 30_000;

pub fn step_at(unix_ms: i64) -> i64 {
    unix_ms.div_euclid(STEP_MS)
}

/// The code of a step: six digits, leading zeros kept.
pub fn code(key: &[u8], step: i64) -> String {
    six_digits(word(key, step))
}

/// Six digits that are the code of no step near this one; each `nth` gives others.
pub fn wrong_code(key: &[u8], step: i64, nth: usize) -> String {
    let near: Vec<String> = (step - 10..=step + 10).map(|near| code(key, near)).collect();
    let candidates = (0..1_000_000).map(|number| format!("{:06}", (number * 7_919 + 13) % 1_000_000));
    candidates.filter(|code| !near.contains(code)).nth(nth).unwrap_or_default()
}

/// The four bytes that RFC 4226 picks from the HMAC, before it drops the highest bit.
pub fn word(key: &[u8], step: i64) -> u32 {
    picked(&hmac::<Hmac<Sha1>>(key, &step.to_be_bytes()))
}

pub fn six_digits(word: u32) -> String {
    format!("{:06}", (word & 0x7fff_ffff) % 1_000_000)
}

pub fn hmac<M: Mac + KeyInit>(key: &[u8], message: &[u8]) -> Vec<u8> {
    // HMAC accepts keys of any length.
    <M as KeyInit>::new_from_slice(key)
        .map(|mac| mac.chain_update(message).finalize().into_bytes().to_vec())
        .unwrap_or_default()
}

/// The four bytes at the place that the last half-byte names, for a digest of any length.
pub fn picked(digest: &[u8]) -> u32 {
    word_at(digest, digest.last().map_or(0, |last| usize::from(last & 0xf)))
}

pub fn word_at(digest: &[u8], place: usize) -> u32 {
    digest.get(place..place + 4).and_then(|bytes| bytes.try_into().ok()).map_or(0, u32::from_be_bytes)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    proptest! {
        /// Another reading of the documents would judge right servers wrong.
        #[test]
        fn codes_are_those_that_totp_rs_makes(key in prop::collection::vec(any::<u8>(), 20), unix_s in 0_i64..20_000_000_000) {
            let theirs = totp_rs::Builder::new().with_secret(key.clone()).build().expect("20 bytes are a secret");
            prop_assert_eq!(code(&key, step_at(unix_s * 1_000)), theirs.generate(unix_s.unsigned_abs()).to_string());
        }
    }

    fn vectors(text: &str) -> Vec<Value> {
        let file: Value = serde_json::from_str(text).unwrap();
        let cases = file["cases"].as_array().unwrap().clone();
        assert!(!cases.is_empty());
        cases
    }

    fn key(case: &Value) -> Vec<u8> {
        hex::decode(case["secret_hex"].as_str().unwrap()).unwrap()
    }

    #[test]
    fn time_based_codes_are_those_of_rfc_6238() {
        for case in vectors(include_str!("../../../../fixtures/vectors/totp-rfc6238.json")) {
            let step = step_at(case["time_s"].as_i64().unwrap() * 1_000);
            assert_eq!(step, case["counter"].as_i64().unwrap());
            assert_eq!(code(&key(&case), step), case["code6"], "{case}");
        }
    }

    #[test]
    fn counter_based_codes_and_their_parts_are_those_of_rfc_4226() {
        for case in vectors(include_str!("../../../../fixtures/vectors/hotp-rfc4226.json")) {
            let counter = case["counter"].as_i64().unwrap();
            let digest = hmac::<Hmac<Sha1>>(&key(&case), &counter.to_be_bytes());
            assert_eq!(hex::encode(&digest), case["hmac_hex"], "{case}");
            let truncated = word(&key(&case), counter) & 0x7fff_ffff;
            assert_eq!(u64::from(truncated), case["truncated"], "{case}");
            assert_eq!(code(&key(&case), counter), case["code6"], "{case}");
        }
    }
}
