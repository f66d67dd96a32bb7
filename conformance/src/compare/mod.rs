//! Compares json reports: the changes between two, and a matrix of implementations by chapter and by rule.
//!
//! Reads reports only, never an implementation.

pub(crate) mod badge;
pub(crate) mod changes;
mod grid;
pub(crate) mod matrix;
pub(crate) mod page;
pub(crate) mod terminal;
