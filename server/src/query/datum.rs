//! A stored field's value as JavaScript's operators see it. Lists and objects take part only as their text.

use serde_json::Value;

use super::number;

/// A field's value, prepared once when its book is.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Datum {
    Null,
    Boolean(bool),
    /// A finite double.
    Number(f64),
    Text(Box<str>),
    /// A list or an object, as `String()` renders it; `["a",null]` is `a,`.
    Composite(Box<str>),
}

impl Datum {
    pub(super) fn of(value: &Value) -> Datum {
        match value {
            Value::Null => Datum::Null,
            Value::Bool(boolean) => Datum::Boolean(*boolean),
            Value::Number(number) => Datum::Number(number.as_f64().unwrap_or(f64::NAN)),
            Value::String(text) => Datum::Text(text.as_str().into()),
            Value::Array(_) | Value::Object(_) => {
                let mut text = String::new();
                write_text_to(&mut text, value);
                Datum::Composite(text.into_boxed_str())
            }
        }
    }

    /// `Number(value)`: NaN where it is none.
    pub(super) fn to_number(&self) -> f64 {
        match self {
            Datum::Null => 0.0,
            Datum::Boolean(boolean) => f64::from(u8::from(*boolean)),
            Datum::Number(number) => *number,
            Datum::Text(text) | Datum::Composite(text) => number::to_number(text),
        }
    }

    /// The text that operators work on where the value is, or first becomes, a text.
    pub(super) fn as_text(&self) -> Option<&str> {
        match self {
            Datum::Text(text) | Datum::Composite(text) => Some(text),
            Datum::Null | Datum::Boolean(_) | Datum::Number(_) => None,
        }
    }

    /// `Boolean(value)`.
    pub(super) fn is_truthy(&self) -> bool {
        // rule: list/is-null-field, list/is-falsy-values
        match self {
            Datum::Null => false,
            Datum::Boolean(boolean) => *boolean,
            Datum::Number(number) => *number != 0.0,
            Datum::Text(text) => !text.is_empty(),
            Datum::Composite(_) => true,
        }
    }
}

/// `String(value)`; what stands inside a list is rendered as `Array.prototype.join` does, null as nothing.
fn write_text_to(out: &mut String, value: &Value) {
    match value {
        Value::Null => {}
        Value::Bool(boolean) => out.push_str(if *boolean { "true" } else { "false" }),
        Value::Number(number) => {
            out.push_str(&number::to_text(number.as_f64().unwrap_or(f64::NAN)));
        }
        Value::String(text) => out.push_str(text),
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_text_to(out, item);
            }
        }
        // An object with a field toString would make JavaScript throw; here it reads like any other.
        Value::Object(_) => out.push_str("[object Object]"),
    }
}
