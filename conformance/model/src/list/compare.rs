//! JavaScript's `==`, `>=`, `<=` and `<` between a book's field and a query value or another field.

use std::cmp::Ordering;

use serde_json::Value;

use super::converted::Converted;
use super::value::iso_date;
use crate::js;

/// Whether the field is loosely equal to a value other than a list.
pub fn loosely_equal(field: &Value, value: &Converted) -> bool {
    match (field, value) {
        // Not as in JavaScript: a date equals a stored date text, and nothing else.
        (_, Converted::Date(millis)) => field.as_str().and_then(iso_date) == Some(*millis),
        (Value::Null, _) => false,
        (Value::Bool(b), _) => f64::from(*b) == value.number(),
        (Value::Number(_), _) => field.as_f64() == Some(value.number()),
        (_, Converted::Text(text)) => js::text_of(field) == *text,
        _ => js::to_number(&js::text_of(field)) == value.number(),
    }
}

/// Compares the field with the value for `>=` and `<=`; `None` where JavaScript has neither.
pub fn relation(field: &Value, value: &Converted) -> Option<Ordering> {
    match (field, value) {
        // Not as in JavaScript: two dates compare as instants.
        (Value::String(text), Converted::Date(millis)) => {
            iso_date(text).unwrap_or_else(|| js::to_number(text)).partial_cmp(millis)
        }
        (Value::String(_) | Value::Array(_) | Value::Object(_), Converted::Text(_) | Converted::List(_)) => {
            Some(compare_units(&js::text_of(field), &value.text()))
        }
        _ => number_of_field(field).partial_cmp(&value.number()),
    }
}

fn number_of_field(field: &Value) -> f64 {
    match field {
        Value::Null => 0.0,
        Value::Bool(b) => f64::from(*b),
        Value::Number(_) => field.as_f64().unwrap_or(f64::NAN),
        _ => js::to_number(&js::text_of(field)),
    }
}

/// Texts by UTF-16 code units.
pub fn compare_units(a: &str, b: &str) -> Ordering {
    a.encode_utf16().cmp(b.encode_utf16())
}

/// JavaScript's `<` and `>` between two fields; neither smaller means equal.
pub fn compare_fields(a: &Value, b: &Value) -> Ordering {
    let text = |v: &Value| matches!(v, Value::String(_) | Value::Array(_) | Value::Object(_));
    if text(a) && text(b) {
        return compare_units(&js::text_of(a), &js::text_of(b));
    }
    number_of_field(a).partial_cmp(&number_of_field(b)).unwrap_or(Ordering::Equal)
}
