//! Cases of the chapter exchanges: whole requests and answers, held against their reviewed texts (see [`crate::snapshot`]).
//!
//! Each transcript stays where every permitted reading agrees, or says which keys and headers are free.

pub(crate) mod books;
pub(crate) mod demo;
pub(crate) mod identity;

use crate::case::Case;

/// The tables of this chapter.
pub(crate) const TABLES: &[&[Case]] = &[books::CASES, identity::CASES, demo::CASES];
