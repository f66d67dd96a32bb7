//! `fields`: the right books with other fields than the listed ones. Never orders.

use serde_json::Value;

use super::Answer;

pub(super) fn broken_rule(answer: &Answer<'_>) -> Option<&'static str> {
    if answer.has_same_items() {
        return None;
    }
    let values = answer.values("fields");
    let fields = |item: &Value| item.as_object().cloned().unwrap_or_default();
    let pairs = answer.items().iter().zip(super::items(answer.want));
    let mut differing = pairs.map(|(got, want)| (fields(got), fields(want))).filter(|(got, want)| got != want);
    let Some((got, want)) = differing.next() else { return Some("list/equal-keeps") };
    let added: Vec<&str> = got.keys().map(String::as_str).filter(|name| !want.contains_key(*name)).collect();
    let gone: Vec<&Value> = want.iter().filter(|(name, _)| !got.contains_key(*name)).map(|(_, field)| field).collect();
    Some(match (&added[..], &gone[..]) {
        (["id"], []) => "list/fields-no-id-added",
        ([_, ..], []) if added.iter().all(|name| got[*name].is_null()) => "list/fields-lacking",
        ([], [_, ..]) if gone.iter().all(|field| field.is_null()) => "list/fields-lacking",
        _ if values.iter().any(|value| value.split(',').any(str::is_empty)) => "list/empty-names",
        ([], _) if values.len() > 1 => "list/fields-repeated",
        _ => "list/fields-select",
    })
}
