//! Cases of the chapter routing: which operations a path reaches, and what OPTIONS answers.

use crate::case::Case;

mod open;
mod options;
mod prefixes;

/// The tables of the chapter.
pub const TABLES: &[&[Case]] = &[prefixes::CASES, options::CASES, open::CASES];
