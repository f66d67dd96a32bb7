//! Variations of the chapter list: equality, strict and loose.

use libros_conformance_model::list::compare::loosely_equal;
use libros_conformance_model::list::filter::{equals, has_equal_field, is_equal, is_equality_filter};

use super::bounds::is_empty_container;
use crate::impostor::effect::prelude::*;

/// Equality of the model, but for fields and values of one pattern.
macro_rules! but {
    ($pattern:pat $(if $guard:expr)? => $equal:expr) => {
        |field, value| match (field, value) {
            $pattern $(if $guard)? => $equal,
            _ => loosely_equal(field, value),
        }
    };
}

pub(crate) const VARIATIONS: &[Variation] = variations! {
    "equality-ignored" breaks "list/equal-keeps": "An equality filter asks only for the field, not for its value."
        => steps |s| s.list.has_equal_field = |book, name, _, _| book.get(name).is_some();
    "equality-on-known-fields-only" breaks "list/equal-keeps": "Equality filters act only on the documented fields of books."
        => steps |s| s.list.is_equality_filter = |name| BOOK_FIELDS.contains(&name);
    "equality-keeps-lacking" breaks "list/equal-lacking": "An equality filter keeps books that lack the field."
        => steps |s| s.list.has_equal_field = |book, name, value, steps| book.get(name).is_none() || has_equal_field(book, name, value, steps);
    "empty-value-keeps-lacking" breaks "list/equal-lacking": "An equality filter with an empty value keeps books that lack the field."
        => steps |s| s.list.has_equal_field =
            |book, name, value, steps| book.get(name).is_none() && value.is_empty_text() || has_equal_field(book, name, value, steps);
    "equality-reaches-into-objects" breaks "list/equal-own-field": "A dot in the name of an equality filter reaches into objects."
        => steps |s| s.list.has_equal_field = |book, name, value, steps| match name.split_once('.') {
            Some((outer, inner)) => book.get(outer).is_some_and(|outer| has_equal_field(outer, inner, value, steps)),
            None => has_equal_field(book, name, value, steps),
        };
    "filters-any-holds" breaks "list/equal-all-hold": "One of several equality filters is enough to keep a book."
        => steps |s| s.list.is_equal = |book, values, steps| {
            let mut filters = values.iter().filter(|(name, _)| is_equality_filter(name)).peekable();
            filters.peek().is_none() || filters.any(|(name, value)| has_equal_field(book, name, value, steps))
        };
    "equality-ignores-case" breaks "list/equal-text-exact": "An equality filter ignores letter case."
        => steps |s| s.list.loosely_equal =
            but!((Value::String(field), Converted::Text(text)) => field.to_lowercase() == text.to_lowercase());
    "equality-is-contains" breaks "list/equal-text-exact": "An equality filter keeps text fields that contain the value."
        => steps |s| s.list.loosely_equal = but!((Value::String(field), Converted::Text(text)) => field.contains(text));
    "seven-filters-at-most" breaks "list/equal-all-hold": "Only the first seven equality filters count."
        => steps |s| s.list.is_equal = |book, values, steps| is_equal(book, &values[..values.len().min(7)], steps);
    "equality-spares-order" breaks "list/equal-keeps": "The parameter order is not an equality filter."
        => steps |s| s.list.is_equality_filter = |name| is_equality_filter(name) && name != "order";
    "equality-trims" breaks "list/equal-text-exact": "An equality filter ignores spaces around a text."
        => steps |s| s.list.loosely_equal =
            but!((Value::String(field), Converted::Text(text)) => field.trim() == text.trim());
    "inherited-names-no-parameters" breaks "list/equal-own-field": "Parameters named like inherited members of JavaScript objects are ignored."
        => steps |s| s.list.is_equality_filter = |name| is_equality_filter(name) && !INHERITED.contains(&name);
    "equality-strict" breaks "list/loose-number-text": "An equality filter never equates values of different types."
        => steps |s| s.list.loosely_equal = |field, value| is_same_type(field, value) && loosely_equal(field, value);
    "numbers-equal-their-own-text-only" breaks "list/loose-number-text-forms": "The number 5 equals the text 5, but not 5.0."
        => steps |s| s.list.loosely_equal =
            but!((Value::String(text), Converted::Number(number)) => *text == js::number_text(*number));
    "numbers-equal-texts-that-start-so" breaks "list/loose-number-other-text": "The number 5 equals the text 5a."
        => steps |s| s.list.loosely_equal =
            but!((Value::String(text), Converted::Number(number)) if js::parse_int(text) == Some(*number) => true);
    "true-equals-every-truthy-number" breaks "list/loose-boolean-number": "true equals the number 7."
        => steps |s| s.list.loosely_equal =
            but!((field @ Value::Number(_), Converted::Bool(truth)) => js::truthy(field) == *truth);
    "booleans-equal-booleans-only" breaks "list/loose-boolean-number": "true does not equal the number 1."
        => steps |s| s.list.loosely_equal = but!((Value::Number(_), Converted::Bool(_)) => false);
    "booleans-equal-no-text" breaks "list/loose-boolean-number-text": "true does not equal the text 1."
        => steps |s| s.list.loosely_equal = but!((Value::String(_), Converted::Bool(_)) => false);
    "empty-text-equals-no-number" breaks "list/loose-false-empty-text": "Neither 0 nor false equals the empty text."
        => steps |s| s.list.loosely_equal =
            but!((Value::String(text), Converted::Number(_) | Converted::Bool(_)) if text.is_empty() => false);
    "booleans-equal-their-text" breaks "list/loose-true-text": "true equals the text true."
        => steps |s| s.list.loosely_equal =
            but!((Value::String(text), Converted::Bool(truth)) if *text == truth.to_string() => true);
    "boolean-field-by-truthiness" breaks "list/loose-number-boolean-field": "A boolean field of true equals any number other than 0."
        => steps |s| s.list.loosely_equal =
            but!((Value::Bool(truth), Converted::Number(number)) => *truth == (*number != 0.0));
    "null-equals-falsy" breaks "list/loose-null": "A field of null equals 0, false and the empty text."
        => steps |s| s.list.loosely_equal = but!((Value::Null, value) => value.number() == 0.0);
    "null-equals-its-text" breaks "list/loose-null": "A field of null equals the text null."
        => steps |s| s.list.loosely_equal = but!((Value::Null, Converted::Text(text)) => text == "null");
    // PHP manual, "Comparison operators", and "Booleans", converting to boolean.
    "equality-and-truth-of-php" breaks "list/loose-boolean-number" and "list/loose-boolean-number-text" and "list/loose-false-empty-text"
        and "list/loose-true-text" and "list/loose-number-boolean-field" and "list/loose-null" and "list/is-falsy-values"
        and "list/is-falsy-not-containers": "Equality and truthiness are PHP's: a boolean turns the other side into one, null equals 0, and the text 0 is false."
        => steps |s| {
            s.list.loosely_equal = equal_in_php;
            s.list.field_has_truth = |field, wanted| is_true_in_php(field) == wanted;
        };
    "brackets-refused" by "list/bracketed-names": "A parameter name with brackets is refused."
        => reply |request, reply| if of_books(request) && shows_list(reply) && has_bracket_in_a_name(&request.query) { refuse(reply, 400, "brackets in a name") };
    "empty-value-ignored" by "list/empty-value": "An equality filter with an empty value is ignored."
        => steps |s| s.list.has_equal_field =
            |book, name, value, steps| value.is_empty_text() || has_equal_field(book, name, value, steps);
    "equality-scalars-only" by "list/loose-list-field": "A field that is a list or an object equals nothing."
        => steps |s| s.list.equals = |field, value, steps| match (field, value) {
            (_, Converted::List(_)) => equals(field, value, steps),
            (Value::Array(_) | Value::Object(_), _) => false,
            _ => equals(field, value, steps),
        };
    "list-field-any-item" by "list/loose-list-field": "A list field equals a value if one of its items does."
        => steps |s| s.list.equals = |field, value, steps| match (field, value) {
            (_, Converted::List(_)) => equals(field, value, steps),
            (Value::Array(items), _) => items.iter().any(|item| !item.is_array() && equals(item, value, steps)),
            _ => equals(field, value, steps),
        };
    "brackets-nest" by "list/bracketed-names": "A parameter name with brackets counts as the name before the brackets."
        => steps |s| s.list.name = |name| name_before_brackets(name).to_owned();
    "empty-value-is-its-text" by "list/empty-value": "An equality filter with an empty value keeps only the empty text."
        => steps |s| s.list.loosely_equal = |field, value| if value.is_empty_text() { field == "" } else { loosely_equal(field, value) };
    "empty-value-equals-false-too" by "list/empty-value": "An equality filter with an empty value keeps only the empty text and false, as in PHP."
        => steps |s| s.list.loosely_equal = |field, value| if value.is_empty_text() { field == "" || *field == false } else { loosely_equal(field, value) };
    "empty-value-equals-nothing" by "list/empty-value": "An equality filter with an empty value keeps nothing."
        => steps |s| s.list.loosely_equal = |field, value| !value.is_empty_text() && loosely_equal(field, value);
};

/// The fields of the documents' table of books.
const BOOK_FIELDS: [&str; 8] =
    ["id", "titulo", "autor", "fechaPublicacion", "fechaCreacion", "fechaActualizacion", "creadoPor", "actualizadoPor"];

/// Names that every object of JavaScript has.
const INHERITED: [&str; 4] = ["constructor", "hasOwnProperty", "toString", "valueOf"];

fn is_same_type(field: &Value, value: &Converted) -> bool {
    matches!(
        (field, value),
        (Value::Bool(_), Converted::Bool(_))
            | (Value::Number(_), Converted::Number(_))
            | (Value::String(_), Converted::Text(_) | Converted::Date(_))
    )
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

fn has_bracket_in_a_name(query: &str) -> bool {
    let mut names = query.split('&').filter_map(|pair| pair.split('=').next());
    names.any(|name| percent_decode(name).0.contains('['))
}

/// The name before a pair of brackets at the end.
fn name_before_brackets(name: &str) -> &str {
    name.strip_suffix(']').and_then(|name| name.split_once('[')).map_or(name, |(outer, _)| outer)
}
