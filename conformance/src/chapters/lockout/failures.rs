//! Which failures count, and for whom.

use super::current_code::current_code;
use crate::chapters::prelude::*;

cases! { "lockout";
    /// After three wrong codes the current code is refused, in a new session.
    three_failures_block judges ["lockout/three-failures"] by answers_after_failures(3, 400);
    /// Three wrong codes sent at the same moment in one session block as three in a row do.
    three_failures_at_once_in_one_session_block judges ["lockout/three-failures"];
    /// Three wrong codes sent at the same moment in three sessions block as three in a row do.
    three_failures_at_once_in_three_sessions_block judges ["lockout/three-failures"];
    /// After two wrong codes the current code is accepted, in a new session.
    two_failures_do_not_block judges ["lockout/two-failures"] by answers_after_failures(2, 200);
    /// Nor do three wrong passwords beside them: they are no checks of codes.
    two_failures_and_wrong_passwords_do_not_block judges ["lockout/two-failures"];
    /// While the e-mail is blocked, an unused backup code is refused.
    a_block_refuses_backup_codes judges ["lockout/backup-refused"];
    /// Three wrong backup codes block.
    three_wrong_backup_codes_block judges ["lockout/backup-failures-count"];
    /// Wrong codes of both kinds add up.
    wrong_codes_of_both_kinds_add_up judges ["lockout/backup-failures-count"];
    /// Two failures in sessions of their own leave the checks open, a third blocks them.
    failures_of_several_sessions_add_up judges ["lockout/across-sessions"];
    /// Failures at logins from several devices add up, and block the checks of every device.
    failures_of_several_devices_add_up judges ["lockout/across-sessions"];
    /// The block of one user leaves another's checks open.
    a_block_is_of_one_user judges ["lockout/per-email"];
    /// While the e-mail is blocked, the right password still opens a session.
    a_login_opens_a_session_while_blocked judges ["lockout/login-open"];
}

/// The current code after that number of failures.
fn answers_after_failures(cx: &CaseContext<'_>, failures: usize, status: u16) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    two_factor::fail_checks(cx, &enrolled, failures)?;
    current_code(cx, &enrolled)?.check().status(status).map(drop)
}

/// How often a race is run.
const ROUNDS: usize = 3;

fn three_failures_at_once_in_one_session_block(cx: &CaseContext<'_>) -> CaseResult {
    for _ in 0..ROUNDS {
        let (enrolled, session) = two_factor::enroll_and_log_in(cx)?;
        let step = totp_steps::current(cx)?;
        concurrency::simultaneously(3, |nth| {
            two_factor::fail_check(cx, &session, &enrolled.factor.wrong_code(step, nth))
        })?;
        current_code(cx, &enrolled)?.check().status(400)?;
    }
    Ok(())
}

fn three_failures_at_once_in_three_sessions_block(cx: &CaseContext<'_>) -> CaseResult {
    for _ in 0..ROUNDS {
        let enrolled = two_factor::enroll(cx)?;
        let user = &enrolled.user;
        let sessions = [
            two_factor::pending_session(cx, user)?,
            two_factor::pending_session(cx, user)?,
            two_factor::pending_session(cx, user)?,
        ];
        let step = totp_steps::current(cx)?;
        concurrency::simultaneously(3, |nth| {
            two_factor::fail_check(cx, &sessions[nth], &enrolled.factor.wrong_code(step, nth))
        })?;
        current_code(cx, &enrolled)?.check().status(400)?;
    }
    Ok(())
}

fn two_failures_and_wrong_passwords_do_not_block(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    two_factor::fail_checks(cx, &enrolled, 2)?;
    for _ in 0..3 {
        let body = json!({ "email": enrolled.user.email, "password": "no-es-esta" });
        let reply = cx.post("/auth/login").device(&two_factor::laptop(cx)).json(&body).send()?;
        reply.prepared("logging in with a wrong password", 400)?;
    }
    current_code(cx, &enrolled)?.check().status(200).map(drop)
}

fn a_block_refuses_backup_codes(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    two_factor::log_in_with(cx, &enrolled.user, enrolled.factor.backup_code(0)?)?;
    two_factor::fail_checks(cx, &enrolled, 3)?;
    let session = two_factor::pending_session(cx, &enrolled.user)?;
    two_factor::verify(cx, &session, enrolled.factor.backup_code(1)?)?.check().status(400).map(drop)
}

fn three_wrong_backup_codes_block(cx: &CaseContext<'_>) -> CaseResult {
    let (enrolled, session) = two_factor::enroll_and_log_in(cx)?;
    for nth in 0..3 {
        two_factor::fail_check(cx, &session, &enrolled.factor.wrong_backup_code(nth))?;
    }
    current_code(cx, &enrolled)?.check().status(400).map(drop)
}

fn wrong_codes_of_both_kinds_add_up(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    two_factor::fail_checks(cx, &enrolled, 1)?;
    let session = two_factor::pending_session(cx, &enrolled.user)?;
    two_factor::fail_check(cx, &session, &enrolled.factor.wrong_backup_code(0))?;
    two_factor::fail_check(cx, &session, &enrolled.factor.wrong_backup_code(1))?;
    current_code(cx, &enrolled)?.check().status(400).map(drop)
}

fn failures_of_several_sessions_add_up(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    for _ in 0..2 {
        two_factor::fail_checks(cx, &enrolled, 1)?;
    }
    let other = two_factor::enroll(cx)?;
    for _ in 0..2 {
        two_factor::fail_checks(cx, &other, 1)?;
    }
    current_code(cx, &other)?.prepared("verifying a code after two failures", 200)?;
    two_factor::fail_checks(cx, &enrolled, 1)?;
    current_code(cx, &enrolled)?.check().status(400).map(drop)
}

fn failures_of_several_devices_add_up(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    let user = &enrolled.user;
    let devices = [two_factor::laptop(cx), two_factor::phone(cx)];
    let step = totp_steps::current(cx)?;
    for (nth, device) in devices.iter().chain(&devices[..1]).enumerate() {
        let session = two_factor::pending_session_from(cx, user, device)?;
        let body = json!({ "sessionId": session, "token": enrolled.factor.wrong_code(step, nth) });
        cx.post("/auth/verify-2fa").device(device).json(&body).send()?.prepared("sending a wrong code", 400)?;
    }
    for (nth, device) in devices.iter().enumerate() {
        let session = two_factor::pending_session_from(cx, user, device)?;
        let code = if nth == 0 {
            enrolled.factor.code(totp_steps::current(cx)?)
        } else {
            enrolled.factor.backup_code(nth)?.to_owned()
        };
        let body = json!({ "sessionId": session, "token": code });
        cx.post("/auth/verify-2fa").device(device).json(&body).send()?.check().status(400)?;
    }
    Ok(())
}

fn a_block_is_of_one_user(cx: &CaseContext<'_>) -> CaseResult {
    let (blocked, other) = (two_factor::enroll(cx)?, two_factor::enroll(cx)?);
    two_factor::fail_checks(cx, &blocked, 3)?;
    current_code(cx, &blocked)?.prepared("verifying a code while blocked", 400)?;
    current_code(cx, &other)?.check().status(200).map(drop)
}

fn a_login_opens_a_session_while_blocked(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    two_factor::fail_checks(cx, &enrolled, 3)?;
    let user = &enrolled.user;
    let body = json!({ "email": user.email, "password": user.password });
    let reply = cx.post("/auth/login").json(&body).send()?;
    reply
        .check()
        .status(200)?
        .at("/requiere2FA", &Value::Bool(true))?
        .at_where("/sessionId", "a text", |id| id.as_str().is_some_and(|id| !id.is_empty()))
        .map(drop)
}
