//! The answer to the current code, which a block refuses.

use crate::chapters::prelude::*;
use crate::fixture::two_factor::Enrolled;

/// The answer to the current code, in a session of its own.
pub(crate) fn current_code(cx: &CaseContext<'_>, enrolled: &Enrolled) -> Result<Reply, CaseError> {
    let session = two_factor::pending_session(cx, &enrolled.user)?;
    two_factor::verify(cx, &session, &enrolled.factor.code(totp_steps::current(cx)?))
}
