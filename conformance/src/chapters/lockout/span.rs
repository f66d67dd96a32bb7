//! The two spans: 60 minutes in which failures add up, 15 minutes that a block lasts.
//!
//! Three seconds before a limit and two after it are near enough; what came too late to tell is done anew.

use super::current_code::current_code;
use crate::chapters::prelude::*;
use crate::fixture::time::{MINUTE_MS, SECOND_MS, Span};
use crate::fixture::two_factor::Enrolled;

cases! { "lockout";
    /// Shortly before 15 minutes have passed since the last failure the current code is refused.
    a_block_lasts_15_minutes judges ["lockout/lasts"] needs [Need::Clock];
    /// Shortly after, it is accepted.
    a_block_ends_after_15_minutes judges ["lockout/ends"] needs [Need::Clock];
    /// Where the failures lie ten minutes apart, the block runs from the last of them.
    a_block_runs_from_the_last_failure judges ["lockout/from-last-failure"] needs [Need::Clock];
    /// And it ends 15 minutes after the last of them, though all are within the hour.
    a_block_of_scattered_failures_ends judges ["lockout/ends"] needs [Need::Clock];
    /// Of three failures, the first more than 60 minutes old, only two count.
    a_failure_of_more_than_an_hour_ago_is_forgotten judges ["lockout/window"] needs [Need::Clock];
    /// Three failures spread over 59 minutes block.
    failures_spread_over_the_hour_block judges ["lockout/three-failures"] needs [Need::Clock];
}

const BLOCK_MS: i64 = 15 * MINUTE_MS;
const WINDOW_MS: i64 = 60 * MINUTE_MS;
const BEFORE_MS: i64 = 3 * SECOND_MS;
const AFTER_MS: i64 = 2 * SECOND_MS;

/// So many failures in one session; when the last of them happened.
fn failed(cx: &CaseContext<'_>, enrolled: &Enrolled, times: usize) -> Result<Span, CaseError> {
    two_factor::fail_checks(cx, enrolled, times - 1)?;
    let ((), at) = time::timed(cx, |cx| two_factor::fail_checks(cx, enrolled, 1))?;
    Ok(at)
}

fn a_block_lasts_15_minutes(cx: &CaseContext<'_>) -> CaseResult {
    let reply = time::in_time(cx, || {
        let enrolled = two_factor::enroll(cx)?;
        let last = failed(cx, &enrolled, 3)?;
        time::advance_to(cx, last.from + BLOCK_MS - BEFORE_MS)?;
        Ok((current_code(cx, &enrolled)?, last.from + BLOCK_MS))
    })?;
    reply.check().status(400).map(drop)
}

fn a_block_ends_after_15_minutes(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    let last = failed(cx, &enrolled, 3)?;
    time::advance_to(cx, last.to + BLOCK_MS + AFTER_MS)?;
    current_code(cx, &enrolled)?.check().status(200).map(drop)
}

/// Three failures, the second and third ten minutes after the first; when the first and the last happened.
fn scattered(cx: &CaseContext<'_>, enrolled: &Enrolled) -> Result<(Span, Span), CaseError> {
    let first = failed(cx, enrolled, 1)?;
    time::advance_past(cx, first.to + 10 * MINUTE_MS)?;
    Ok((first, failed(cx, enrolled, 2)?))
}

fn a_block_runs_from_the_last_failure(cx: &CaseContext<'_>) -> CaseResult {
    let reply = time::in_time(cx, || {
        let enrolled = two_factor::enroll(cx)?;
        let (first, last) = scattered(cx, &enrolled)?;
        time::advance_to(cx, first.to + BLOCK_MS + AFTER_MS)?;
        Ok((current_code(cx, &enrolled)?, last.from + BLOCK_MS))
    })?;
    reply.check().status(400).map(drop)
}

fn a_block_of_scattered_failures_ends(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    let (_, last) = scattered(cx, &enrolled)?;
    // A login is no check, and prolongs nothing.
    time::advance_past(cx, last.to + BLOCK_MS / 2)?;
    two_factor::pending_session(cx, &enrolled.user)?;
    time::advance_to(cx, last.to + BLOCK_MS + AFTER_MS)?;
    current_code(cx, &enrolled)?.check().status(200).map(drop)
}

fn a_failure_of_more_than_an_hour_ago_is_forgotten(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    let first = failed(cx, &enrolled, 1)?;
    time::advance_to(cx, first.to + WINDOW_MS + AFTER_MS)?;
    failed(cx, &enrolled, 2)?;
    current_code(cx, &enrolled)?.check().status(200).map(drop)
}

fn failures_spread_over_the_hour_block(cx: &CaseContext<'_>) -> CaseResult {
    let reply = time::in_time(cx, || {
        let enrolled = two_factor::enroll(cx)?;
        let first = failed(cx, &enrolled, 1)?;
        time::advance_past(cx, first.from + WINDOW_MS / 2)?;
        failed(cx, &enrolled, 1)?;
        time::advance_to(cx, first.from + WINDOW_MS - 2 * BEFORE_MS)?;
        failed(cx, &enrolled, 1)?;
        // While the first of them is still within the hour: what it means for a block that it leaves it, is not said.
        Ok((current_code(cx, &enrolled)?, first.from + WINDOW_MS))
    })?;
    reply.check().status(400).map(drop)
}
