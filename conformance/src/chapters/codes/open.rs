//! What the documents leave open about codes: what counts as a failure, spelling, replay.

use crate::chapters::codes::chosen_secret::enrolled_with;
use crate::chapters::prelude::*;

cases! { "codes";
    /// Three tokens of no known form block the checks of the e-mail, or only end their session, or count for nothing.
    whether_tokens_of_no_form_count judges ["codes/other-forms-count"];
    /// Three wrong backup codes in one session: the right code after them is refused there.
    wrong_backup_codes_count_for_their_session judges ["pending/attempts-counted"];
    /// The current code with spaces around it or inside is refused.
    codes_with_spaces_are_invalid judges ["codes/token-spaces"];
    /// The current code as a JSON number: refused, or converted.
    whether_codes_are_converted judges ["codes/token-spelling"];
    /// A code that was accepted, sent again in its window: accepted, or refused.
    whether_a_code_may_be_used_twice judges ["codes/replay"];
}

/// Neither six digits nor ten of A-Z and 0-9.
const OF_NO_FORM: [&str; 3] = ["sin-forma", "12345", "1234567"];

fn told(reply: &Reply) -> String {
    format!("status {}", reply.status())
}

fn whether_tokens_of_no_form_count(cx: &CaseContext<'_>) -> CaseResult {
    let (enrolled, session) = two_factor::enroll_and_log_in(cx)?;
    for token in OF_NO_FORM {
        two_factor::fail_check(cx, &session, token)?;
    }
    let reply = two_factor::verify(cx, &session, &enrolled.factor.code(totp_steps::current(cx)?))?;
    if reply.status() == 200 {
        return cx.observe(&[("neither", true)], told(&reply));
    }
    let session = two_factor::pending_session(cx, &enrolled.user)?;
    let reply = two_factor::verify(cx, &session, &enrolled.factor.code(totp_steps::current(cx)?))?;
    let counts = [("both", reply.status() == 400), ("session", reply.status() == 200), ("neither", false)];
    cx.observe(&counts, told(&reply))
}

fn wrong_backup_codes_count_for_their_session(cx: &CaseContext<'_>) -> CaseResult {
    let (enrolled, session) = two_factor::enroll_and_log_in(cx)?;
    for nth in 0..3 {
        two_factor::fail_check(cx, &session, &enrolled.factor.wrong_backup_code(nth))?;
    }
    two_factor::verify(cx, &session, enrolled.factor.backup_code(0)?)?.check().status(400).map(drop)
}

fn converted(cx: &CaseContext<'_>, reply: &Reply) -> CaseResult {
    cx.observe(&[("invalid", reply.status() == 400), ("converted", reply.status() == 200)], told(reply))
}

fn whether_codes_are_converted(cx: &CaseContext<'_>) -> CaseResult {
    let (enrolled, step) = enrolled_with(cx, |enrolled, step| !enrolled.factor.code(step).starts_with('0'))?;
    let code = enrolled.factor.code(step);
    let number: u32 = code.parse().map_err(|_| CaseError::Broken("a code is not a number".into()))?;
    let session = two_factor::pending_session(cx, &enrolled.user)?;
    let body = json!({ "sessionId": session, "token": number });
    converted(cx, &two_factor::verification(cx, &body).send()?)
}

fn codes_with_spaces_are_invalid(cx: &CaseContext<'_>) -> CaseResult {
    let (enrolled, session) = two_factor::enroll_and_log_in(cx)?;
    let code = enrolled.factor.code(totp_steps::current(cx)?);
    two_factor::verify(cx, &session, &format!(" {code} "))?.check().status(400)?;
    let code = enrolled.factor.code(totp_steps::current(cx)?);
    two_factor::verify(cx, &session, &format!("{} {}", &code[..3], &code[3..]))?.check().status(400).map(drop)
}

fn whether_a_code_may_be_used_twice(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    let code = enrolled.factor.code(totp_steps::current(cx)?);
    two_factor::log_in_with(cx, &enrolled.user, &code)?;
    let session = two_factor::pending_session(cx, &enrolled.user)?;
    let reply = two_factor::verify(cx, &session, &code)?;
    cx.observe(&[("again", reply.status() == 200), ("once", reply.status() == 400)], told(&reply))
}
