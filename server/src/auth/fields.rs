//! Takes texts out of the fields of a JSON object. Checks nothing but types.

use serde_json::{Map, Value};

/// Takes a field that holds a text; `None` when it is missing or holds anything else.
pub(crate) fn text(fields: &mut Map<String, Value>, name: &str) -> Option<String> {
    match fields.remove(name) {
        Some(Value::String(text)) => Some(text),
        _ => None,
    }
}

/// Takes a field that holds a text of at least one character.
pub(crate) fn filled_text(fields: &mut Map<String, Value>, name: &str) -> Option<String> {
    text(fields, name).filter(|text| !text.is_empty())
}
