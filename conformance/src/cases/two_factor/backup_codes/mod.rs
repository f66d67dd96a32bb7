//! Cases of the chapter backup-codes: their number and form, single use, and what replaces them.

use crate::case::Case;

mod issue;
mod once;
mod spelling;

/// The tables of this chapter.
pub const TABLES: &[&[Case]] = &[issue::CASES, once::CASES, spelling::CASES];
