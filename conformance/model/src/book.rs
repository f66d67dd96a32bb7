//! The required fields and the id of a new book.

use serde_json::Value;

use crate::js;

/// Whether a required field has a truthy value.
pub fn is_given(_name: &str, value: Option<&Value>) -> bool {
    value.is_some_and(js::truthy)
}

/// The id of a new book: the highest existing id plus 1; 1 when there is none.
pub fn next_id(ids: &[u64]) -> u64 {
    ids.iter().max().map_or(1, |highest| highest + 1)
}
