//! A secret whose code of the current step suits a case.

use crate::chapters::prelude::*;

/// A user whose code of the current step has that property: enables two-factor anew until it has.
pub(crate) fn enrolled_with(
    cx: &CaseContext<'_>,
    fits: impl Fn(&Enrolled, i64) -> bool,
) -> Result<(Enrolled, i64), CaseError> {
    const TRIES: usize = 1_000;
    let mut enrolled = two_factor::enroll(cx)?;
    for _ in 0..TRIES {
        let step = totp_steps::current(cx)?;
        if fits(&enrolled, step) {
            return Ok((enrolled, step));
        }
        enrolled.factor = two_factor::enable(cx, &enrolled.tokens)?;
    }
    Err(CaseError::blocked(
        "enabling two-factor until the code suits the case",
        format!("{TRIES} secrets gave none: they are not random"),
    ))
}
