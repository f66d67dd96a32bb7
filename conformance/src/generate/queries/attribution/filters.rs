//! Filters: a shown book that a filter drops, or a missing book that all filters keep. Never looks at the order.

use std::collections::HashSet;

use serde_json::Value;

use super::Answer;
use crate::generate::queries::sample_books::MARKER;
use libros_conformance_model::js;
use libros_conformance_model::list::compare::{loosely_equal, relation};
use libros_conformance_model::list::converted::Converted;
use libros_conformance_model::list::filter::{equals, is_equality_filter, is_prefixed};
use libros_conformance_model::list::list;
use libros_conformance_model::list::steps::ListSteps;
use libros_conformance_model::list::value::{convert, convert_all};

/// The rule of the first filter that wrongly keeps or drops a book.
pub(super) fn broken_rule(answer: &Answer<'_>) -> Option<&'static str> {
    let kept = answer.kept();
    let is_filter = |(name, _): &&(String, _)| name == "q" || is_equality_filter(name);
    let filters: Vec<_> = answer.parameters.iter().filter(is_filter).collect();
    // Items without an id come from `fields` and identify no book.
    let shown: Vec<&Value> = answer.items().iter().filter(|item| item.get("id").is_some()).collect();
    let (ids_kept, ids_shown) = (ids(&kept), ids(shown.iter().copied()));
    if let Some(intruder) = shown.iter().find(|item| !ids_kept.contains(&item["id"])) {
        let whole = answer.books.iter().find(|book| book["id"] == intruder["id"]).unwrap_or(intruder);
        return Some(intruder_rule(whole, answer, &filters));
    }
    let shows_all = kept.len() <= answer.unselected().len();
    if !answer.contradicts("total") || answer.has_same_items() && (shows_all || filters.is_empty()) {
        return None;
    }
    let missing = kept.iter().find(|book| !ids_shown.contains(&book["id"])).unwrap_or(&Value::Null);
    match filters[..] {
        // Queries are shrunk before: an empty pair that is still there matters.
        _ if answer.has_empty_pair() => Some("list/empty-pairs"),
        [] => no_filter_rule(answer),
        [(name, values)] => Some(pair_rule(missing, name, values, true)),
        _ => Some("list/equal-all-hold"),
    }
}

fn intruder_rule(book: &Value, answer: &Answer<'_>, filters: &[&(String, Vec<String>)]) -> &'static str {
    if book.get(MARKER).is_none() {
        return "list/equal-lacking";
    }
    let drops = |filter: &&&(String, Vec<String>)| {
        let alone = answer.query.0.iter().filter(|parameter| parameter.name == filter.0).cloned().collect();
        list(std::slice::from_ref(book), &super::Query(alone).to_string(), &ListSteps::default()).total == 0
    };
    let dropping: Vec<_> = filters.iter().filter(drops).collect();
    match dropping.first() {
        None => "list/equal-keeps",
        Some(_) if dropping.len() < filters.len() => "list/equal-all-hold",
        Some((name, values)) => pair_rule(book, name, values, false),
    }
}

fn no_filter_rule(answer: &Answer<'_>) -> Option<&'static str> {
    let finds_nothing = answer.page_value("total").0.as_u64() == Some(0);
    let names: [(&str, &'static str); 4] = [
        ("fields", "list/order-fields-last"),
        ("sort", "list/sort-ascending"),
        ("page", "paging/page-slice"),
        ("limit", "paging/limit-exact"),
    ];
    if ["range", "min", "max"].iter().any(|name| answer.has(name)) {
        return Some("list/range-min-max-ignored");
    }
    let used = names.iter().find(|(name, _)| finds_nothing && answer.has(name));
    Some(used.map_or("list/order-filter-before-page", |(_, rule)| rule))
}

/// The rule that decides whether a filter keeps a book: the answer lacks it if `is_missing`, and wrongly shows it otherwise.
fn pair_rule(book: &Value, name: &str, values: &[String], is_missing: bool) -> &'static str {
    if name == "q" {
        return search_rule(book, values, is_missing);
    }
    let steps = ListSteps::default();
    let value = convert_all(values, &steps);
    let own = book.get(name);
    let is_equal = own.is_some_and(|field| equals(field, &value, &steps));
    if !is_prefixed(name) {
        return equality_rule(own, name, values, is_missing);
    }
    if matches!(name, "min_" | "max_") {
        return "list/empty-names";
    }
    let (prefix, field) = name.split_once('_').unwrap_or_default();
    let field = book.get(field);
    match (prefix, own, is_equal) {
        ("min", None, _) => "list/min-faces-equality",
        ("max", None, _) => "list/max-faces-equality",
        (_, None, _) => "list/is-faces-equality",
        (_, Some(_), false) => "list/prefixed-equality-value",
        ("is", ..) => truth_rule(field, &value),
        (_, Some(_), true) => bound_rule(prefix == "min", field, &value),
    }
}

fn ids<'b>(books: impl IntoIterator<Item = &'b Value>) -> HashSet<&'b Value> {
    books.into_iter().map(|book| &book["id"]).collect()
}

fn bound_rule(is_min: bool, field: Option<&Value>, value: &Converted) -> &'static str {
    let is_on_it = field.is_some_and(|field| relation(field, value).is_some_and(std::cmp::Ordering::is_eq));
    match (field, is_on_it, is_min) {
        (None, ..) => "list/bound-lacking",
        (_, true, true) => "list/min-inclusive",
        (_, true, false) => "list/max-inclusive",
        (_, false, true) => "list/min-keeps",
        (_, false, false) => "list/max-keeps",
    }
}

fn truth_rule(field: Option<&Value>, value: &Converted) -> &'static str {
    match field {
        None => "list/is-lacking",
        Some(_) if matches!(value, Converted::Text(_)) => "list/is-other-values",
        Some(Value::String(text)) if matches!(text.as_str(), "" | "0" | "false") => "list/is-falsy-values",
        Some(Value::Number(number)) if number.as_f64() == Some(0.0) => "list/is-falsy-values",
        Some(Value::Array(_) | Value::Object(_)) => "list/is-falsy-not-containers",
        Some(_) => "list/is-truthiness",
    }
}

fn search_rule(book: &Value, values: &[String], is_missing: bool) -> &'static str {
    let text = values.first().map_or("", String::as_str);
    if text.is_empty() {
        return "list/q-empty";
    }
    let is_value = !matches!(convert(text, &ListSteps::default()), Converted::Text(_));
    let fields = || book.as_object().into_iter().flatten().map(|(_, field)| field);
    let has_text = |test: &dyn Fn(&str) -> bool| fields().any(|field| field.as_str().is_some_and(test));
    if is_missing {
        return match has_text(&|field| field.contains(text)) {
            true if is_value => "list/q-as-sent",
            true => "list/q-contains",
            false => "list/q-case",
        };
    }
    let is_elsewhere = fields().any(|field| !field.is_string() && js::stringify(field).contains(text));
    if is_elsewhere {
        "list/q-text-only"
    } else if is_value {
        "list/q-as-sent"
    } else if text.contains(['.', '*', '%', '?', '_']) {
        "list/q-literal"
    } else {
        "list/q-contains"
    }
}

fn equality_rule(field: Option<&Value>, name: &str, values: &[String], is_missing: bool) -> &'static str {
    match (field, values) {
        (None, _) if name.contains(char::is_uppercase) && !is_missing => "list/field-name-case",
        (None, _) if name.contains('.') || name == "toString" => "list/equal-own-field",
        (None, _) => "list/equal-lacking",
        (_, [_, _, ..]) => "list/repeated",
        (Some(field), [one]) if one.contains(',') => {
            let mut items = one.split(',').map(|item| convert(item, &ListSteps::default()));
            let is_converted = items.any(|item| !matches!(item, Converted::Text(_)) && loosely_equal(field, &item));
            if is_converted { "list/comma-list-converts" } else { "list/comma-list" }
        }
        (Some(field), [one]) => values_rule(field, one, is_missing),
        (Some(_), []) => "list/equal-keeps",
    }
}

/// The rule of a field and a single value, by their types.
fn values_rule(field: &Value, sent: &str, is_missing: bool) -> &'static str {
    match (field, &convert(sent, &ListSteps::default())) {
        (Value::Null, _) => "list/loose-null",
        (_, Converted::Date(_)) => "list/date-other-day",
        (Value::String(text), Converted::Number(_) | Converted::Bool(false)) if text.is_empty() => {
            "list/loose-false-empty-text"
        }
        (Value::String(text), Converted::Number(number)) => match js::to_number(text) {
            read if read.is_nan() => "list/loose-number-other-text",
            _ if *text == js::number_text(*number) => "list/loose-number-text",
            _ => "list/loose-number-text-forms",
        },
        (Value::String(text), Converted::Bool(_)) if matches!(text.as_str(), "true" | "false") => {
            "list/loose-true-text"
        }
        (Value::String(_), Converted::Bool(_)) => "list/loose-boolean-number-text",
        (Value::Number(_), Converted::Bool(_)) => "list/loose-boolean-number",
        (Value::Bool(_), Converted::Bool(_)) if sent.contains(char::is_uppercase) => "list/convert-boolean-case",
        (Value::Bool(_), Converted::Bool(_)) => "list/convert-boolean",
        (Value::Bool(_), _) => "list/loose-number-boolean-field",
        (Value::Number(_), Converted::Number(_)) => "list/convert-number",
        (Value::String(_), Converted::Text(_)) if !is_missing => "list/equal-text-exact",
        (Value::String(_), Converted::Text(text)) if !text.bytes().all(|b| b.is_ascii_alphanumeric()) => {
            "list/percent-decoding"
        }
        _ => "list/equal-keeps",
    }
}
