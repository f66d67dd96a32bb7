//! JavaScript's `==`, `>=`, `<=` and `<` between a book's field and a query value or another field.

use std::cmp::Ordering;

use serde_json::Value;

use super::super::js;
use super::value::{Converted, iso_date};
use crate::impostor::faults::Faults;

/// Whether the field is loosely equal to the value; a list matches when any of its items does.
pub(crate) fn loosely_equal(field: &Value, value: &Converted, faults: &Faults) -> bool {
    if let Converted::List(items) = value {
        if faults.on("list-must-match-whole") {
            return items.iter().all(|item| loosely_equal(field, item, faults));
        }
        // A list within the list is a permitted reading's, and matches nothing.
        let plain = |item: &&Converted| !matches!(item, Converted::List(_));
        return items.iter().filter(plain).any(|item| loosely_equal(field, item, faults));
    }
    if faults.on("equality-strict") && !same_kind(field, value) {
        return false;
    }
    if let (Value::Array(items), true) = (field, faults.reads("list-field-any-item")) {
        return items.iter().any(|item| !item.is_array() && loosely_equal(item, value, faults));
    }
    if faults.reads("equality-scalars-only") && (field.is_array() || field.is_object()) {
        return false;
    }
    if let Converted::Date(millis) = value {
        // By sense: a date equals a stored date text; never anything else.
        return !faults.reads("dates-to-the-letter") && field.as_str().and_then(iso_date) == Some(*millis);
    }
    if let Some(answer) = spoiled_equality(field, value, faults) {
        return answer;
    }
    match (field, value) {
        (Value::Null, _) => false,
        (Value::Number(_), Converted::Text(text)) => js::number_of(field) == Some(js::to_number(text)),
        (Value::Bool(b), _) => number_of_bool(*b) == number_of(value),
        (Value::Number(_), _) => js::number_of(field) == Some(number_of(value)),
        (_, Converted::Text(text)) => texts_equal(&js::text_of(field), text, faults),
        _ => js::to_number(&js::text_of(field)) == number_of(value),
    }
}

/// What a fault makes of a comparison; `None` where none is on that touches it.
fn spoiled_equality(field: &Value, value: &Converted, faults: &Faults) -> Option<bool> {
    match (field, value) {
        (Value::Null, _) if faults.on("null-equals-falsy") => Some(matches!(number_of(value), 0.0)),
        (Value::Null, Converted::Text(text)) if faults.on("null-equals-its-text") => Some(text == "null"),
        (Value::String(text), Converted::Number(n)) if faults.on("numbers-equal-their-own-text-only") => {
            Some(*text == js::number_text(*n))
        }
        (Value::String(text), Converted::Number(n)) if faults.on("numbers-equal-texts-that-start-so") => {
            Some(js::parse_int(text) == Some(*n) || js::to_number(text) == *n)
        }
        (Value::String(text), Converted::Number(_) | Converted::Bool(_))
            if text.is_empty() && faults.on("empty-text-equals-no-number") =>
        {
            Some(false)
        }
        (Value::String(text), Converted::Bool(b))
            if faults.on("booleans-equal-their-text") && *text == b.to_string() =>
        {
            Some(true)
        }
        (Value::String(_), Converted::Bool(_)) if faults.on("booleans-equal-no-text") => Some(false),
        (Value::Number(_), Converted::Bool(b)) if faults.on("true-equals-every-truthy-number") => {
            Some(js::truthy(field) == *b)
        }
        (Value::Number(_), Converted::Bool(_)) if faults.on("booleans-equal-booleans-only") => Some(false),
        (Value::Bool(b), Converted::Number(n)) if faults.on("boolean-field-by-truthiness") => Some(*b == (*n != 0.0)),
        _ => None,
    }
}

fn texts_equal(field: &str, text: &str, faults: &Faults) -> bool {
    if faults.on("equality-ignores-case") {
        return field.to_lowercase() == text.to_lowercase();
    }
    if faults.on("equality-is-contains") {
        return field.contains(text);
    }
    if faults.on("equality-trims") {
        return field.trim() == text.trim();
    }
    field == text
}

fn same_kind(field: &Value, value: &Converted) -> bool {
    matches!(
        (field, value),
        (Value::Bool(_), Converted::Bool(_))
            | (Value::Number(_), Converted::Number(_))
            | (Value::String(_), Converted::Text(_) | Converted::Date(_))
    )
}

fn number_of_bool(b: bool) -> f64 {
    if b { 1.0 } else { 0.0 }
}

fn number_of(value: &Converted) -> f64 {
    match value {
        Converted::Bool(b) => number_of_bool(*b),
        Converted::Number(n) | Converted::Date(n) => *n,
        Converted::Text(_) | Converted::List(_) => js::to_number(&text_of(value)),
    }
}

fn text_of(value: &Converted) -> String {
    match value {
        Converted::Bool(b) => b.to_string(),
        Converted::Number(n) => js::number_text(*n),
        Converted::Date(millis) => date_text(*millis),
        Converted::Text(text) => text.clone(),
        Converted::List(items) => items.iter().map(text_of).collect::<Vec<_>>().join(","),
    }
}

/// `String(date)` where the zone is UTC.
fn date_text(millis: f64) -> String {
    chrono::DateTime::from_timestamp_millis(millis as i64).map_or_else(
        || "Invalid Date".to_owned(),
        |date| date.format("%a %b %d %Y %H:%M:%S GMT+0000 (Coordinated Universal Time)").to_string(),
    )
}

/// How the field stands to the value for `>=` and `<=`; `None` when JavaScript says neither.
pub(crate) fn relation(field: &Value, value: &Converted, faults: &Faults) -> Option<Ordering> {
    if let (Value::String(text), Converted::Date(millis)) = (field, value)
        && let Some(stored) = iso_date(text)
        && !faults.reads("dates-to-the-letter")
    {
        // By sense: two dates compare as instants.
        return stored.partial_cmp(millis);
    }
    let odd = match (field, value) {
        (Value::Null, _) => faults.reads("null-never-within-bounds"),
        (_, Converted::List(_)) => faults.reads("list-bounds-keep-nothing"),
        (Value::String(_) | Value::Array(_) | Value::Object(_), Converted::Text(_)) => {
            faults.reads("texts-never-within-bounds")
        }
        _ => false,
    };
    if odd {
        return None;
    }
    if faults.on("bounds-compare-as-text") {
        return Some(js::text_of(field).cmp(&text_of(value)));
    }
    let text_field = matches!(field, Value::String(_) | Value::Array(_) | Value::Object(_));
    if text_field && matches!(value, Converted::Text(_) | Converted::List(_)) {
        return Some(compare_units(&js::text_of(field), &text_of(value)));
    }
    number_of_field(field).partial_cmp(&number_of(value))
}

fn number_of_field(field: &Value) -> f64 {
    match field {
        Value::Null => 0.0,
        Value::Bool(b) => number_of_bool(*b),
        Value::Number(_) => js::number_of(field).unwrap_or(f64::NAN),
        _ => js::to_number(&js::text_of(field)),
    }
}

/// Texts by UTF-16 code units.
pub(crate) fn compare_units(a: &str, b: &str) -> Ordering {
    a.encode_utf16().cmp(b.encode_utf16())
}

/// JavaScript's `<` and `>` between two fields; neither smaller means equal.
pub(crate) fn compare_fields(a: &Value, b: &Value) -> Ordering {
    let text = |v: &Value| matches!(v, Value::String(_) | Value::Array(_) | Value::Object(_));
    if text(a) && text(b) {
        return compare_units(&js::text_of(a), &js::text_of(b));
    }
    number_of_field(a).partial_cmp(&number_of_field(b)).unwrap_or(Ordering::Equal)
}

#[cfg(test)]
mod tests {
    use super::super::value::convert;
    use super::*;
    use serde_json::json;

    #[test]
    fn equality_is_as_loose_as_javascript() {
        let faults = Faults::none();
        let equal = |field: Value, text: &str| loosely_equal(&field, &convert(text, &faults), &faults);
        assert!(equal(json!(5), "5") && equal(json!("5"), "5") && equal(json!("5.0"), "5"));
        assert!(equal(json!(true), "1") && equal(json!("1"), "true") && equal(json!(1), "TRUE"));
        assert!(!equal(json!("true"), "true"));
        assert!(!equal(json!(null), "null") && !equal(json!(null), "0") && !equal(json!(null), ""));
        assert!(equal(json!(["a"]), "a") && equal(json!([]), "false"));
        assert!(equal(json!(""), "") && equal(json!(0), "") && equal(json!(false), ""));
        assert!(equal(json!("2020-01-01T00:00:00Z"), "2020-01-01") && !equal(json!("2020-01-02"), "2020-01-01"));
    }

    #[test]
    fn bounds_compare_numbers_texts_and_dates() {
        let faults = Faults::none();
        let stands = |field: Value, text: &str| relation(&field, &convert(text, &faults), &faults);
        assert_eq!(stands(json!(5), "5"), Some(Ordering::Equal));
        assert_eq!(stands(json!("10"), "9"), Some(Ordering::Greater));
        assert_eq!(stands(json!("b"), "a"), Some(Ordering::Greater));
        assert_eq!(stands(json!("x"), "5"), None);
        assert_eq!(stands(json!(null), "0"), Some(Ordering::Equal));
        assert_eq!(stands(json!("2020-01-02"), "2020-01-01"), Some(Ordering::Greater));
        assert_eq!(stands(json!(0), "2020-01-01"), Some(Ordering::Less));
    }
}
