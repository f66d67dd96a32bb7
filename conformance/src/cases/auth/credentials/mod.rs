//! Cases of the chapter credentials: how a credential is found, which one counts, when it is asked for; the initial clients.

use crate::case::Case;

mod initial;
mod keys;
mod moments;
mod precedence;
mod schemes;

/// The tables of the chapter.
pub const TABLES: &[&[Case]] = &[schemes::CASES, keys::CASES, precedence::CASES, moments::CASES, initial::CASES];
