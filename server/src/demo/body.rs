//! Reads fields of a type from the JSON body of a request. Checks nothing but types.

use serde_json::{Map, Value};

use super::failure::Failure;

pub(super) fn text(fields: &Map<String, Value>, name: &'static str) -> Result<String, Failure> {
    // rule: users/key-case, graphql-reduced/key-case, signup/key-case
    optional_text(fields, name)?.ok_or(Failure::FieldMissing(name))
}

pub(super) fn filled_text(fields: &Map<String, Value>, name: &'static str) -> Result<String, Failure> {
    let text = text(fields, name)?;
    if text.is_empty() { Err(Failure::FieldEmpty(name)) } else { Ok(text) }
}

pub(super) fn optional_text(fields: &Map<String, Value>, name: &'static str) -> Result<Option<String>, Failure> {
    match fields.get(name) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(Failure::FieldNotText(name)),
    }
}

pub(super) fn number(fields: &Map<String, Value>, name: &'static str) -> Result<f64, Failure> {
    let value = fields.get(name).ok_or(Failure::FieldMissing(name))?;
    value.as_f64().ok_or(Failure::FieldNotNumber(name))
}
