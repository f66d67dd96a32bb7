//! Lays json reports side by side: what changed between two of them, and a matrix of implementations by chapter and by rule.
//!
//! Knows reports as they were written, never a target.

pub(crate) mod badge;
pub(crate) mod changes;
mod grid;
pub(crate) mod matrix;
pub(crate) mod page;
pub(crate) mod terminal;
