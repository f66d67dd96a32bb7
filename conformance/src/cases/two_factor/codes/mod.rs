//! Cases of the chapter codes: how time-based codes are made, which are accepted, and which tokens are no codes at all.

use crate::case::Case;
use crate::context::case_context::CaseContext;
use crate::contract::verdict::CaseError;
use crate::fixture::two_factor::Enrolled;

mod diagnosis;
mod forms;
mod making;
mod readings;
mod window;

/// The tables of this chapter.
pub const TABLES: &[&[Case]] = &[making::CASES, window::CASES, forms::CASES, readings::CASES];

/// A user whose code of the current step has that property: enables two-factor anew until it has.
///
/// # Errors
/// [`CaseError::Blocked`] when none of a thousand secrets gives one.
pub(super) fn enrolled_with(
    cx: &CaseContext<'_>,
    fits: impl Fn(&Enrolled, i64) -> bool,
) -> Result<(Enrolled, i64), CaseError> {
    const TRIES: usize = 1_000;
    let mut enrolled = cx.enroll()?;
    for _ in 0..TRIES {
        let step = cx.step()?;
        if fits(&enrolled, step) {
            return Ok((enrolled, step));
        }
        enrolled.factor = cx.enable(&enrolled.tokens)?;
    }
    Err(CaseError::Blocked {
        step: "enabling two-factor until the code suits the case".into(),
        why: format!("{TRIES} secrets gave none: they are not random"),
    })
}
