//! How a code is made: key, algorithm, step, digits.

use crate::chapters::codes::chosen_secret::enrolled_with;
use crate::chapters::codes::diagnosis;
use crate::chapters::prelude::*;
use crate::oracle::totp;

cases! { "codes";
    /// The current code is accepted; where it is not, codes made by usual mistakes tell which rule is broken.
    the_current_code_is_accepted judges ["codes/key", "codes/algorithm", "codes/step", "codes/digits"];
    /// The highest bit of the truncated value is dropped.
    the_sign_bit_is_dropped judges ["codes/algorithm"];
    /// A code that begins with a zero is accepted with it.
    a_leading_zero_is_kept judges ["codes/digits"];
}

fn the_current_code_is_accepted(cx: &CaseContext<'_>) -> CaseResult {
    let (enrolled, session) = two_factor::enroll_and_log_in(cx)?;
    let reply = two_factor::verify(cx, &session, &enrolled.factor.code(totp_steps::current(cx)?))?;
    if reply.status() == 200 {
        return Ok(());
    }
    let (rule, told) = diagnosis::broken_rule(cx)?;
    let want = "200 to the current code (HMAC-SHA1, 20 bytes of key, steps of 30 s, last six digits)";
    Err(reply.check_rule(rule).mismatch(Place::STATUS, want, format!("{}; {told}", reply.status())))
}

fn the_sign_bit_is_dropped(cx: &CaseContext<'_>) -> CaseResult {
    let (enrolled, step) = enrolled_with(cx, |enrolled, step| {
        let word = totp::word(&enrolled.factor.key, step);
        let kept = format!("{:06}", word % 1_000_000);
        word > 0x7fff_ffff && kept != enrolled.factor.code(step)
    })?;
    let session = two_factor::pending_session(cx, &enrolled.user)?;
    two_factor::verify(cx, &session, &enrolled.factor.code(step))?.check().status(200).map(drop)
}

fn a_leading_zero_is_kept(cx: &CaseContext<'_>) -> CaseResult {
    let (enrolled, step) = enrolled_with(cx, |enrolled, step| {
        let is_masked = totp::word(&enrolled.factor.key, step) > 0x7fff_ffff;
        enrolled.factor.code(step).starts_with('0') && !is_masked
    })?;
    let session = two_factor::pending_session(cx, &enrolled.user)?;
    two_factor::verify(cx, &session, &enrolled.factor.code(step))?.check().status(200).map(drop)
}
