//! The four filters of the list operation: q, equality, min_/max_, is_. Each looks at one book at a time.

use std::borrow::Cow;
use std::cmp::Ordering;

use serde_json::Value;

use super::super::js;
use super::compare::{loosely_equal, relation};
use super::converted::Converted;
use super::query::Query;
use super::value::convert_all;
use crate::impostor::policy::list::{
    BareBounds, Bound, BoundsPolicy, EqualityPolicy, EqualityTest, IsPolicy, Lacking, ListField, ListPolicy,
    SearchPolicy,
};

/// The names that the equality step leaves alone.
const RESERVED: [&str; 8] = ["q", "page", "limit", "sort", "fields", "range", "min", "max"];

/// Keeps the books that pass every filter.
pub(crate) fn filter(books: &mut Vec<Cow<'_, Value>>, query: &Query, policy: &ListPolicy) {
    let searched = searched_texts(query.all("q"), &policy.search);
    let read = query.iter().filter(|(name, _)| !(policy.bounds.bare == BareBounds::Skipped && is_bare_bound(name)));
    let values: Vec<(&str, Converted)> =
        read.map(|(name, values)| (name, convert_all(values, &policy.convert))).collect();
    books.retain(|book| {
        is_found(book, &searched, &policy.search)
            && is_equal(book, &values, &policy.equality)
            && values.iter().all(|(name, value)| {
                is_within(book, name, value, &policy.bounds) && has_truth(book, name, value, &policy.is)
            })
    });
}

/// The texts of `q`; none where it filters nothing.
fn searched_texts(values: &[String], policy: &SearchPolicy) -> Vec<String> {
    let texts = policy.texts.map_or_else(|| values.to_vec(), |texts| texts(values));
    let filters_nothing = policy.filters_nothing.unwrap_or(str::is_empty);
    if texts.iter().any(|text| filters_nothing(text)) { Vec::new() } else { texts }
}

/// Whether the book contains one of the texts, or there is none.
fn is_found(book: &Value, texts: &[String], policy: &SearchPolicy) -> bool {
    if policy.all_texts_must_hold {
        return texts.iter().all(|text| contains(book, text, policy));
    }
    texts.is_empty() || texts.iter().any(|text| contains(book, text, policy))
}

/// Whether any direct text field of the book contains the text, whatever the letter case.
fn contains(book: &Value, text: &str, policy: &SearchPolicy) -> bool {
    let field_texts = policy.field_texts.unwrap_or(own_text);
    let fold = policy.fold.unwrap_or(str::to_lowercase);
    let contains = policy.contains.unwrap_or(|field, text| field.contains(text));
    let text = fold(text);
    book.as_object().is_some_and(|fields| {
        let mut texts = fields.iter().flat_map(|(name, field)| field_texts(name, field));
        texts.any(|field| contains(&fold(&field), &text))
    })
}

/// A field's text, where it is one.
pub(crate) fn own_text(_name: &str, field: &Value) -> Vec<String> {
    field.as_str().map(str::to_owned).into_iter().collect()
}

/// Whether the book passes all equality filters.
fn is_equal(book: &Value, values: &[(&str, Converted)], policy: &EqualityPolicy) -> bool {
    let is_filter = policy.is_filter.unwrap_or(is_equality_filter);
    let mut filters = values.iter().filter(|(name, _)| is_filter(name)).peekable();
    if policy.one_filter_suffices && filters.peek().is_some() {
        return filters.any(|(name, value)| has_equal_field(book, name, value, policy));
    }
    filters.all(|(name, value)| has_equal_field(book, name, value, policy))
}

/// Every parameter is an equality filter but the reserved ones; those with a prefix are too.
pub(crate) fn is_equality_filter(name: &str) -> bool {
    !RESERVED.contains(&name)
}

/// Whether a name is that of a bound or a truth filter.
pub(crate) fn is_prefixed(name: &str) -> bool {
    ["min_", "max_", "is_"].iter().any(|prefix| name.starts_with(prefix))
}

/// Whether a name is that of a bound with nothing after the prefix.
pub(crate) fn is_bare_bound(name: &str) -> bool {
    matches!(name, "min_" | "max_")
}

fn has_equal_field(book: &Value, name: &str, value: &Converted, policy: &EqualityPolicy) -> bool {
    if policy.empty_value_filters_nothing && value.is_empty_text() {
        return true;
    }
    let field = policy.field.map_or_else(|| book.get(name), |field| field(book, name));
    let Some(field) = field else {
        return match policy.lacking {
            Lacking::Dropped => false,
            Lacking::Kept => true,
            Lacking::KeptForEmptyValue => value.is_empty_text(),
        };
    };
    match policy.test {
        EqualityTest::Presence => true,
        EqualityTest::PresenceIfPrefixed if is_prefixed(name) => true,
        EqualityTest::Value | EqualityTest::PresenceIfPrefixed => equals(field, value, policy),
    }
}

/// Whether the field equals the value, or any item of it where it is a list.
pub(crate) fn equals(field: &Value, value: &Converted, policy: &EqualityPolicy) -> bool {
    match (field, value) {
        (_, Converted::List(items)) if policy.all_items_must_equal => {
            items.iter().all(|item| equals(field, item, policy))
        }
        // A list within the list is of a permitted reading, and equals nothing.
        (_, Converted::List(items)) => {
            items.iter().any(|item| !matches!(item, Converted::List(_)) && equals(field, item, policy))
        }
        (Value::Array(items), _) if policy.list_field == ListField::AnyItem => {
            items.iter().any(|item| !item.is_array() && equals(item, value, policy))
        }
        (Value::Array(_) | Value::Object(_), _) if policy.list_field == ListField::Never => false,
        _ => policy.equals.unwrap_or(loosely_equal)(field, value),
    }
}

/// Whether the book passes the bound, where the parameter is one.
fn is_within(book: &Value, name: &str, value: &Converted, policy: &BoundsPolicy) -> bool {
    if is_bare_bound(name) && policy.bare != BareBounds::NameTheEmptyField {
        return true;
    }
    if let Some(field) = name.strip_prefix("min_") {
        return book.get(field).map_or(policy.min_keeps_lacking, |field| {
            keeps(policy.min, Ordering::Greater, bounded(field, value, policy))
        });
    }
    if let Some(field) = name.strip_prefix("max_") {
        return book.get(field).map_or(policy.max_keeps_lacking, |field| {
            keeps(policy.max, Ordering::Less, bounded(field, value, policy))
        });
    }
    true
}

fn bounded(field: &Value, value: &Converted, policy: &BoundsPolicy) -> Option<Ordering> {
    if policy.never.iter().any(|never| never(field, value)) {
        return None;
    }
    policy.relation.unwrap_or(relation)(field, value)
}

/// Whether a field that stands so to a bound is on its inner side, or on it.
fn keeps(bound: Bound, inner: Ordering, relation: Option<Ordering>) -> bool {
    match bound {
        Bound::Inclusive => relation == Some(inner) || relation == Some(Ordering::Equal),
        Bound::Exclusive => relation == Some(inner),
        Bound::Ignored => relation.is_some(),
    }
}

/// Whether the book has the truth asked for, where the parameter asks for one.
fn has_truth(book: &Value, name: &str, value: &Converted, policy: &IsPolicy) -> bool {
    let Some(field) = name.strip_prefix("is_") else {
        return true;
    };
    let wanted = policy.wanted.unwrap_or(wanted_truth)(value);
    match book.get(field) {
        Some(field) => policy.has_truth.unwrap_or(|field, wanted| js::truthy(field) == wanted)(field, wanted),
        None => policy.lacking_is_false && !wanted,
    }
}

/// Whether JavaScript takes the value of `is_` for true.
pub(crate) fn wanted_truth(value: &Converted) -> bool {
    match value {
        Converted::Bool(b) => *b,
        Converted::Number(n) => *n != 0.0,
        Converted::Text(text) => !text.is_empty(),
        Converted::Date(_) | Converted::List(_) => true,
    }
}
