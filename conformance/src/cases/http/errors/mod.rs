//! Cases of the chapter errors: the shapes of failures, and bodies that cannot be read.

use crate::case::Case;

mod bodies;
mod bodies_open;
mod bounds;
mod denials;
mod envelopes;

/// The tables of the chapter.
pub const TABLES: &[&[Case]] = &[envelopes::CASES, denials::CASES, bodies::CASES, bodies_open::CASES, bounds::CASES];
