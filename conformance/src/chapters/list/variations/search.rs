//! Variations of the chapter list: q.

use libros_conformance_model::clock::format;
use libros_conformance_model::list::filter::{contains, is_equality_filter, own_text};
use libros_conformance_model::list::value::{boolean, convert, number};

use crate::impostor::effect::prelude::*;

pub(crate) const VARIATIONS: &[Variation] = variations! {
    "q-filters-too" breaks "list/q-contains" and "list/reserved-no-filters": "q is also an equality filter on a field named q."
        => steps |s| s.list.is_equality_filter = |name| is_equality_filter(name) || name == "q";
    "q-ignored" breaks "list/q-contains": "q filters nothing."
        => steps |s| s.list.q_filters_nothing = |_| true;
    "q-empty-keeps-nothing" breaks "list/q-empty": "An empty q keeps no book."
        => steps |s| {
            s.list.q_filters_nothing = |_| false;
            s.list.contains = |field, text| !text.is_empty() && field.contains(text);
        };
    "q-whole-field" breaks "list/q-contains": "q keeps a book only if it is the whole text of a field."
        => steps |s| s.list.contains = |field, text| field == text;
    "q-trims" breaks "list/q-contains": "q ignores spaces around it."
        => steps |s| s.list.contains = |field, text| field.contains(text.trim());
    "q-prefix-only" breaks "list/q-contains": "q finds a text only at the start of a field."
        => steps |s| s.list.contains = |field, text| field.starts_with(text);
    "q-titulo-only" breaks "list/q-contains": "q searches only titulo."
        => steps |s| s.list.field_texts = |name, field| if name == "titulo" { own_text(name, field) } else { Vec::new() };
    "q-titulo-and-autor-only" breaks "list/q-contains": "q searches only titulo and autor."
        => steps |s| s.list.field_texts =
            |name, field| if matches!(name, "titulo" | "autor") { own_text(name, field) } else { Vec::new() };
    "q-spares-dates-and-authors" breaks "list/q-contains": "q searches no field that the service sets, and no date."
        => steps |s| s.list.field_texts =
            |name, field| if name.starts_with("fecha") || name.ends_with("adoPor") { Vec::new() } else { own_text(name, field) };
    "q-splits-words" breaks "list/q-contains": "q searches its words one by one, and one found is enough."
        => steps |s| s.list.q_texts = |values| values.iter().flat_map(|text| text.split_whitespace()).map(str::to_owned).collect();
    "q-case-matters" breaks "list/q-case": "q distinguishes upper and lower case."
        => steps |s| s.list.fold = str::to_owned;
    "q-folds-ascii-only" breaks "list/q-case": "q ignores letter case only within ASCII."
        => steps |s| s.list.fold = str::to_ascii_lowercase;
    "q-ignores-accents" breaks "list/q-case": "q finds Alvaro in Álvaro."
        => steps |s| s.list.fold = without_accents;
    "q-reads-numbers" breaks "list/q-text-only": "q finds digits in number fields."
        => steps |s| s.list.field_texts =
            |name, field| if field.is_number() { vec![js::text_of(field)] } else { own_text(name, field) };
    "q-reads-lists" breaks "list/q-text-only": "q finds texts inside lists."
        => steps |s| s.list.field_texts =
            |name, field| if field.is_array() { vec![js::text_of(field)] } else { own_text(name, field) };
    "q-reads-objects" breaks "list/q-text-only": "q finds texts inside objects."
        => steps |s| s.list.field_texts = |name, field| match field {
            Value::Object(inner) => inner.iter().flat_map(|(name, field)| own_text(name, field)).collect(),
            _ => own_text(name, field),
        };
    "q-dot-is-wildcard" breaks "list/q-literal": "A dot in q stands for any character."
        => steps |s| s.list.contains = |field, text| {
            let (field, text): (Vec<char>, Vec<char>) = (field.chars().collect(), text.chars().collect());
            field.windows(text.len()).any(|window| window.iter().zip(&text).all(|(c, wanted)| *wanted == '.' || c == wanted))
        };
    "q-percent-is-wildcard" breaks "list/q-literal": "A percent sign in q stands for any text."
        => steps |s| s.list.contains = |field, text| text.split('%').all(|part| field.contains(part));
    "q-number-ignored" breaks "list/q-as-sent": "A q that is a number filters nothing."
        => steps |s| s.list.q_filters_nothing = |text| text.is_empty() || number(text).is_some();
    "q-boolean-ignored" breaks "list/q-as-sent": "A q of true or false filters nothing."
        => steps |s| s.list.q_filters_nothing = |text| text.is_empty() || boolean(text).is_some();
    "q-reads-backslashes" breaks "list/q-literal": "A backslash in q escapes the next character."
        => steps |s| s.list.contains = |field, text| field.contains(&text.replace('\\', ""));
    "q-all-must-hold" by "list/q-repeated": "A repeated q keeps only books in which all its values are found."
        => steps |s| s.list.is_found = |book, texts, steps| texts.iter().all(|text| contains(book, text, steps));
    "q-folds-fully" by "list/q-case-folding": "q ignores letter case by full case folding."
        => steps |s| s.list.fold = |text| text.to_lowercase().replace('ß', "ss");
    "q-joined" by "list/q-repeated": "A repeated q is searched as one text, joined with commas."
        => steps |s| s.list.q_texts = |values| if values.is_empty() { Vec::new() } else { vec![values.join(",")] };
    "q-first-counts" by "list/q-repeated": "Only the first value of a repeated q counts."
        => steps |s| s.list.q_texts = |values| values.first().cloned().into_iter().collect();
    "q-last-counts" by "list/q-repeated": "Only the last value of a repeated q counts."
        => steps |s| s.list.q_texts = |values| values.last().cloned().into_iter().collect();
    "q-as-converted" by "list/q-spelling": "A q that is a number or a date is searched in the spelling of the converted value."
        => steps |s| s.list.q_texts = |values| values.iter().map(|text| as_converted(text)).collect();
    "q-split-at-commas" by "list/q-comma": "A q with commas is a list of texts."
        => steps |s| s.list.q_texts =
            |values| values.iter().flat_map(|text| text.split(',')).map(str::to_owned).collect();
};

fn without_accents(text: &str) -> String {
    let plain = |c: char| match c {
        'á' | 'à' | 'â' | 'ä' => 'a',
        'é' | 'è' | 'ê' | 'ë' => 'e',
        'í' | 'ì' | 'î' | 'ï' => 'i',
        'ó' | 'ò' | 'ô' | 'ö' => 'o',
        'ú' | 'ù' | 'û' | 'ü' => 'u',
        'ñ' => 'n',
        other => other,
    };
    text.to_lowercase().chars().map(plain).collect()
}

/// Without a comma, which makes a list of it.
fn as_converted(text: &str) -> String {
    match convert(text, &ListSteps::default()) {
        Converted::Number(number) => js::number_text(number),
        Converted::Date(millis) => format(millis as i64, "%Y-%m-%dT%H:%M:%S%.3fZ"),
        _ => text.to_owned(),
    }
}
