//! Failures at the same moment, and whether a refused check prolongs the block.

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
    /// A check refused by the block leaves its end where it was, or moves it.
    whether_refused_checks_prolong_the_block judges ["lockout/refused-not-counted"] needs [Need::Clock] => |cx| {
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
    };
}

/// The answer to the current code, in a session of its own.
fn current_code(cx: &CaseContext<'_>, enrolled: &Enrolled) -> CaseResult<Reply> {
    two_factor::verify_anew(cx, enrolled, &enrolled.code(cx)?)
}

const ROUNDS: usize = 3;

/// Sends a wrong code for each of these sessions at the same moment, which block.
fn block_at_once(cx: &CaseContext<'_>, enrolled: &Enrolled, sessions: [&str; 3]) -> CaseResult {
    let step = totp_steps::current(cx)?;
    let fail = |nth| two_factor::fail_check(cx, sessions[nth], &enrolled.factor.wrong_code(step, nth));
    concurrency::simultaneously(3, fail)?;
    current_code(cx, enrolled)?.check().status(400).map(drop)
}

const PAST_BLOCK_MS: i64 = 15 * MINUTE_MS + 2 * SECOND_MS;
