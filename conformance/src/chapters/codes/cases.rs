//! How a code is made, tokens made of a code that are none, and codes as numbers.
//!
//! Of tokens that are no codes a user tries two at most: a third failure would block the checks, and hide what is judged here.

use crate::chapters::codes::diagnosis;
use crate::chapters::prelude::*;
use crate::oracle::totp;

cases! { "codes";
    /// The current code is accepted; if it is not, codes made by usual mistakes tell which rule is broken.
    the_current_code_is_accepted judges ["codes/key", "codes/algorithm", "codes/step", "codes/digits"] => |cx| {
        let (enrolled, session) = two_factor::enroll_and_log_in(cx)?;
        let reply = two_factor::verify(cx, &session, &enrolled.code(cx)?)?;
        if reply.is(200) {
            return Ok(());
        }
        let (rule, why) = diagnosis::broken_rule(cx)?;
        let want = "200 to the current code (HMAC-SHA1, 20 bytes of key, steps of 30 s, last six digits)";
        Err(reply.check_rule(rule).mismatch(Place::STATUS, want, format!("{}; {why}", reply.status())))
    };
    /// A code is accepted whose truncated value has its highest bit set, which is dropped.
    the_sign_bit_is_dropped judges ["codes/algorithm"] => |cx| {
        let (enrolled, step) = enrolled_with(cx, |enrolled, step| {
            let word = totp::word(&enrolled.factor.key, step);
            let kept = format!("{:06}", word % 1_000_000);
            let code = enrolled.factor.code(step);
            word > 0x7fff_ffff && kept != code && !code.starts_with('0')
        })?;
        two_factor::judge_in_new_login(cx, &enrolled, &enrolled.factor.code(step), 200)
    };
    /// A code that begins with a zero is accepted.
    a_leading_zero_is_kept judges ["codes/digits"] => |cx| {
        let (enrolled, step) = enrolled_with(cx, |enrolled, step| {
            let is_masked = totp::word(&enrolled.factor.key, step) > 0x7fff_ffff;
            enrolled.factor.code(step).starts_with('0') && !is_masked
        })?;
        two_factor::judge_in_new_login(cx, &enrolled, &enrolled.factor.code(step), 200)
    };
    /// The current code is refused without its leading zero, and with a digit after it.
    five_digits_and_seven_are_refused judges ["codes/other-lengths"] => |cx| {
        let (enrolled, step) = enrolled_with(cx, |enrolled, step| enrolled.factor.code(step).starts_with('0'))?;
        let code = enrolled.factor.code(step);
        refused(cx, &enrolled, [&json!(code[1..]), &json!(format!("{code}0"))])
    };
    /// The current code with a zero before it is refused, as is the code of eight digits.
    a_zero_in_front_and_eight_digits_are_refused judges ["codes/other-lengths"] => |cx| {
        let enrolled = two_factor::enroll(cx)?;
        let step = totp_steps::current(cx)?;
        let word = totp::word(&enrolled.factor.key, step) & 0x7fff_ffff;
        let eight = format!("{:08}", word % 100_000_000);
        refused(cx, &enrolled, [&json!(format!("0{}", enrolled.factor.code(step))), &json!(eight)])
    };
    /// The current code is refused with a letter for its last digit, and in digits of another script.
    digits_that_are_not_all_ascii_digits_are_refused judges ["codes/other-forms"] => |cx| {
        let enrolled = two_factor::enroll(cx)?;
        let code = enrolled.code(cx)?;
        let arabic_indic: String =
            code.chars().filter_map(|digit| char::from_u32(0x660 + digit.to_digit(10)?)).collect();
        refused(cx, &enrolled, [&json!(format!("{}a", &code[..5])), &json!(arabic_indic)])
    };
    /// The current code sent as a JSON number is refused, or converted.
    whether_codes_are_converted judges ["codes/token-spelling"] => |cx| {
        let (enrolled, step) = enrolled_with(cx, |enrolled, step| !enrolled.factor.code(step).starts_with('0'))?;
        let code = enrolled.factor.code(step);
        let number: u32 = code.parse().map_err(|_| CaseError::Broken("a code is not a number".into()))?;
        let session = two_factor::pending_session(cx, &enrolled.user)?;
        let reply = two_factor::verification(cx, &json!({ "sessionId": session, "token": number })).send()?;
        cx.observe(&[("invalid", reply.is(400)), ("converted", reply.is(200))], format!("status {}", reply.status()))
    };
}

/// A user whose code of the current step has that property: enables two-factor anew until it has.
fn enrolled_with(cx: &CaseContext<'_>, fits: impl Fn(&Enrolled, i64) -> bool) -> CaseResult<(Enrolled, i64)> {
    const TRIES: usize = 1_000;
    let mut enrolled = two_factor::enroll(cx)?;
    for _ in 0..TRIES {
        let step = totp_steps::current(cx)?;
        if fits(&enrolled, step) {
            return Ok((enrolled, step));
        }
        enrolled.factor = two_factor::enable(cx, &enrolled.tokens)?;
    }
    let why = format!("{TRIES} secrets gave none: they are not random");
    Err(CaseError::blocked("enabling two-factor until the code suits the case", why))
}

/// Each of two tokens is refused, and the user's current code is accepted after them.
fn refused(cx: &CaseContext<'_>, enrolled: &Enrolled, tokens: [&Value; 2]) -> CaseResult {
    let session = two_factor::pending_session(cx, &enrolled.user)?;
    for token in tokens {
        let body = json!({ "sessionId": session, "token": token });
        two_factor::verification(cx, &body).send()?.check().status(400)?;
    }
    two_factor::pass_check(cx, &session, &enrolled.code(cx)?, "verifying the current code")
}
