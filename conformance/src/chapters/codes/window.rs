//! Which steps' codes are accepted: the previous, the current and the next, wherever in its step the target is.

use crate::chapters::prelude::*;
use crate::fixture::two_factor::Enrolled;
use crate::oracle::totp::STEP_MS;

cases! { "codes";
    /// The code of the step before is accepted.
    the_previous_code_is_accepted judges ["codes/previous-step"] by is_accepted(None, -1);
    /// It is, until the current step ends.
    the_previous_code_is_accepted_late_in_a_step judges ["codes/previous-step"] needs [Need::Clock]
        by is_accepted(Some(LATE_MS), -1);
    /// The code of the step after is accepted.
    the_next_code_is_accepted judges ["codes/next-step"] by is_accepted(None, 1);
    /// It is, from the beginning of the current step.
    the_next_code_is_accepted_early_in_a_step judges ["codes/next-step"] needs [Need::Clock]
        by is_accepted(Some(EARLY_MS), 1);
    /// The code of two steps ago is refused, the current one is accepted.
    the_code_of_two_steps_ago_is_refused judges ["codes/too-old"] by is_refused(None, -2);
    /// It is, from the beginning of the current step.
    the_code_of_two_steps_ago_is_refused_early_in_a_step judges ["codes/too-old"] needs [Need::Clock]
        by is_refused(Some(EARLY_MS), -2);
    /// The code of the second step ahead is refused, the current one is accepted.
    the_code_of_two_steps_ahead_is_refused judges ["codes/too-early"] by is_refused(None, 2);
    /// It is, until the current step ends.
    the_code_of_two_steps_ahead_is_refused_late_in_a_step judges ["codes/too-early"] needs [Need::Clock]
        by is_refused(Some(LATE_MS), 2);
}

/// Two seconds after a step's beginning.
const EARLY_MS: i64 = 2_000;
/// Three seconds before a step's end.
const LATE_MS: i64 = STEP_MS - 3_000;

/// A user whose codes of the steps around now are all different, with a session that waits for one.
fn waiting(cx: &CaseContext<'_>, offset_ms: Option<i64>) -> Result<(Enrolled, String), CaseError> {
    let (mut enrolled, session) = two_factor::enroll_and_log_in(cx)?;
    if let Some(offset_ms) = offset_ms {
        totp_steps::advance_into(cx, offset_ms)?;
    }
    let step = totp_steps::current(cx)?;
    let mut near: Vec<_> = (step - 3..=step + 4).map(|near| enrolled.factor.code(near)).collect();
    near.sort_unstable();
    near.dedup();
    if near.len() == 8 {
        return Ok((enrolled, session));
    }
    enrolled.factor = two_factor::enable(cx, &enrolled.tokens)?;
    let session = two_factor::pending_session(cx, &enrolled.user)?;
    Ok((enrolled, session))
}

/// The code of the step so far from the current one is accepted.
fn is_accepted(cx: &CaseContext<'_>, offset_ms: Option<i64>, distance: i64) -> CaseResult {
    let reply = totp_steps::within_one(
        cx,
        || waiting(cx, offset_ms),
        |(enrolled, session), step| two_factor::verify(cx, session, &enrolled.factor.code(step + distance)),
    )?;
    reply.check().status(200).map(drop)
}

/// It is refused, and the current code after it is accepted.
fn is_refused(cx: &CaseContext<'_>, offset_ms: Option<i64>, distance: i64) -> CaseResult {
    let reply = totp_steps::within_one(
        cx,
        || waiting(cx, offset_ms),
        |(enrolled, session), step| {
            let reply = two_factor::verify(cx, session, &enrolled.factor.code(step + distance))?;
            if reply.status() != 200 {
                let twin = two_factor::verify(cx, session, &enrolled.factor.code(step))?;
                twin.prepared("verifying the current code", 200)?;
            }
            Ok(reply)
        },
    )?;
    reply.check().status(400).map(drop)
}
