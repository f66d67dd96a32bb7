//! A stored field's value as JavaScript's operators see it. Lists and objects take part only as their text.

use std::borrow::Cow;

use serde_json::Value;

use super::number;
use crate::json;

/// A field's value, read from the JSON text of its book.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum JsValue<'a> {
    Null,
    Boolean(bool),
    /// A finite double; zero has no sign.
    Number(f64),
    Text(Cow<'a, str>),
    /// A list or an object, as `String()` renders it; `["a",null]` is `a,`.
    Composite(Cow<'a, str>),
}

impl<'a> JsValue<'a> {
    /// Reads the JSON text of one value, as books keep it.
    pub(super) fn read(text: &'a str) -> Self {
        match text.as_bytes() {
            [b'"', inner @ .., b'"'] if memchr::memchr(b'\\', inner).is_none() => {
                JsValue::Text(Cow::Borrowed(&text[1..text.len() - 1]))
            }
            [b'n', ..] => JsValue::Null,
            [b't', ..] => JsValue::Boolean(true),
            [b'f', ..] => JsValue::Boolean(false),
            [b'-' | b'0'..=b'9', ..] => JsValue::Number(text.parse::<f64>().unwrap_or(f64::NAN) + 0.0),
            // A list, an object or a text with escapes. It parses: a book's text is valid JSON.
            _ => JsValue::of(json::parse(text.as_bytes()).unwrap_or(Value::Null)),
        }
    }

    fn of(value: Value) -> Self {
        match value {
            Value::Null => JsValue::Null,
            Value::Bool(boolean) => JsValue::Boolean(boolean),
            Value::Number(number) => JsValue::Number(number.as_f64().unwrap_or(f64::NAN) + 0.0),
            Value::String(text) => JsValue::Text(Cow::Owned(text)),
            Value::Array(_) | Value::Object(_) => {
                let mut text = String::new();
                write_string_of(&mut text, &value);
                JsValue::Composite(Cow::Owned(text))
            }
        }
    }

    /// `Number(value)`: NaN where it is none.
    pub(super) fn to_number(&self) -> f64 {
        match self {
            JsValue::Null => 0.0,
            JsValue::Boolean(boolean) => f64::from(u8::from(*boolean)),
            JsValue::Number(number) => *number,
            JsValue::Text(text) | JsValue::Composite(text) => number::to_number(text),
        }
    }

    /// The text of a value that is a text to operators: a text, a list or an object.
    pub(super) fn as_text(&self) -> Option<&str> {
        match self {
            JsValue::Text(text) | JsValue::Composite(text) => Some(text),
            JsValue::Null | JsValue::Boolean(_) | JsValue::Number(_) => None,
        }
    }
}

/// `Boolean(value)`.
pub fn is_truthy(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(boolean) => *boolean,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(_) | Value::Object(_) => true,
    }
}

/// `String(value)`; the items of a list are rendered as `Array.prototype.join` does, null as nothing.
fn write_string_of(out: &mut String, value: &Value) {
    match value {
        Value::Null => {}
        Value::Bool(_) | Value::Number(_) => json::write_to(out, value),
        Value::String(text) => out.push_str(text),
        Value::Array(items) => json::write_separated(out, items, write_string_of),
        // An object with a field toString would make JavaScript throw; here it reads like any other.
        Value::Object(_) => out.push_str("[object Object]"),
    }
}
