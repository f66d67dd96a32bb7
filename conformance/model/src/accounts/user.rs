//! Users: the fields of a registration.

use serde_json::{Value, json};

/// A field that must be a text with something in it.
pub fn required_text(sent: Option<&Value>) -> Option<String> {
    sent.and_then(Value::as_str).filter(|text| !text.is_empty()).map(str::to_owned)
}

pub fn role(sent: Option<&Value>) -> Option<Value> {
    Some(sent.filter(|sent| !sent.is_null() && *sent != "").cloned().unwrap_or_else(|| json!("user")))
}
