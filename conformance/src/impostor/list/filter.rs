//! The four filters of the list operation: q, equality, min_/max_, is_. Each looks at one book at a time.

use std::cmp::Ordering;

use serde_json::Value;

use super::super::faults::Faults;
use super::super::js;
use super::compare::{loosely_equal, relation};
use super::query::Query;
use super::value::{Converted, convert_all};

/// The names the equality step leaves alone, each with the fault that forgets it.
const NOT_EQUALITY: [(&str, &str); 8] = [
    ("q", "q-filters-too"),
    ("page", "page-filters-too"),
    ("limit", "limit-filters-too"),
    ("sort", "sort-filters-too"),
    ("fields", "fields-filters-too"),
    ("range", "range-filters-too"),
    ("min", "min-filters-too"),
    ("max", "max-filters-too"),
];

/// Keeps the books that pass every filter.
pub(super) fn filter(books: &mut Vec<Value>, query: &Query, faults: &Faults) {
    let texts = search_texts(query, faults);
    if !texts.is_empty() {
        books.retain(|book| texts.iter().any(|text| contains(book, text, faults)));
    }
    for (name, values) in query.iter() {
        let value = convert_all(values, faults);
        if is_equality(name, faults) {
            books.retain(|book| equals(book, name, &value, faults));
        }
        if let Some(field) = name.strip_prefix("min_") {
            books.retain(|book| at_least(book, field, &value, faults));
        }
        if let Some(field) = name.strip_prefix("max_") {
            books.retain(|book| at_most(book, field, &value, faults));
        }
        if let Some(field) = name.strip_prefix("is_") {
            books.retain(|book| is(book, field, &value, faults));
        }
    }
}

fn search_texts(query: &Query, faults: &Faults) -> Vec<String> {
    let texts: Vec<String> = query
        .all("q")
        .iter()
        .filter(|text| !text.is_empty())
        .cloned()
        .collect();
    if faults.on("q-number-ignored") && texts.iter().any(|text| !js::to_number(text).is_nan()) {
        return Vec::new();
    }
    if faults.on("q-ignored") {
        return Vec::new();
    }
    if faults.on("q-splits-words") {
        return texts
            .iter()
            .flat_map(|text| text.split_whitespace())
            .map(str::to_owned)
            .collect();
    }
    texts
}

/// Whether any direct text field of the book contains the text, whatever the letter case.
fn contains(book: &Value, text: &str, faults: &Faults) -> bool {
    let fold = |s: &str| {
        if faults.on("q-case-matters") {
            s.to_owned()
        } else if faults.on("q-folds-ascii-only") {
            s.to_ascii_lowercase()
        } else {
            s.to_lowercase()
        }
    };
    let text = fold(text);
    let found = |s: &str| {
        let s = fold(s);
        if faults.on("q-whole-field") {
            s == text
        } else if faults.on("q-prefix-only") {
            s.starts_with(&text)
        } else {
            s.contains(&text)
        }
    };
    book.as_object().is_some_and(|fields| {
        fields.iter().any(|(name, field)| match field {
            Value::String(_)
                if faults.on("q-titulo-and-autor-only") && name != "titulo" && name != "autor" =>
            {
                false
            }
            Value::String(_) if faults.on("q-titulo-only") && name != "titulo" => false,
            Value::String(s) => found(s),
            Value::Number(_) if faults.on("q-reads-numbers") => found(&js::text_of(field)),
            Value::Array(_) if faults.on("q-reads-lists") => found(&js::text_of(field)),
            Value::Object(inner) if faults.on("q-reads-objects") => inner
                .values()
                .any(|value| value.as_str().is_some_and(&found)),
            _ => false,
        })
    })
}

fn is_equality(name: &str, faults: &Faults) -> bool {
    if let Some((_, forgotten)) = NOT_EQUALITY.iter().find(|(known, _)| *known == name) {
        return faults.on(forgotten);
    }
    let spared = (name.starts_with("min_") && faults.on("min-prefix-spared"))
        || (name.starts_with("max_") && faults.on("max-prefix-spared"))
        || (name.starts_with("is_") && faults.on("is-prefix-spared"));
    !spared
}

fn equals(book: &Value, name: &str, value: &Converted, faults: &Faults) -> bool {
    if faults.reads("empty-value-ignored") && *value == Converted::Text(String::new()) {
        return true;
    }
    match book.get(name) {
        None => faults.on("equality-keeps-lacking"),
        Some(_) if faults.on("equality-ignored") => true,
        Some(field) => loosely_equal(field, value, faults),
    }
}

fn at_least(book: &Value, field: &str, value: &Converted, faults: &Faults) -> bool {
    let Some(field) = book.get(field) else {
        return faults.on("min-keeps-lacking");
    };
    match relation(field, value, faults) {
        Some(Ordering::Equal) => !faults.on("min-exclusive"),
        Some(Ordering::Less) => faults.on("min-ignored"),
        Some(Ordering::Greater) => true,
        None => false,
    }
}

fn at_most(book: &Value, field: &str, value: &Converted, faults: &Faults) -> bool {
    let Some(field) = book.get(field) else {
        return faults.on("max-keeps-lacking");
    };
    match relation(field, value, faults) {
        Some(Ordering::Equal) => !faults.on("max-exclusive"),
        Some(Ordering::Greater) => faults.on("max-ignored"),
        Some(Ordering::Less) => true,
        None => false,
    }
}

fn is(book: &Value, field: &str, value: &Converted, faults: &Faults) -> bool {
    let wanted = match value {
        Converted::Bool(b) => *b,
        Converted::Number(n) => *n != 0.0,
        Converted::Text(text) => !text.is_empty(),
        Converted::Date(_) | Converted::List(_) => true,
    };
    match book.get(field) {
        None => faults.on("is-counts-lacking-as-false") && !wanted,
        Some(_) if faults.on("is-ignores-false") && !wanted => true,
        Some(field) if faults.on("is-wants-booleans") => field.as_bool() == Some(wanted),
        Some(field) => js::truthy(field) == wanted,
    }
}
