//! Single use: a code accepted is gone, also when two use it at once; a code refused for another reason is not.

use crate::chapters::pending::cases::one_succeeds;
use crate::chapters::prelude::*;
use crate::fixture::two_factor::{Enrolled, Factor};

cases! { "backup-codes";
    /// A code that was accepted is refused in a later verification, where another is accepted.
    a_used_code_is_refused judges ["backup-codes/single-use"];
    /// A code that was accepted is still refused a day later.
    a_used_code_is_refused_a_day_later judges ["backup-codes/single-use"] needs [Need::Clock];
    /// Of two who use one code at the same moment, in sessions of their own, exactly one gets in.
    one_code_lets_one_of_two_in judges ["backup-codes/single-use"];
    /// All eight codes are accepted, one after another.
    every_code_is_accepted_after_the_others judges ["backup-codes/others-stay"];
    /// A code sent for sessions that are unknown or completed is still accepted afterwards.
    a_code_for_a_session_that_is_none_stays_unused judges ["backup-codes/refused-stays-unused"];
    /// A code sent for a session that expired is still accepted afterwards.
    a_code_for_an_expired_session_stays_unused judges ["backup-codes/refused-stays-unused"] needs [Need::Clock];
    /// A code sent while the e-mail is blocked is still accepted when the block is over.
    a_code_sent_while_blocked_stays_unused judges ["backup-codes/refused-stays-unused"] needs [Need::Clock];
}

/// A used code is refused, and another accepted after it.
fn is_refused(cx: &CaseContext<'_>, enrolled: &Enrolled, used: usize, unused: usize) -> CaseResult {
    let session = two_factor::pending_session(cx, &enrolled.user)?;
    two_factor::verify(cx, &session, enrolled.factor.backup_code(used)?)?.check().status(400)?;
    let twin = two_factor::verify(cx, &session, enrolled.factor.backup_code(unused)?)?;
    twin.prepared("verifying an unused backup code", 200).map(|_| ())
}

fn a_used_code_is_refused(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    two_factor::log_in_with(cx, &enrolled.user, enrolled.factor.backup_code(0)?)?;
    is_refused(cx, &enrolled, 0, 1)?;
    // The last of the issue, after others were used in between.
    two_factor::log_in_with(cx, &enrolled.user, enrolled.factor.backup_code(7)?)?;
    is_refused(cx, &enrolled, 7, 2)
}

fn a_used_code_is_refused_a_day_later(cx: &CaseContext<'_>) -> CaseResult {
    const DAY_S: f64 = 86_400.0;
    let enrolled = two_factor::enroll(cx)?;
    two_factor::log_in_with(cx, &enrolled.user, enrolled.factor.backup_code(3)?)?;
    cx.advance(DAY_S)?;
    is_refused(cx, &enrolled, 3, 4)
}

fn one_code_lets_one_of_two_in(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    // Three rounds make three failures; the third cannot block anyone any more.
    for round in 0..3 {
        let code = enrolled.factor.backup_code(round)?;
        let sessions =
            [two_factor::pending_session(cx, &enrolled.user)?, two_factor::pending_session(cx, &enrolled.user)?];
        let replies = concurrency::simultaneously(2, |index| two_factor::verify(cx, &sessions[index], code))?;
        one_succeeds(&replies)?;
    }
    Ok(())
}

fn every_code_is_accepted_after_the_others(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    two_factor::log_in_with(cx, &enrolled.user, enrolled.factor.backup_code(0)?)?;
    for index in 1..enrolled.factor.backup_codes.len() {
        let session = two_factor::pending_session(cx, &enrolled.user)?;
        two_factor::verify(cx, &session, enrolled.factor.backup_code(index)?)?.check().status(200)?;
    }
    Ok(())
}

/// The code is accepted in a new session.
fn is_unused(cx: &CaseContext<'_>, enrolled: &Enrolled, code: &str) -> CaseResult {
    let session = two_factor::pending_session(cx, &enrolled.user)?;
    two_factor::verify(cx, &session, code)?.check().status(200).map(drop)
}

/// As `enroll`, with the other credential that users have.
fn enrolled_by_jwt(cx: &CaseContext<'_>) -> Result<Enrolled, CaseError> {
    let (user, tokens) = users::register_and_log_in(cx, "user")?;
    let reply = cx.post("/2fa/enable").jwt(&tokens.jwt).json(&json!({ "password": user.password })).send()?;
    let factor = Factor::parse(&reply.prepared("enabling two-factor", 200)?)?;
    Ok(Enrolled { user, tokens, factor })
}

fn a_code_for_a_session_that_is_none_stays_unused(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = enrolled_by_jwt(cx)?;
    let code = enrolled.factor.backup_code(0)?;
    two_factor::fail_check(cx, &"0".repeat(64), code)?;
    is_unused(cx, &enrolled, code)?;

    let completed = two_factor::pending_session(cx, &enrolled.user)?;
    two_factor::verify(cx, &completed, enrolled.factor.backup_code(1)?)?.prepared("completing a session", 200)?;
    let code = enrolled.factor.backup_code(2)?;
    two_factor::fail_check(cx, &completed, code)?;
    is_unused(cx, &enrolled, code)
}

fn a_code_for_an_expired_session_stays_unused(cx: &CaseContext<'_>) -> CaseResult {
    const PAST_10_MINUTES_S: f64 = 602.0;
    let (enrolled, session) = two_factor::enroll_and_log_in(cx)?;
    cx.advance(PAST_10_MINUTES_S)?;
    let code = enrolled.factor.backup_code(0)?;
    two_factor::fail_check(cx, &session, code)?;
    is_unused(cx, &enrolled, code)
}

fn a_code_sent_while_blocked_stays_unused(cx: &CaseContext<'_>) -> CaseResult {
    // Long enough also where the try itself prolongs the block.
    const PAST_15_MINUTES_S: f64 = 902.0;
    let enrolled = two_factor::enroll(cx)?;
    two_factor::fail_checks(cx, &enrolled, 3)?;
    let session = two_factor::pending_session(cx, &enrolled.user)?;
    let code = enrolled.factor.backup_code(0)?;
    two_factor::fail_check(cx, &session, code)?;
    cx.advance(PAST_15_MINUTES_S)?;
    is_unused(cx, &enrolled, code)
}
