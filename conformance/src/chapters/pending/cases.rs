//! Sessions between the password and the second factor: two codes at the same moment, and what three wrong ones leave.

use crate::chapters::prelude::*;

cases! { "pending";
    /// Two right codes sent at the same moment for one session: exactly one completes it.
    a_session_is_completed_once_by_two_at_once judges ["pending/success-removes"] => |cx| {
        let enrolled = two_factor::enroll(cx)?;
        for round in 0..3 {
            let session = two_factor::pending_session(cx, &enrolled.user)?;
            let codes = [enrolled.backup_code(2 * round)?, enrolled.backup_code(2 * round + 1)?];
            let replies = concurrency::simultaneously(2, |index| two_factor::verify(cx, &session, codes[index]))?;
            one_succeeds(&replies)?;
        }
        Ok(())
    };
    /// A session with three wrong codes answers 400 to the next: a right one, a wrong one, none.
    a_session_with_three_wrong_codes_refuses_all judges ["lockout/three-failures"] => |cx| {
        // Each of another user: what a session answers after the first refusal does not depend on the attempts.
        for nth in 0..3 {
            let (enrolled, session) = two_factor::enroll_and_log_in(cx)?;
            let step = totp_steps::current(cx)?;
            let (code, wrong) = (enrolled.factor.code(step), enrolled.factor.wrong_code(step, 9));
            for nth in 0..3 {
                two_factor::fail_check(cx, &session, &enrolled.factor.wrong_code(step, nth))?;
            }
            let tokens = [code.as_str(), wrong.as_str(), enrolled.backup_code(0)?];
            for token in [tokens[nth], tokens[(nth + 1) % 3]] {
                two_factor::verify(cx, &session, token)?.check().status(400)?.text_at("/error", "a text")?;
            }
        }
        Ok(())
    };
}

/// Of two verifications sent at the same moment one succeeds.
pub(crate) fn one_succeeds(replies: &[Reply]) -> CaseResult {
    let mut statuses: Vec<u16> = replies.iter().map(Reply::status).collect();
    statuses.sort_unstable();
    let (is_one, got) = (statuses == [200, 400], format!("{statuses:?}"));
    replies[0].check().that(is_one, Place::STATUS.of("two at once"), "200 to one, 400 to the other", got).map(drop)
}
