//! Cases of the chapter lockout: what blocks the checks of an e-mail, for how long, and what the block leaves alone.
//!
//! No case tries a code while it waits for the end of a block, unless that is what it judges.

use crate::case::Case;
use crate::context::case_context::CaseContext;
use crate::contract::verdict::CaseError;
use crate::fixture::totp_steps;
use crate::fixture::two_factor::{self, Enrolled};
use crate::http::reply::Reply;

mod failures;
mod readings;
mod span;

/// The tables of this chapter.
pub const TABLES: &[&[Case]] = &[failures::CASES, span::CASES, readings::CASES];

/// The answer to the current code, in a session of its own.
pub(super) fn current_code(cx: &CaseContext<'_>, enrolled: &Enrolled) -> Result<Reply, CaseError> {
    let session = two_factor::pending_session(cx, &enrolled.user)?;
    two_factor::verify(cx, &session, &enrolled.factor.code(totp_steps::current(cx)?))
}
