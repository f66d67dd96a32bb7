//! The list as one would write it first: every book is asked for its fields, every pair compared. The engine's answers are held
//! against its. It shares with the engine how a query string is split, values are converted, a single value is judged (which the vectors
//! check) and a page is cut, and nothing else.

use std::cmp::Ordering;

use serde_json::{Map, Value};

use super::compare::{self, Side};
use super::filter::judging;
use super::js_value::JsValue;
use super::page::{Page, PageSpec};
use super::query_value::QueryValue;
use super::{collate, params};
use crate::json;

/// Answers a raw query string over books in order of id, each given as its JSON text.
pub(super) fn list<'a>(books: impl Iterator<Item = &'a str>, raw: &str) -> Page {
    let parameters: Vec<(String, String)> =
        params::pairs(raw).map(|(name, value)| (name.into_owned(), value.into_owned())).collect();
    let all = |name: &str| {
        let values = parameters.iter().filter(|(key, _)| key == name).map(|(_, value)| value.as_str());
        values.collect::<Vec<&str>>()
    };
    let names = |name: &str| {
        let values = all(name).into_iter();
        let mut names: Vec<&str> = values.flat_map(|list| list.split(',')).filter(|name| !name.is_empty()).collect();
        let mut seen = std::collections::BTreeSet::new();
        names.retain(|name| seen.insert(*name));
        names
    };
    let books: Vec<Map<String, Value>> = books.map(fields).collect();
    let kept: Vec<&Map<String, Value>> = books.iter().filter(|book| keeps(book, &parameters)).collect();
    let sorted = sort(kept, &names("sort"));
    let (items, page) = PageSpec::parse(&all("page"), &all("limit")).over(sorted.len());
    let selected = names("fields");
    let shown = sorted[items].iter().map(|book| {
        if selected.is_empty() {
            return Value::Object(Map::clone(book));
        }
        Value::Object(
            selected.iter().filter_map(|name| Some((String::from(*name), book.get(*name)?.clone()))).collect(),
        )
    });
    Page { datos: json::write(&Value::Array(shown.collect())), ..page }
}

fn fields(text: &str) -> Map<String, Value> {
    match json::parse(text.as_bytes()) {
        Ok(Value::Object(fields)) => fields,
        _ => panic!("a book is a JSON object"),
    }
}

fn keeps(book: &Map<String, Value>, parameters: &[(String, String)]) -> bool {
    let mut names: Vec<&str> = parameters.iter().map(|(name, _)| name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    names.iter().all(|name| {
        let values = parameters.iter().filter(|(key, _)| key == name).map(|(_, value)| value.as_str());
        match *name {
            "page" | "limit" | "sort" | "fields" | "range" | "min" | "max" => true,
            "q" => {
                let texts = || book.values().filter_map(Value::as_str);
                let searched: Vec<String> = values.map(str::to_lowercase).collect();
                searched.iter().any(|search| {
                    search.is_empty() || texts().any(|text| text.to_lowercase().contains(search.as_str()))
                })
            }
            name => passes(book, name, &QueryValue::convert(values)),
        }
    })
}

fn passes(book: &Map<String, Value>, name: &str, sent: &QueryValue) -> bool {
    let field = |name: &str, test: &dyn Fn(&JsValue<'_>) -> bool| {
        book.get(name).is_some_and(|value| test(&JsValue::read(&json::write(value))))
    };
    let equal = field(name, &|stored| judging::equals(sent, stored));
    equal
        && if let Some(field_name) = name.strip_prefix("min_") {
            field(field_name, &|stored| judging::is_on(Side::AtLeast, sent, stored))
        } else if let Some(field_name) = name.strip_prefix("max_") {
            field(field_name, &|stored| judging::is_on(Side::AtMost, sent, stored))
        } else if let Some(field_name) = name.strip_prefix("is_") {
            field(field_name, &|stored| judging::is_truthy(stored) == sent.is_truthy())
        } else {
            true
        }
}

/// One book's values of the sort's fields, each with its sort key where it is a text.
type Row<'a> = (&'a Map<String, Value>, Vec<Option<(JsValue<'a>, Option<Box<[u8]>>)>>);

/// Sorts as the documents' words have it: every pair by itself, in a merge from the bottom up.
fn sort<'a>(kept: Vec<&'a Map<String, Value>>, names: &[&str]) -> Vec<&'a Map<String, Value>> {
    let keys: Vec<(&str, bool)> =
        names.iter().map(|name| name.strip_prefix('-').map_or((*name, false), |field| (field, true))).collect();
    let value = |book: &'a Map<String, Value>, field: &str| {
        let value = JsValue::of(book.get(field)?.clone());
        let key = if let JsValue::Text(text) = &value { Some(collate::key(text)) } else { None };
        Some((value, key))
    };
    let row = |book: &'a Map<String, Value>| (book, keys.iter().map(|(field, _)| value(book, field)).collect());
    let mut runs: Vec<Vec<Row<'a>>> = kept.into_iter().map(|book| vec![row(book)]).collect();
    while runs.len() > 1 {
        let mut longer = Vec::with_capacity(runs.len().div_ceil(2));
        let mut pairs = runs.into_iter();
        while let Some(left) = pairs.next() {
            longer.push(match pairs.next() {
                Some(right) => merge(left, right, &keys),
                None => left,
            });
        }
        runs = longer;
    }
    runs.into_iter().flatten().map(|(book, _)| book).collect()
}

fn merge<'a>(left: Vec<Row<'a>>, right: Vec<Row<'a>>, keys: &[(&str, bool)]) -> Vec<Row<'a>> {
    let mut merged = Vec::with_capacity(left.len() + right.len());
    let (mut left, mut right) = (left.into_iter().peekable(), right.into_iter().peekable());
    while let (Some(first), Some(second)) = (left.peek(), right.peek()) {
        let later = compare_rows(first, second, keys).is_gt();
        merged.extend(if later { right.next() } else { left.next() });
    }
    merged.extend(left);
    merged.extend(right);
    merged
}

fn compare_rows(left: &Row<'_>, right: &Row<'_>, keys: &[(&str, bool)]) -> Ordering {
    for ((left, right), (_, descending)) in left.1.iter().zip(&right.1).zip(keys) {
        let (Some(left), Some(right)) = (left, right) else {
            continue;
        };
        let order = match (&left.1, &right.1) {
            (Some(left), Some(right)) => left.cmp(right),
            _ => compare::by_operators(&left.0, &right.0),
        };
        if order.is_ne() {
            return if *descending { order.reverse() } else { order };
        }
    }
    Ordering::Equal
}
