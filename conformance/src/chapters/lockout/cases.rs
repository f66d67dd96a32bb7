//! Which failures count, for whom and for how long; how long a block lasts, and what the documents leave open about it.
//!
//! Three seconds before a limit and two after it are near enough; what came too late to tell is done anew.

use crate::chapters::prelude::*;

cases! { "lockout";
    /// Three wrong codes sent at the same moment in one session block as three in a row do.
    three_failures_at_once_in_one_session_block judges ["lockout/three-failures"] => |cx| {
        for _ in 0..ROUNDS {
            let (enrolled, session) = two_factor::enroll_and_log_in(cx)?;
            block_at_once(cx, &enrolled, [&session; 3])?;
        }
        Ok(())
    };
    /// Three wrong codes sent at the same moment in three sessions block as three in a row do.
    three_failures_at_once_in_three_sessions_block judges ["lockout/three-failures"] => |cx| {
        for _ in 0..ROUNDS {
            let enrolled = two_factor::enroll(cx)?;
            let user = &enrolled.user;
            let pending = || two_factor::pending_session(cx, user);
            block_at_once(cx, &enrolled, [&pending()?, &pending()?, &pending()?])?;
        }
        Ok(())
    };
    /// Two failures in sessions of their own leave the checks open, a third blocks them.
    failures_of_several_sessions_add_up judges ["lockout/across-sessions"] => |cx| {
        let enrolled = two_factor::enroll(cx)?;
        (0..2).try_for_each(|_| two_factor::fail_checks(cx, &enrolled, 1))?;
        // The requests of this user, too, keep the failures from all going to one of two replicas.
        let other = two_factor::enroll(cx)?;
        (0..2).try_for_each(|_| two_factor::fail_checks(cx, &other, 1))?;
        current_code(cx, &other)?.prepared("verifying a code after two failures", 200)?;
        two_factor::fail_checks(cx, &enrolled, 1)?;
        is_blocked(cx, &enrolled)
    };
    /// Failures at logins from several devices add up, and block the checks of every device.
    failures_of_several_devices_add_up judges ["lockout/across-sessions"] => |cx| {
        let enrolled = two_factor::enroll(cx)?;
        let devices = [two_factor::laptop(cx), two_factor::phone(cx)];
        let verify = |device: &two_factor::Device, code: &str| {
            let session = two_factor::pending_session_from(cx, &enrolled.user, device)?;
            let body = json!({ "sessionId": session, "token": code });
            cx.post("/auth/verify-2fa").device(device).json(&body).send()
        };
        let step = totp_steps::current(cx)?;
        for (nth, device) in devices.iter().chain(&devices[..1]).enumerate() {
            verify(device, &enrolled.factor.wrong_code(step, nth))?.prepared("sending a wrong code", 400)?;
        }
        verify(&devices[0], &enrolled.code(cx)?)?.check().status(400)?;
        verify(&devices[1], enrolled.backup_code(1)?)?.check().status(400).map(drop)
    };
    /// The block of one user leaves another's checks open.
    a_block_is_of_one_user judges ["lockout/per-email"] => |cx| {
        let (blocked, other) = (two_factor::enroll(cx)?, two_factor::enroll(cx)?);
        two_factor::fail_checks(cx, &blocked, 3)?;
        current_code(cx, &blocked)?.prepared("verifying a code while blocked", 400)?;
        is_open(cx, &other)
    };
    /// Shortly before 15 minutes have passed since the last failure the current code is refused.
    a_block_lasts_15_minutes judges ["lockout/lasts"] needs [Need::Clock] => |cx| {
        let reply = time::in_time(cx, || {
            let enrolled = two_factor::enroll(cx)?;
            let last = failed(cx, &enrolled, 3)?;
            time::advance_to(cx, last.from + BLOCK_MS - BEFORE_MS)?;
            Ok((current_code(cx, &enrolled)?, last.from + BLOCK_MS))
        })?;
        reply.check().status(400).map(drop)
    };
    /// Shortly after, it is accepted.
    a_block_ends_after_15_minutes judges ["lockout/ends"] needs [Need::Clock] => |cx| {
        let enrolled = two_factor::enroll(cx)?;
        let last = failed(cx, &enrolled, 3)?;
        time::advance_to(cx, last.to + BLOCK_MS + AFTER_MS)?;
        is_open(cx, &enrolled)
    };
    /// Where the failures lie ten minutes apart, the block runs from the last of them.
    a_block_runs_from_the_last_failure judges ["lockout/from-last-failure"] needs [Need::Clock] => |cx| {
        let reply = time::in_time(cx, || {
            let enrolled = two_factor::enroll(cx)?;
            let (first, last) = scattered(cx, &enrolled)?;
            time::advance_to(cx, first.to + BLOCK_MS + AFTER_MS)?;
            Ok((current_code(cx, &enrolled)?, last.from + BLOCK_MS))
        })?;
        reply.check().status(400).map(drop)
    };
    /// And it ends 15 minutes after the last of them, though all are within the hour.
    a_block_of_scattered_failures_ends judges ["lockout/ends"] needs [Need::Clock] => |cx| {
        let enrolled = two_factor::enroll(cx)?;
        let (_, last) = scattered(cx, &enrolled)?;
        // A login is no check, and prolongs nothing.
        time::advance_past(cx, last.to + BLOCK_MS / 2)?;
        two_factor::pending_session(cx, &enrolled.user)?;
        time::advance_to(cx, last.to + BLOCK_MS + AFTER_MS)?;
        is_open(cx, &enrolled)
    };
    /// Of three failures, the first more than 60 minutes old, only two count.
    a_failure_of_more_than_an_hour_ago_is_forgotten judges ["lockout/window"] needs [Need::Clock] => |cx| {
        let enrolled = two_factor::enroll(cx)?;
        let first = failed(cx, &enrolled, 1)?;
        time::advance_to(cx, first.to + WINDOW_MS + AFTER_MS)?;
        failed(cx, &enrolled, 2)?;
        is_open(cx, &enrolled)
    };
    /// Three failures spread over 59 minutes block.
    failures_spread_over_the_hour_block judges ["lockout/three-failures"] needs [Need::Clock];
    /// A check refused by the block leaves its end where it was, or moves it.
    whether_refused_checks_prolong_the_block judges ["lockout/refused-not-counted"] needs [Need::Clock] => |cx| {
        let enrolled = two_factor::enroll(cx)?;
        let last = failed_at_once(cx, &enrolled, 3)?;
        time::advance_past(cx, last.from + 10 * MINUTE_MS)?;
        let (reply, refused) = time::timed(cx, |cx| current_code(cx, &enrolled))?;
        reply.prepared("verifying a code while blocked", 400)?;
        time::advance_to(cx, last.to + PAST_BLOCK_MS)?;
        let after_block = current_code(cx, &enrolled)?;
        time::advance_past(cx, refused.to + PAST_BLOCK_MS + 5 * MINUTE_MS)?;
        // Where the try of just now was refused, it counted too.
        time::advance_ms(cx, PAST_BLOCK_MS)?;
        let later = current_code(cx, &enrolled)?;
        let (first, second) = (after_block.status(), later.status());
        let readings = [("not-counted", first == 200), ("counted", first == 400 && second == 200)];
        let got = format!("{first} when the first block was over, then {second}");
        cx.observe(&readings, got).seen_in([&after_block, &later])
    };
    /// One more failure within the hour when a block has ended: blocked again.
    one_failure_after_a_block_blocks_again judges ["lockout/after-block"] needs [Need::Clock] => |cx| {
        let enrolled = two_factor::enroll(cx)?;
        let last = failed_at_once(cx, &enrolled, 3)?;
        time::advance_to(cx, last.to + PAST_BLOCK_MS)?;
        two_factor::fail_checks(cx, &enrolled, 1)?;
        let status = current_code(cx, &enrolled)?.status();
        cx.check(status == 400, "a valid code after a block and one more failure within the hour", 400, status)
    };
    /// The third failure 59 minutes after the first two: an hour after those still blocked, or open again.
    whether_a_block_outlasts_the_hour_of_its_first_failures judges ["lockout/oldest-leaves"] needs [Need::Clock];
}

/// The answer to the current code, in a session of its own.
pub(crate) fn current_code(cx: &CaseContext<'_>, enrolled: &Enrolled) -> CaseResult<Reply> {
    two_factor::verify_anew(cx, enrolled, &enrolled.code(cx)?)
}

/// The current code is refused, in a session of its own.
fn is_blocked(cx: &CaseContext<'_>, enrolled: &Enrolled) -> CaseResult {
    current_code(cx, enrolled)?.check().status(400).map(drop)
}

/// The current code is accepted, in a session of its own.
fn is_open(cx: &CaseContext<'_>, enrolled: &Enrolled) -> CaseResult {
    current_code(cx, enrolled)?.check().status(200).map(drop)
}

const ROUNDS: usize = 3;

/// Sends a wrong code for each of these sessions at the same moment, which block.
fn block_at_once(cx: &CaseContext<'_>, enrolled: &Enrolled, sessions: [&str; 3]) -> CaseResult {
    let step = totp_steps::current(cx)?;
    let fail = |nth| two_factor::fail_check(cx, sessions[nth], &enrolled.factor.wrong_code(step, nth));
    concurrency::simultaneously(3, fail)?;
    is_blocked(cx, enrolled)
}

const BLOCK_MS: i64 = 15 * MINUTE_MS;
const WINDOW_MS: i64 = 60 * MINUTE_MS;

/// This many failures; when the last of them happened, in a session of its own.
fn failed(cx: &CaseContext<'_>, enrolled: &Enrolled, times: usize) -> CaseResult<Span> {
    two_factor::fail_checks(cx, enrolled, times - 1)?;
    failed_at_once(cx, enrolled, 1)
}

/// This many failures in one session; when they happened.
fn failed_at_once(cx: &CaseContext<'_>, enrolled: &Enrolled, times: usize) -> CaseResult<Span> {
    Ok(time::timed(cx, |cx| two_factor::fail_checks(cx, enrolled, times))?.1)
}

/// Three failures, the second and third ten minutes after the first; when the first and the last happened.
fn scattered(cx: &CaseContext<'_>, enrolled: &Enrolled) -> CaseResult<(Span, Span)> {
    let first = failed(cx, enrolled, 1)?;
    time::advance_past(cx, first.to + 10 * MINUTE_MS)?;
    Ok((first, failed(cx, enrolled, 2)?))
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

const PAST_BLOCK_MS: i64 = 15 * MINUTE_MS + 2 * SECOND_MS;

fn whether_a_block_outlasts_the_hour_of_its_first_failures(cx: &CaseContext<'_>) -> CaseResult {
    let reply = time::in_time(cx, || {
        let enrolled = two_factor::enroll(cx)?;
        let first = failed_at_once(cx, &enrolled, 2)?;
        time::advance_to(cx, first.from + 59 * MINUTE_MS)?;
        let last = failed_at_once(cx, &enrolled, 1)?;
        time::advance_to(cx, first.to + 60 * MINUTE_MS + 2 * SECOND_MS)?;
        // In time is what has the third failure within the hour of the first, and the try before the end of the block.
        let reply = current_code(cx, &enrolled)?;
        let is_late = last.to >= first.from + 60 * MINUTE_MS;
        Ok((reply, if is_late { 0 } else { last.from + 15 * MINUTE_MS }))
    })?;
    let status = reply.status();
    let got = format!("{status} to a valid code within 15 minutes of the last failure, an hour after the first ones");
    cx.observe(&[("last", status == 400), ("window", status == 200)], got)
}
