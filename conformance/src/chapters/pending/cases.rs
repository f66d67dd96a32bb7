//! Cases of the chapter pending: the session between the password and the second factor, its life and its end.

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
    /// A session not quite 10 minutes old is completed.
    a_session_lives_for_10_minutes judges ["pending/lives-10-minutes"] needs [Need::Clock] by lives(0);
    /// A wrong code within the 10 minutes does not end a session early.
    a_session_with_a_wrong_code_lives_for_10_minutes judges ["pending/lives-10-minutes"] needs [Need::Clock] by lives(2);
    /// A session more than 10 minutes old is refused, and a new one completed.
    a_session_expires_after_10_minutes judges ["pending/expires"] needs [Need::Clock] => |cx| {
        let (enrolled, session, login) = waiting(cx)?;
        time::advance_to(cx, login.to + LIFE_MS + AFTER_MS)?;
        let step = totp_steps::current(cx)?;
        two_factor::judge_check(cx, &session, &enrolled.factor.code(step), 400)?;
        let twin = two_factor::pending_session(cx, &enrolled.user)?;
        two_factor::pass_check(cx, &twin, &enrolled.factor.code(step + 1), "completing a new session")
    };
    /// A backup code does not complete a session of more than 10 minutes either.
    a_session_expires_for_backup_codes_too judges ["pending/expires"] needs [Need::Clock] => |cx| {
        let (enrolled, session, login) = waiting(cx)?;
        time::advance_to(cx, login.to + LIFE_MS + AFTER_MS)?;
        two_factor::judge_check(cx, &session, enrolled.backup_code(0)?, 400)?;
        let twin = two_factor::pending_session(cx, &enrolled.user)?;
        two_factor::pass_check(cx, &twin, enrolled.backup_code(1)?, "completing a new session")
    };
    /// A wrong code does not start the 10 minutes anew.
    a_wrong_code_does_not_prolong_a_session judges ["pending/expiry-from-login"] needs [Need::Clock] => |cx| {
        let (enrolled, session, login) = waiting(cx)?;
        time::advance_past(cx, login.from + LIFE_MS - MINUTE_MS)?;
        two_factor::fail_check(cx, &session, &enrolled.factor.wrong_code(totp_steps::current(cx)?, 0))?;
        time::advance_to(cx, login.to + LIFE_MS + AFTER_MS)?;
        two_factor::judge_check(cx, &session, &enrolled.code(cx)?, 400)
    };
    /// A second login does not start the 10 minutes of the first session anew.
    another_login_does_not_prolong_a_session judges ["pending/expiry-from-login"] needs [Need::Clock] => |cx| {
        let (enrolled, first, login) = waiting(cx)?;
        time::advance_past(cx, login.from + LIFE_MS / 2)?;
        let second = two_factor::pending_session(cx, &enrolled.user)?;
        time::advance_to(cx, login.to + LIFE_MS + AFTER_MS)?;
        two_factor::judge_check(cx, &first, enrolled.backup_code(0)?, 400)?;
        two_factor::pass_check(cx, &second, enrolled.backup_code(1)?, "completing the later session")
    };
}

const LIFE_MS: i64 = 10 * MINUTE_MS;

/// Of two verifications sent at the same moment one succeeds.
pub(crate) fn one_succeeds(replies: &[Reply]) -> CaseResult {
    let mut statuses: Vec<u16> = replies.iter().map(Reply::status).collect();
    statuses.sort_unstable();
    let (is_one, got) = (statuses == [200, 400], format!("{statuses:?}"));
    replies[0].check().that(is_one, Place::STATUS.of("two at once"), "200 to one, 400 to the other", got).map(drop)
}

/// A user with a pending session, and when that was opened.
fn waiting(cx: &CaseContext<'_>) -> CaseResult<(Enrolled, String, Span)> {
    let enrolled = two_factor::enroll(cx)?;
    let (session, login) = time::timed(cx, |cx| two_factor::pending_session(cx, &enrolled.user))?;
    Ok((enrolled, session, login))
}

/// The session is completed shortly before its end, after `wrong_codes` wrong codes half-way.
fn lives(cx: &CaseContext<'_>, wrong_codes: usize) -> CaseResult {
    let reply = time::in_time(cx, || {
        let (enrolled, session, login) = waiting(cx)?;
        time::advance_past(cx, login.from + LIFE_MS / 2)?;
        let step = totp_steps::current(cx)?;
        for nth in 0..wrong_codes {
            two_factor::fail_check(cx, &session, &enrolled.factor.wrong_code(step, nth))?;
        }
        time::advance_to(cx, login.from + LIFE_MS - BEFORE_MS)?;
        let reply = two_factor::verify(cx, &session, &enrolled.code(cx)?)?;
        Ok((reply, login.from + LIFE_MS))
    })?;
    reply.check().status(200).map(drop)
}
