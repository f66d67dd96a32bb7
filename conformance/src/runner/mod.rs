//! Selects cases, runs them, and keeps what came out. Writes no report.

pub mod event;
pub mod expected_failures;
pub mod outcome;
pub mod run;
pub mod select;
