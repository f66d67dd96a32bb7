//! What the documents leave open about the block.

use super::current_code;
use crate::case::Need;
use crate::cases;
use crate::context::case_context::CaseContext;
use crate::contract::verdict::CaseResult;
use crate::fixture::clock::{MINUTE_MS, SECOND_MS};

cases! { "lockout";
    /// A check refused by the block leaves its end where it was, or moves it.
    whether_refused_checks_prolong_the_block judges ["lockout/refused-not-counted"] needs [Need::Clock];
    /// Two failures, a success and a third failure: blocked, or not.
    whether_a_success_clears_failures judges ["lockout/success-keeps-failures"];
    /// One more failure when a block has ended: blocked again, or not.
    whether_one_failure_after_a_block_blocks_again judges ["lockout/after-block"] needs [Need::Clock];
    /// The third failure 59 minutes after the first two: an hour after those still blocked, or not.
    whether_a_block_outlasts_the_hour_of_its_first_failures judges ["lockout/oldest-leaves"] needs [Need::Clock];
}

const PAST_BLOCK_MS: i64 = 15 * MINUTE_MS + 2 * SECOND_MS;

fn whether_refused_checks_prolong_the_block(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = cx.enroll()?;
    let ((), last) = cx.timed(|cx| cx.fail_checks(&enrolled, 3))?;
    cx.advance_to(last.from + 10 * MINUTE_MS)?;
    let (reply, refused) = cx.timed(|cx| current_code(cx, &enrolled))?;
    reply.prepared("verifying a code while blocked", 400)?;
    cx.advance_to(last.to + PAST_BLOCK_MS)?;
    let first = current_code(cx, &enrolled)?.status();
    cx.advance_to(refused.to + PAST_BLOCK_MS + 5 * MINUTE_MS)?;
    // Where the try of just now was refused, it counted too.
    cx.advance_ms(PAST_BLOCK_MS)?;
    let second = current_code(cx, &enrolled)?.status();
    let readings = [
        ("neither the attempts nor the 15 minutes change", first == 200),
        ("it counts as a failure and prolongs the block", first == 400 && second == 200),
    ];
    let got = format!("{first} when the first block was over, then {second}");
    cx.observe_rule("lockout/refused-not-counted", &readings, got)
}

fn whether_a_success_clears_failures(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = cx.enroll()?;
    cx.fail_checks(&enrolled, 2)?;
    cx.log_in_with(&enrolled.user, enrolled.factor.backup_code(0)?)?;
    cx.fail_checks(&enrolled, 1)?;
    let status = current_code(cx, &enrolled)?.status();
    let readings = [("they still count", status == 400), ("a success clears them", status == 200)];
    cx.observe_rule("lockout/success-keeps-failures", &readings, status)
}

fn whether_one_failure_after_a_block_blocks_again(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = cx.enroll()?;
    let ((), last) = cx.timed(|cx| cx.fail_checks(&enrolled, 3))?;
    cx.advance_to(last.to + PAST_BLOCK_MS)?;
    cx.fail_checks(&enrolled, 1)?;
    let status = current_code(cx, &enrolled)?.status();
    let readings =
        [("one further failure blocks again", status == 400), ("three further failures are needed", status == 200)];
    cx.observe_rule("lockout/after-block", &readings, status)
}

fn whether_a_block_outlasts_the_hour_of_its_first_failures(cx: &CaseContext<'_>) -> CaseResult {
    let reply = cx.in_time(|| {
        let enrolled = cx.enroll()?;
        let ((), first) = cx.timed(|cx| cx.fail_checks(&enrolled, 2))?;
        cx.advance_to(first.from + 59 * MINUTE_MS)?;
        let ((), last) = cx.timed(|cx| cx.fail_checks(&enrolled, 1))?;
        cx.advance_to(first.to + 60 * MINUTE_MS + 2 * SECOND_MS)?;
        // In time is what has the third failure within the hour of the first, and the try before the end of the block.
        let reply = current_code(cx, &enrolled)?;
        let is_late = last.to >= first.from + 60 * MINUTE_MS;
        Ok((reply, if is_late { 0 } else { last.from + 15 * MINUTE_MS }))
    })?;
    let status = reply.status();
    let readings = [
        ("blocked until 15 minutes after the last failure", status == 400),
        ("counted anew at every check: open with fewer than three failures in the hour", status == 200),
    ];
    cx.observe_rule("lockout/oldest-leaves", &readings, status)
}
