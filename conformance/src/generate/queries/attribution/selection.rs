//! `fields`: the right books with other fields than the listed ones. Never orders.

use serde_json::Value;

use super::{Answer, rules as rule};

pub(super) fn broken_rule(answer: &Answer<'_>) -> Option<&'static str> {
    if answer.has_same_items() {
        return None;
    }
    let values = answer.values("fields");
    let fields = |item: &Value| item.as_object().cloned().unwrap_or_default();
    let pairs = answer.items().iter().zip(super::items(answer.want));
    let mut differing = pairs.map(|(got, want)| (fields(got), fields(want))).filter(|(got, want)| got != want);
    let Some((got, want)) = differing.next() else { return Some(rule::EQUAL_KEEPS) };
    let added: Vec<&str> = got.keys().map(String::as_str).filter(|name| !want.contains_key(*name)).collect();
    let gone: Vec<&Value> = want.iter().filter(|(name, _)| !got.contains_key(*name)).map(|(_, field)| field).collect();
    Some(match (&added[..], &gone[..]) {
        (["id"], []) => rule::FIELDS_NO_ID_ADDED,
        ([_, ..], []) if added.iter().all(|name| got[*name].is_null()) => rule::FIELDS_LACKING,
        ([], [_, ..]) if gone.iter().all(|field| field.is_null()) => rule::FIELDS_LACKING,
        _ if values.iter().any(|value| value.split(',').any(str::is_empty)) => rule::EMPTY_NAMES,
        ([], _) if values.len() > 1 => rule::FIELDS_REPEATED,
        _ => rule::FIELDS_SELECT,
    })
}
