//! The fields of a registration, and of a new API client.

use serde_json::{Value, json};

/// The field, if it is a string that is not empty.
pub fn required_text(sent: Option<&Value>) -> Option<String> {
    sent.and_then(Value::as_str).filter(|text| !text.is_empty()).map(str::to_owned)
}

pub fn role(sent: Option<&Value>) -> Option<Value> {
    Some(sent.filter(|sent| !sent.is_null() && *sent != "").cloned().unwrap_or_else(|| json!("user")))
}

/// The permissions as sent; `read:libros` by default; `None` if they are not a list of strings.
pub fn permissions(sent: Option<&Value>) -> Option<Vec<String>> {
    match sent {
        Some(sent) => serde_json::from_value(sent.clone()).ok(),
        None => Some(vec!["read:libros".to_owned()]),
    }
}

/// The limit as sent; 1000 by default; `None` if it is not a whole number.
pub fn rate_limit(sent: Option<&Value>) -> Option<Value> {
    let Some(sent) = sent else { return Some(json!(1000)) };
    sent.as_f64().is_some_and(|number| number.fract() == 0.0).then(|| sent.clone())
}
