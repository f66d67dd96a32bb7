//! Users: the fields of a registration, numbers of ids, what permissions allow.

use serde_json::Value;

/// A field that must be a text with something in it.
pub(crate) fn required_text(sent: Option<&Value>) -> Option<String> {
    sent.and_then(Value::as_str).filter(|text| !text.is_empty()).map(str::to_owned)
}

/// The number of the next id, when so many have one.
pub(crate) fn next_number(known: usize, _now: i64) -> i64 {
    known as i64 + 1
}

/// Whether these permissions are enough: none implies another.
pub(crate) fn holds(held: &[String], needed: &str) -> bool {
    held.iter().any(|permission| permission == needed)
}
