//! The message that answers of management carry.

use serde_json::Value;

use crate::http::reply::{Check, Checked};

/// `mensaje` is a text that is not empty.
pub(crate) fn has_message(check: Check<'_>) -> Checked<'_> {
    check.at_where("/mensaje", "a text that is not empty", |text: &Value| {
        text.as_str().is_some_and(|text| !text.is_empty())
    })
}
