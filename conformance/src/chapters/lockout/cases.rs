//! Failures at the same moment.

use crate::chapters::prelude::*;

cases! { "lockout";
    /// Three wrong codes sent at the same moment in one pending session block as three in a row do.
    three_failures_at_once_in_one_session_block judges ["lockout/three-failures"] => |cx| {
        for _ in 0..ROUNDS {
            let (enrolled, session) = two_factor::enroll_and_log_in(cx)?;
            block_at_once(cx, &enrolled, [&session; 3])?;
        }
        Ok(())
    };
    /// Three wrong codes sent at the same moment in three pending sessions block as three in a row do.
    three_failures_at_once_in_three_sessions_block judges ["lockout/three-failures"] => |cx| {
        for _ in 0..ROUNDS {
            let enrolled = two_factor::enroll(cx)?;
            let user = &enrolled.user;
            let pending = || two_factor::pending_session(cx, user);
            block_at_once(cx, &enrolled, [&pending()?, &pending()?, &pending()?])?;
        }
        Ok(())
    };
}

const ROUNDS: usize = 3;

/// Sends a wrong code for each of these sessions at the same moment, which block.
fn block_at_once(cx: &CaseContext<'_>, enrolled: &Enrolled, sessions: [&str; 3]) -> CaseResult {
    let step = totp_steps::current(cx)?;
    let fail = |nth| two_factor::fail_check(cx, sessions[nth], &enrolled.factor.wrong_code(step, nth));
    concurrency::simultaneously(3, fail)?;
    // The current code, in a session of its own.
    two_factor::judge_in_new_login(cx, enrolled, &enrolled.code(cx)?, 400)
}
