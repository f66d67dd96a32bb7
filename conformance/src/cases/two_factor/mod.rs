//! Cases of the chapter two-factor: the management routes and who may use them, enabling, disabling, status, regenerating, and
//! the form of secret and qrUrl.

use serde_json::Value;

use crate::case::Case;
use crate::http::reply::{Check, Checked};

pub mod backup_codes;
pub mod codes;
pub mod devices;
mod disable;
mod enable;
mod link;
pub mod lockout;
pub mod pending;
mod regenerate;
mod routes;
mod status;
mod status_times;
pub mod verification;
mod walk;

/// The tables of this chapter.
pub const TABLES: &[&[Case]] = &[
    routes::CASES,
    enable::CASES,
    link::CASES,
    disable::CASES,
    status::CASES,
    status_times::CASES,
    regenerate::CASES,
    walk::CASES,
];

/// `mensaje` is a text that is not empty.
pub(super) fn has_message(check: Check<'_>) -> Checked<'_> {
    check.at_where("/mensaje", "a text that is not empty", |text: &Value| {
        text.as_str().is_some_and(|text| !text.is_empty())
    })
}
