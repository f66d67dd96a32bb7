//! The four filters of the list operation: q, equality, min_/max_, is_. Each looks at one book at a time.

use std::borrow::Cow;

use serde_json::Value;

use super::converted::Converted;
use super::query::Query;
use super::steps::ListSteps;

/// The names that are no equality filters.
const RESERVED: [&str; 8] = ["q", "page", "limit", "sort", "fields", "range", "min", "max"];

pub fn filter(books: &mut Vec<Cow<'_, Value>>, query: &Query, steps: &ListSteps) {
    let mut searched = (steps.q_texts)(query.all("q"));
    if searched.iter().any(|text| (steps.q_filters_nothing)(text)) {
        searched.clear();
    }
    let values: Vec<(&str, Converted)> =
        query.iter().map(|(name, values)| (name, (steps.convert_all)(values, steps))).collect();
    books.retain(|book| {
        (steps.is_found)(book, &searched, steps)
            && (steps.is_equal)(book, &values, steps)
            && values.iter().all(|(name, value)| (steps.is_within)(book, name, value, steps))
            && values.iter().all(|(name, value)| (steps.has_truth)(book, name, value, steps))
    });
}

/// Whether the book contains one of the texts; `true` without texts.
pub fn is_found(book: &Value, texts: &[String], steps: &ListSteps) -> bool {
    texts.is_empty() || texts.iter().any(|text| contains(book, text, steps))
}

/// Whether any direct text field of the book contains the text, whatever the letter case.
pub fn contains(book: &Value, text: &str, steps: &ListSteps) -> bool {
    let text = (steps.fold)(text);
    book.as_object().is_some_and(|fields| {
        let mut texts = fields.iter().flat_map(|(name, field)| (steps.field_texts)(name, field));
        texts.any(|field| (steps.contains)(&(steps.fold)(&field), &text))
    })
}

pub fn own_text(_name: &str, field: &Value) -> Vec<String> {
    field.as_str().map(str::to_owned).into_iter().collect()
}

pub fn is_equal(book: &Value, values: &[(&str, Converted)], steps: &ListSteps) -> bool {
    let mut filters = values.iter().filter(|(name, _)| (steps.is_equality_filter)(name));
    filters.all(|(name, value)| (steps.has_equal_field)(book, name, value, steps))
}

/// Whether the parameter is an equality filter: all are, prefixed ones included, except the reserved ones.
pub fn is_equality_filter(name: &str) -> bool {
    !RESERVED.contains(&name)
}

/// Whether the name has the prefix of a bound or a truth filter.
pub fn is_prefixed(name: &str) -> bool {
    ["min_", "max_", "is_"].iter().any(|prefix| name.starts_with(prefix))
}

pub fn has_equal_field(book: &Value, name: &str, value: &Converted, steps: &ListSteps) -> bool {
    book.get(name).is_some_and(|field| (steps.equals)(field, value, steps))
}

/// Whether the field equals the value, or any item of a list. A list within a list equals nothing: only a variation makes one.
pub fn equals(field: &Value, value: &Converted, steps: &ListSteps) -> bool {
    let Converted::List(items) = value else { return (steps.loosely_equal)(field, value) };
    items.iter().any(|item| !matches!(item, Converted::List(_)) && (steps.equals)(field, item, steps))
}

/// Whether the book is within the bound; true if the parameter is not a bound.
pub fn is_within(book: &Value, name: &str, value: &Converted, steps: &ListSteps) -> bool {
    let keeps = if name.starts_with("min_") { steps.min_keeps } else { steps.max_keeps };
    let bounded = name.strip_prefix("min_").or_else(|| name.strip_prefix("max_"));
    bounded.is_none_or(|field| book.get(field).is_some_and(|field| keeps((steps.relation)(field, value))))
}

/// Whether the book passes the `is_` filter; true if the parameter is not one.
pub fn has_truth(book: &Value, name: &str, value: &Converted, steps: &ListSteps) -> bool {
    let has = |field: &Value| (steps.field_has_truth)(field, (steps.wanted_truth)(value));
    name.strip_prefix("is_").is_none_or(|field| book.get(field).is_some_and(has))
}

/// Whether the value of `is_` is truthy.
pub fn wanted_truth(value: &Converted) -> bool {
    match value {
        Converted::Bool(b) => *b,
        Converted::Number(n) => *n != 0.0,
        Converted::Text(text) => !text.is_empty(),
        Converted::Date(_) | Converted::List(_) => true,
    }
}
