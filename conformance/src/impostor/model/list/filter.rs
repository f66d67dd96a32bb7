//! The four filters of the list operation: q, equality, min_/max_, is_. Each looks at one book at a time.

use std::borrow::Cow;
use std::cmp::Ordering;

use serde_json::Value;

use super::super::js;
use super::compare::{loosely_equal, relation};
use super::query::Query;
use super::value::{Converted, convert_all};
use crate::impostor::faults::Faults;
use crate::impostor::policy::Bound;

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
pub(crate) fn filter(books: &mut Vec<Cow<'_, Value>>, query: &Query, faults: &Faults) {
    let texts = search_texts(query, faults);
    if !texts.is_empty() && faults.reads("q-all-must-hold") && !faults.reads("q-split-at-commas") {
        books.retain(|book| texts.iter().all(|text| contains(book, text, faults)));
    } else if !texts.is_empty() {
        books.retain(|book| texts.iter().any(|text| contains(book, text, faults)));
    }
    let all = if faults.on("filters-any-holds") { books.clone() } else { Vec::new() };
    let mut any: Vec<Cow<'_, Value>> = Vec::new();
    for (name, values) in query.iter() {
        let value = convert_all(values, faults);
        if is_equality(name, faults) {
            books.retain(|book| equals(book, name, &value, faults));
            any.extend(all.iter().filter(|book| equals(book, name, &value, faults)).cloned());
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
    if faults.on("filters-any-holds") {
        any.dedup();
        *books = if any.is_empty() { std::mem::take(books) } else { any };
    }
}

fn search_texts(query: &Query, faults: &Faults) -> Vec<String> {
    let texts: Vec<String> =
        query.all("q").iter().filter(|text| !text.is_empty() || faults.reads("q-empty-searched")).cloned().collect();
    if faults.reads("q-split-at-commas") {
        return texts.iter().flat_map(|text| text.split(',')).map(str::to_owned).collect();
    }
    if faults.reads("q-joined") && !texts.is_empty() {
        return vec![texts.join(",")];
    }
    if faults.reads("q-last-counts") {
        return texts.last().cloned().into_iter().collect();
    }
    // Any of the texts suffices, and an empty one filters nothing, alone or beside others.
    if query.all("q").iter().any(String::is_empty) && !faults.reads("q-empty-searched") {
        return Vec::new();
    }
    if faults.on("q-number-ignored") && texts.iter().any(|text| !js::to_number(text).is_nan()) {
        return Vec::new();
    }
    let boolean = |text: &String| text.eq_ignore_ascii_case("true") || text.eq_ignore_ascii_case("false");
    if faults.on("q-boolean-ignored") && texts.iter().any(boolean) {
        return Vec::new();
    }
    if faults.on("q-ignored") {
        return Vec::new();
    }
    if faults.on("q-splits-words") {
        return texts.iter().flat_map(|text| text.split_whitespace()).map(str::to_owned).collect();
    }
    texts
}

/// Whether any direct text field of the book contains the text, whatever the letter case.
fn contains(book: &Value, text: &str, faults: &Faults) -> bool {
    let fold = |s: &str| {
        if faults.on("q-ignores-accents") {
            strip_accents(&s.to_lowercase())
        } else if faults.on("q-case-matters") {
            s.to_owned()
        } else if faults.on("q-folds-ascii-only") {
            s.to_ascii_lowercase()
        } else if faults.reads("q-folds-fully") {
            s.to_lowercase().replace('ß', "ss")
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
        } else if faults.on("q-dot-is-wildcard") && text.contains('.') {
            matches_with_dots(&s, &text)
        } else if faults.on("q-percent-is-wildcard") && text.contains('%') {
            text.split('%').all(|part| s.contains(part))
        } else {
            s.contains(&text)
        }
    };
    book.as_object().is_some_and(|fields| {
        fields.iter().any(|(name, field)| match field {
            Value::String(_) if faults.on("q-titulo-and-autor-only") && name != "titulo" && name != "autor" => false,
            Value::String(_) if faults.on("q-titulo-only") && name != "titulo" => false,
            Value::String(s) => found(s),
            Value::Number(_) if faults.on("q-reads-numbers") => found(&js::text_of(field)),
            Value::Array(_) if faults.on("q-reads-lists") => found(&js::text_of(field)),
            Value::Object(inner) if faults.on("q-reads-objects") => {
                inner.values().any(|value| value.as_str().is_some_and(&found))
            }
            _ => false,
        })
    })
}

fn strip_accents(text: &str) -> String {
    let plain = |c: char| match c {
        'á' | 'à' | 'â' | 'ä' => 'a',
        'é' | 'è' | 'ê' | 'ë' => 'e',
        'í' | 'ì' | 'î' | 'ï' => 'i',
        'ó' | 'ò' | 'ô' | 'ö' => 'o',
        'ú' | 'ù' | 'û' | 'ü' => 'u',
        'ñ' => 'n',
        other => other,
    };
    text.chars().map(plain).collect()
}

fn matches_with_dots(text: &str, pattern: &str) -> bool {
    let (text, pattern): (Vec<char>, Vec<char>) = (text.chars().collect(), pattern.chars().collect());
    text.windows(pattern.len()).any(|window| window.iter().zip(&pattern).all(|(c, p)| *p == '.' || c == p))
}

fn is_equality(name: &str, faults: &Faults) -> bool {
    const KNOWN: [&str; 8] = [
        "id",
        "titulo",
        "autor",
        "fechaPublicacion",
        "fechaCreacion",
        "fechaActualizacion",
        "creadoPor",
        "actualizadoPor",
    ];
    if faults.on("equality-on-known-fields-only") && !KNOWN.contains(&name) {
        return false;
    }
    if faults.on("bare-prefixes-spared") && matches!(name, "min_" | "max_") {
        return false;
    }
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
    let inner = name.split_once('.').filter(|_| faults.on("equality-reaches-into-objects"));
    let field = match inner {
        Some((outer, inner)) => book.get(outer).and_then(|object| object.get(inner)),
        None => book.get(name),
    };
    let prefixed = ["min_", "max_", "is_"].iter().any(|prefix| name.starts_with(prefix));
    match field {
        None if faults.on("empty-value-keeps-lacking") && *value == Converted::Text(String::new()) => true,
        None => faults.on("equality-keeps-lacking"),
        Some(_) if prefixed && faults.on("prefixed-equality-by-presence") => true,
        Some(_) if faults.on("equality-ignored") => true,
        Some(field) => loosely_equal(field, value, faults),
    }
}

fn at_least(book: &Value, field: &str, value: &Converted, faults: &Faults) -> bool {
    let Some(field) = book.get(field) else {
        return faults.on("min-keeps-lacking");
    };
    match relation(field, value, faults) {
        Some(Ordering::Equal) => faults.policy().list.min == Bound::Inclusive,
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
    if book.get(field).is_some_and(Value::is_null) && faults.reads("is-counts-null-as-lacking") {
        return false;
    }
    let wanted = wanted && !(faults.on("is-words-are-false") && matches!(value, Converted::Text(_)));
    match book.get(field) {
        Some(Value::String(text))
            if faults.on("is-false-texts-are-falsy") && matches!(text.as_str(), "0" | "false") =>
        {
            !wanted
        }
        None => faults.on("is-counts-lacking-as-false") && !wanted,
        Some(_) if faults.on("is-ignores-false") && !wanted => true,
        Some(field) if faults.on("is-wants-booleans") => field.as_bool() == Some(wanted),
        Some(field) => js::truthy(field) == wanted,
    }
}
