//! Cases of the chapter headers: the header groups, which answers carry them, and what the request's own headers may change.

mod answers;
pub mod groups;
pub mod policy;
pub mod requests;

use crate::case::Case;

/// The tables of this chapter.
pub const TABLES: &[&[Case]] = &[groups::CASES, policy::CASES, requests::CASES];
