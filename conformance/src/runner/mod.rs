//! Selects cases, runs them, and keeps their outcomes. Writes no report.

pub mod answers;
pub mod cause;
pub mod diagnosis;
pub mod event;
pub mod expected_failures;
pub mod level;
pub mod on_reference;
pub mod one_request;
pub mod outcome;
mod plain_requests;
pub mod play;
pub mod preflight;
pub mod principal_keys;
mod rate_limit;
pub mod replayed;
pub mod rule_outcome;
pub mod run;
pub mod select;
mod side_by_side;
pub mod supervised;
pub mod traffic;
pub mod unscored;
