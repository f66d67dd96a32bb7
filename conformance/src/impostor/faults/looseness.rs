//! Faults that break rules of the chapter list: loose equality and truthiness, which are JavaScript's, as other languages have them.

use libros_conformance_model::js;
use libros_conformance_model::list::compare::loosely_equal;
use libros_conformance_model::list::converted::Converted;
use serde_json::Value;

use crate::impostor::effect::prelude::*;

pub(crate) const FAULTS: &[Variation] = variations! {
    "equality-strict" breaks "list/loose-number-text": "Values of different types are never equal."
        => steps |s| s.list.loosely_equal = |field, value| is_same_type(field, value) && loosely_equal(field, value);
    "numbers-equal-their-own-text-only" breaks "list/loose-number-text-forms": "5 equals the text 5, but not 5.0."
        => steps |s| s.list.loosely_equal = |field, value| match (field, value) {
            (Value::String(text), Converted::Number(number)) => *text == js::number_text(*number),
            _ => loosely_equal(field, value),
        };
    "numbers-equal-texts-that-start-so" breaks "list/loose-number-other-text": "5 equals the text 5a."
        => steps |s| s.list.loosely_equal = |field, value| match (field, value) {
            (Value::String(text), Converted::Number(number)) if js::parse_int(text) == Some(*number) => true,
            _ => loosely_equal(field, value),
        };
    "true-equals-every-truthy-number" breaks "list/loose-boolean-number": "true equals the number 7."
        => steps |s| s.list.loosely_equal = |field, value| match (field, value) {
            (Value::Number(_), Converted::Bool(truth)) => js::truthy(field) == *truth,
            _ => loosely_equal(field, value),
        };
    "booleans-equal-booleans-only" breaks "list/loose-boolean-number": "true does not equal the number 1."
        => steps |s| s.list.loosely_equal = |field, value| match (field, value) {
            (Value::Number(_), Converted::Bool(_)) => false,
            _ => loosely_equal(field, value),
        };
    "booleans-equal-no-text" breaks "list/loose-boolean-number-text": "true does not equal the text 1."
        => steps |s| s.list.loosely_equal = |field, value| match (field, value) {
            (Value::String(_), Converted::Bool(_)) => false,
            _ => loosely_equal(field, value),
        };
    "empty-text-equals-no-number" breaks "list/loose-false-empty-text": "Neither 0 nor false equals the empty text."
        => steps |s| s.list.loosely_equal = |field, value| match (field, value) {
            (Value::String(text), Converted::Number(_) | Converted::Bool(_)) if text.is_empty() => false,
            _ => loosely_equal(field, value),
        };
    "booleans-equal-their-text" breaks "list/loose-true-text": "true equals the text true."
        => steps |s| s.list.loosely_equal = |field, value| match (field, value) {
            (Value::String(text), Converted::Bool(truth)) if *text == truth.to_string() => true,
            _ => loosely_equal(field, value),
        };
    "boolean-field-by-truthiness" breaks "list/loose-number-boolean-field": "Against a boolean field any number but 0 is true."
        => steps |s| s.list.loosely_equal = |field, value| match (field, value) {
            (Value::Bool(truth), Converted::Number(number)) => *truth == (*number != 0.0),
            _ => loosely_equal(field, value),
        };
    "null-equals-falsy" breaks "list/loose-null": "A field that is null equals 0, false and the empty text."
        => steps |s| s.list.loosely_equal = |field, value| match field {
            Value::Null => value.number() == 0.0,
            _ => loosely_equal(field, value),
        };
    "null-equals-its-text" breaks "list/loose-null": "A field that is null equals the text null."
        => steps |s| s.list.loosely_equal = |field, value| match (field, value) {
            (Value::Null, Converted::Text(text)) => text == "null",
            _ => loosely_equal(field, value),
        };
    "is-false-texts-are-falsy" breaks "list/is-falsy-values": "The texts 0 and false are falsy for is_."
        => steps |s| s.list.field_has_truth =
            |field, wanted| (js::truthy(field) && !matches!(field.as_str(), Some("0" | "false"))) == wanted;
    "is-empty-containers-are-falsy" breaks "list/is-falsy-not-containers": "An empty list and an empty object are falsy for is_."
        => steps |s| s.list.field_has_truth = |field, wanted| (js::truthy(field) && !is_empty_container(field)) == wanted;
    // PHP manual, "Comparison operators", and "Booleans", converting to boolean.
    "equality-and-truth-of-php" breaks "list/loose-boolean-number" and "list/loose-boolean-number-text" and "list/loose-false-empty-text"
        and "list/loose-true-text" and "list/loose-number-boolean-field" and "list/loose-null" and "list/is-falsy-values"
        and "list/is-falsy-not-containers": "Equality and truthiness are PHP's: a boolean turns the other side into one, null equals 0, and the text 0 is false."
        => steps |s| {
            s.list.loosely_equal = equal_in_php;
            s.list.field_has_truth = |field, wanted| is_true_in_php(field) == wanted;
        };
};

fn is_same_type(field: &Value, value: &Converted) -> bool {
    matches!(
        (field, value),
        (Value::Bool(_), Converted::Bool(_))
            | (Value::Number(_), Converted::Number(_))
            | (Value::String(_), Converted::Text(_) | Converted::Date(_))
    )
}

fn is_empty_container(field: &Value) -> bool {
    field.as_array().is_some_and(Vec::is_empty) || field.as_object().is_some_and(|fields| fields.is_empty())
}

fn is_true_in_php(field: &Value) -> bool {
    js::truthy(field) && field.as_str() != Some("0") && !is_empty_container(field)
}

fn equal_in_php(field: &Value, value: &Converted) -> bool {
    let truth = match value {
        Converted::Bool(truth) => *truth,
        Converted::Number(number) => *number != 0.0,
        Converted::Text(text) => !text.is_empty(),
        Converted::Date(_) | Converted::List(_) => true,
    };
    match (field, value) {
        (Value::Bool(_), _) | (_, Converted::Bool(_)) => is_true_in_php(field) == truth,
        (Value::Null, _) => !truth,
        // A text that spells no number is compared with the text of the number.
        (Value::String(text), Converted::Number(number)) => {
            !text.trim().is_empty() && js::to_number(text) == *number || *text == js::number_text(*number)
        }
        // Since PHP 8 a number is no empty text either.
        (Value::Number(_), Converted::Text(text)) if text.trim().is_empty() => false,
        (Value::Array(_) | Value::Object(_), _) => false,
        _ => loosely_equal(field, value),
    }
}
