//! How a code is made: key, algorithm, step, digits.

use crate::cases;
use crate::cases::two_factor::codes::diagnosis;
use crate::cases::two_factor::codes::enrolled_with;
use crate::context::case_context::Trial;
use crate::contract::verdict::Judged;
use crate::oracle::totp;

cases! { "codes";
    /// The current code is accepted; where it is not, codes made by usual mistakes tell which rule is broken.
    the_current_code_is_accepted
        judges ["codes/key", "codes/algorithm", "codes/step", "codes/digits"];
    /// The highest bit of the truncated value is dropped.
    the_sign_bit_is_dropped judges ["codes/algorithm"];
    /// A code that begins with a zero is accepted with it.
    a_leading_zero_is_kept judges ["codes/digits"];
}

fn the_current_code_is_accepted(t: &Trial<'_>) -> Judged {
    let enrolled = t.enroll()?;
    let session = t.pend(&enrolled.user)?;
    let reply = t.verify(&session, &enrolled.factor.code(t.step()?))?;
    if reply.status() == 200 {
        return Ok(());
    }
    let (rule, told) = diagnosis::broken_rule(t)?;
    let want = "200 to the current code (HMAC-SHA1, 20 bytes of key, steps of 30 s, last six digits)";
    let got = format!("{}; {told}", reply.status());
    Err(reply.judge(rule).mismatch("status", want, got))
}

fn the_sign_bit_is_dropped(t: &Trial<'_>) -> Judged {
    let (enrolled, step) = enrolled_with(t, |enrolled, step| {
        let word = totp::word(&enrolled.factor.key, step);
        let kept = format!("{:06}", word % 1_000_000);
        word > 0x7fff_ffff && kept != enrolled.factor.code(step)
    })?;
    let session = t.pend(&enrolled.user)?;
    let reply = t.verify(&session, &enrolled.factor.code(step))?;
    reply.judge("codes/algorithm").status(200)?;
    Ok(())
}

fn a_leading_zero_is_kept(t: &Trial<'_>) -> Judged {
    let (enrolled, step) = enrolled_with(t, |enrolled, step| {
        let is_masked = totp::word(&enrolled.factor.key, step) > 0x7fff_ffff;
        enrolled.factor.code(step).starts_with('0') && !is_masked
    })?;
    let session = t.pend(&enrolled.user)?;
    let reply = t.verify(&session, &enrolled.factor.code(step))?;
    reply.judge("codes/digits").status(200)?;
    Ok(())
}
