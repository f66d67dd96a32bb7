//! Cases of the chapter lockout: what blocks the checks of an e-mail, for how long, and what the block leaves alone.
//!
//! No case tries a code while it waits for the end of a block, unless that is what it judges.

use crate::case::Case;
use crate::context::case_context::Trial;
use crate::contract::verdict::Stop;
use crate::fixture::two_factor::Enrolled;
use crate::http::reply::Reply;

mod failures;
mod readings;
mod span;

/// The tables of this chapter.
pub const TABLES: &[&[Case]] = &[failures::CASES, span::CASES, readings::CASES];

/// The answer to the current code, in a session of its own.
pub(super) fn current_code(t: &Trial<'_>, enrolled: &Enrolled) -> Result<Reply, Stop> {
    let session = t.pend(&enrolled.user)?;
    t.verify(&session, &enrolled.factor.code(t.step()?))
}
