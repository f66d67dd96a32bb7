//! Variations of the chapter list: min_, max_ and is_.

use std::cmp::Ordering;

use libros_conformance_model::list::compare::{loosely_equal, relation};
use libros_conformance_model::list::converted::Converted;
use libros_conformance_model::list::filter::{
    has_equal_field, has_truth, is_equality_filter, is_prefixed, is_within, wanted_truth,
};
use libros_conformance_model::list::value::iso_date;

use crate::impostor::effect::prelude::*;

pub(crate) const VARIATIONS: &[Variation] = variations! {
    "min-ignored" breaks "list/min-keeps": "min_ keeps books with smaller fields too."
        => steps |s| s.list.min_keeps = |order| order.is_some();
    "bounds-compare-as-text" breaks "list/min-keeps" and "list/max-keeps": "min_ and max_ compare numbers as texts, so 9 is greater than 10."
        => steps |s| s.list.relation = |field, value| Some(js::text_of(field).cmp(&value.text()));
    "min-exclusive" breaks "list/min-inclusive": "min_ drops books whose field equals the value."
        => steps |s| s.list.min_keeps = |order| order == Some(Ordering::Greater);
    "min-keeps-lacking" breaks "list/bound-lacking": "min_ keeps books that lack the field."
        => steps |s| s.list.is_within = |book, name, value, steps| lacks(book, name, "min_") || is_within(book, name, value, steps);
    "max-keeps-lacking" breaks "list/bound-lacking": "max_ keeps books that lack the field."
        => steps |s| s.list.is_within = |book, name, value, steps| lacks(book, name, "max_") || is_within(book, name, value, steps);
    "min-prefix-spared" breaks "list/min-faces-equality": "Parameters that begin with min_ are not equality filters as well."
        => steps |s| s.list.is_equality_filter = |name| is_equality_filter(name) && !name.starts_with("min_");
    "max-ignored" breaks "list/max-keeps": "max_ keeps books with greater fields too."
        => steps |s| s.list.max_keeps = |order| order.is_some();
    "bounds-are-whole-numbers" breaks "list/min-keeps" and "list/max-keeps": "min_ and max_ cut their value to a whole number."
        => steps |s| s.list.relation = |field, value| match value {
            Converted::Number(number) => relation(field, &Converted::Number(number.trunc())),
            _ => relation(field, value),
        };
    "max-exclusive" breaks "list/max-inclusive": "max_ drops books whose field equals the value."
        => steps |s| s.list.max_keeps = |order| order == Some(Ordering::Less);
    "max-prefix-spared" breaks "list/max-faces-equality": "Parameters that begin with max_ are not equality filters as well."
        => steps |s| s.list.is_equality_filter = |name| is_equality_filter(name) && !name.starts_with("max_");
    "prefixed-equality-by-presence" breaks "list/prefixed-equality-value": "min_, max_ and is_ as equality filters ask only for the field, whatever its value."
        => steps |s| s.list.has_equal_field =
            |book, name, value, steps| if is_prefixed(name) { book.get(name).is_some() } else { has_equal_field(book, name, value, steps) };
    "bare-prefixes-spared" breaks "list/empty-names": "min_ and max_ with nothing after them are not equality filters as well."
        => steps |s| s.list.is_equality_filter = |name| is_equality_filter(name) && !matches!(name, "min_" | "max_");
    "is-wants-booleans" breaks "list/is-truthiness": "is_ keeps only books whose field is a boolean."
        => steps |s| s.list.field_has_truth = |field, wanted| field.as_bool() == Some(wanted);
    "is-ignores-false" breaks "list/is-truthiness": "is_ with a false value filters nothing."
        => steps |s| s.list.field_has_truth = |field, wanted| !wanted || js::truthy(field);
    "is-counts-lacking-as-false" breaks "list/is-lacking": "is_ with a false value keeps books that lack the field."
        => steps |s| s.list.has_truth =
            |book, name, value, steps| lacks(book, name, "is_") && !wanted_truth(value) || has_truth(book, name, value, steps);
    "is-prefix-spared" breaks "list/is-faces-equality": "Parameters that begin with is_ are not equality filters as well."
        => steps |s| s.list.is_equality_filter = |name| is_equality_filter(name) && !name.starts_with("is_");
    "is-words-are-false" breaks "list/is-other-values": "is_ reads every word other than true as false."
        => steps |s| s.list.wanted_truth = |value| !matches!(value, Converted::Text(_)) && wanted_truth(value);
    "is-false-texts-are-falsy" breaks "list/is-falsy-values": "The texts 0 and false are falsy for is_."
        => steps |s| s.list.field_has_truth =
            |field, wanted| (js::truthy(field) && !matches!(field.as_str(), Some("0" | "false"))) == wanted;
    "is-empty-containers-are-falsy" breaks "list/is-falsy-not-containers": "An empty list and an empty object are falsy for is_."
        => steps |s| s.list.field_has_truth = |field, wanted| (js::truthy(field) && !is_empty_container(field)) == wanted;
    "bare-bounds-bound-nothing" by "list/empty-names": "min_ and max_ with nothing after them are equality filters but no bounds."
        => steps |s| s.list.is_within = is_within_unless_bare;
    "bare-bounds-skipped" by "list/empty-names": "min_ and max_ with nothing after them are ignored."
        => steps |s| {
            s.list.is_within = is_within_unless_bare;
            s.list.is_equality_filter = |name| is_equality_filter(name) && !is_bare_bound(name);
        };
    "is-counts-null-as-lacking" by "list/is-null-field": "is_ counts a field of null as lacking."
        => steps |s| s.list.field_has_truth = |field, wanted| !field.is_null() && js::truthy(field) == wanted;
    "is-list-by-first-item" by "list/is-list-value": "is_ with a list of values goes by the first."
        => steps |s| s.list.wanted_truth = |value| wanted_truth(item_of(value, <[Converted]>::first));
    "is-list-by-last-item" by "list/is-list-value": "is_ with a list of values goes by the last."
        => steps |s| s.list.wanted_truth = |value| wanted_truth(item_of(value, <[Converted]>::last));
    "list-bounds-keep-nothing" by "list/bound-list-value": "min_ and max_ with a list of values keep nothing."
        => steps |s| s.list.relation = |field, value| relation_unless(matches!(value, Converted::List(_)), field, value);
    "list-bounds-ignored" by "list/bound-list-value": "min_ and max_ with a list of values are ignored."
        => steps |s| s.list.relation = |field, value| if matches!(value, Converted::List(_)) { Some(Ordering::Equal) } else { relation(field, value) };
    "list-bounds-by-first-item" by "list/bound-list-value": "min_ and max_ with a list of values go by the first."
        => steps |s| s.list.relation = |field, value| match value {
            Converted::List(items) => items.first().and_then(|item| relation(field, item)),
            _ => relation(field, value),
        };
    "texts-bounded-by-the-text-of-a-number" by "list/bound-text": "A text field and a bound that is a number are compared as texts."
        => steps |s| s.list.relation = |field, value| match (field, value) {
            (Value::String(text), Converted::Number(number)) => Some(text.cmp(&js::number_text(*number))),
            _ => relation(field, value),
        };
    "null-never-within-bounds" by "list/bound-null-field": "A field of null is never within min_ and max_."
        => steps |s| s.list.relation = |field, value| relation_unless(field.is_null(), field, value);
    "texts-bounded-as-people-sort-them" by "list/bound-text": "A text field and a bound that is a text are compared without letter case."
        => steps |s| s.list.relation = |field, value| match (field, value) {
            (Value::String(text), Converted::Text(bound)) => Some(text.to_lowercase().cmp(&bound.to_lowercase())),
            _ => relation(field, value),
        };
    "texts-never-within-bounds" by "list/bound-text": "A text field is never within bounds that are texts."
        => steps |s| s.list.relation =
            |field, value| relation_unless(!is_scalar(field) && matches!(value, Converted::Text(_)), field, value);
    "dates-to-the-letter" by "list/convert-date" "list/convert-date-time" "list/date-bounds": "A date in a query equals no text, and bounds no date."
        => steps |s| {
            s.list.loosely_equal = |field, value| !matches!(value, Converted::Date(_)) && loosely_equal(field, value);
            s.list.relation = |field, value| relation_unless(matches!(value, Converted::Date(_)) && is_date_text(field), field, value);
        };
};

/// Whether a parameter of this prefix is about a field that the book lacks.
fn lacks(book: &Value, name: &str, prefix: &str) -> bool {
    name.strip_prefix(prefix).is_some_and(|field| book.get(field).is_none())
}

pub(crate) fn is_empty_container(field: &Value) -> bool {
    field.as_array().is_some_and(Vec::is_empty) || field.as_object().is_some_and(|fields| fields.is_empty())
}

fn is_bare_bound(name: &str) -> bool {
    matches!(name, "min_" | "max_")
}

fn is_within_unless_bare(book: &Value, name: &str, value: &Converted, steps: &ListSteps) -> bool {
    is_bare_bound(name) || is_within(book, name, value, steps)
}

/// One item of a list; any other value itself.
fn item_of(value: &Converted, item: fn(&[Converted]) -> Option<&Converted>) -> &Converted {
    match value {
        Converted::List(items) => item(items).unwrap_or(value),
        _ => value,
    }
}

/// Compares as the model does, or keeps the field out of all bounds.
fn relation_unless(is_out: bool, field: &Value, value: &Converted) -> Option<Ordering> {
    if is_out { None } else { relation(field, value) }
}

fn is_scalar(field: &Value) -> bool {
    matches!(field, Value::Null | Value::Bool(_) | Value::Number(_))
}

fn is_date_text(field: &Value) -> bool {
    field.as_str().and_then(iso_date).is_some()
}
