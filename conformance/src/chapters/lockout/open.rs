//! How long failures count, and what the documents leave open about the block.

use super::current_code::current_code;
use crate::chapters::prelude::*;
use crate::fixture::time::{MINUTE_MS, SECOND_MS};

cases! { "lockout";
    /// A check refused by the block leaves its end where it was, or moves it.
    whether_refused_checks_prolong_the_block judges ["lockout/refused-not-counted"] needs [Need::Clock];
    /// Two failures, a success and a third failure: blocked.
    a_success_clears_no_failures judges ["lockout/success-keeps-failures"];
    /// One more failure within the hour when a block has ended: blocked again.
    one_failure_after_a_block_blocks_again judges ["lockout/after-block"] needs [Need::Clock];
    /// The third failure 59 minutes after the first two: an hour after those still blocked, or open again.
    whether_a_block_outlasts_the_hour_of_its_first_failures judges ["lockout/oldest-leaves"] needs [Need::Clock];
}

const PAST_BLOCK_MS: i64 = 15 * MINUTE_MS + 2 * SECOND_MS;

fn whether_refused_checks_prolong_the_block(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    let ((), last) = time::timed(cx, |cx| two_factor::fail_checks(cx, &enrolled, 3))?;
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
}

fn a_success_clears_no_failures(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    two_factor::fail_checks(cx, &enrolled, 2)?;
    two_factor::log_in_with(cx, &enrolled.user, enrolled.factor.backup_code(0)?)?;
    two_factor::fail_checks(cx, &enrolled, 1)?;
    let status = current_code(cx, &enrolled)?.status();
    cx.check(status == 400, "a valid code after two failures, a success and a third failure", 400, status)
}

fn one_failure_after_a_block_blocks_again(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    let ((), last) = time::timed(cx, |cx| two_factor::fail_checks(cx, &enrolled, 3))?;
    time::advance_to(cx, last.to + PAST_BLOCK_MS)?;
    two_factor::fail_checks(cx, &enrolled, 1)?;
    let status = current_code(cx, &enrolled)?.status();
    cx.check(status == 400, "a valid code after a block and one more failure within the hour", 400, status)
}

fn whether_a_block_outlasts_the_hour_of_its_first_failures(cx: &CaseContext<'_>) -> CaseResult {
    let reply = time::in_time(cx, || {
        let enrolled = two_factor::enroll(cx)?;
        let ((), first) = time::timed(cx, |cx| two_factor::fail_checks(cx, &enrolled, 2))?;
        time::advance_to(cx, first.from + 59 * MINUTE_MS)?;
        let ((), last) = time::timed(cx, |cx| two_factor::fail_checks(cx, &enrolled, 1))?;
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
