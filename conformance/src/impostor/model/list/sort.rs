//! Orders books by the `sort` parameter. Never panics on an order that is not total.

use std::borrow::Cow;
use std::cmp::Ordering;

use icu_collator::options::CollatorOptions;
use icu_collator::preferences::CollationNumericOrdering;
use icu_collator::{Collator, CollatorBorrowed, CollatorPreferences};
use icu_locale_core::locale;
use serde_json::Value;

use super::compare::{compare_fields, compare_units};
use crate::impostor::faults::Faults;

struct Key {
    field: String,
    descending: bool,
}

/// Sorts by every name of every value, each a comma list; `-` before a name turns it round. Stable.
pub(crate) fn sort(books: &mut Vec<Cow<'_, Value>>, values: &[String], faults: &Faults) {
    let keys = keys(values, faults);
    if keys.is_empty() || faults.on("sort-ignored") {
        return;
    }
    if faults.on("sort-drops-lacking") {
        books.retain(|book| keys.iter().all(|key| book.get(&key.field).is_some()));
    }
    let collator = collator(faults);
    if faults.reads("sort-turns-ties-round") {
        books.reverse();
    }
    let order = |a: &Cow<'_, Value>, b: &Cow<'_, Value>| compare(a, b, &keys, collator.as_ref(), faults);
    let sorted = merge_sort(std::mem::take(books), &order);
    *books = sorted;
}

/// Whether these books have an order by the values, as [`sort`] means them: by names that some lack, and among values of several
/// types, three books may go round in a circle, and where they then come is the sorting algorithm's matter.
pub(crate) fn have_order(books: Vec<Cow<'_, Value>>, values: &[String]) -> bool {
    let faults = Faults::none();
    let (keys, collator) = (keys(values, &faults), collator(&faults));
    let order = |a: &Cow<'_, Value>, b: &Cow<'_, Value>| compare(a, b, &keys, collator.as_ref(), &faults);
    let sorted = merge_sort(books, &order);
    // The rank of each: as many as there are steps up before it.
    let mut ranks = vec![0];
    for pair in sorted.windows(2) {
        ranks.push(ranks[ranks.len() - 1] + u32::from(order(&pair[0], &pair[1]) != Ordering::Equal));
    }
    (0..sorted.len())
        .all(|at| (0..at).all(|before| order(&sorted[before], &sorted[at]) == ranks[before].cmp(&ranks[at])))
}

fn collator(faults: &Faults) -> Option<CollatorBorrowed<'static>> {
    let spanish = faults.reads("sort-in-spanish");
    let locale = if spanish { locale!("es") } else { locale!("en-US") };
    let mut preferences = CollatorPreferences::from(locale);
    if faults.reads("sort-digits-by-number") {
        preferences.numeric_ordering = Some(CollationNumericOrdering::True);
    }
    Collator::try_new(preferences, CollatorOptions::default()).ok()
}

fn keys(values: &[String], faults: &Faults) -> Vec<Key> {
    let values = if faults.on("sort-repeated-last-wins") { &values[values.len().saturating_sub(1)..] } else { values };
    let mut keys: Vec<Key> = Vec::new();
    for name in values.iter().flat_map(|value| value.split(',')) {
        if name.is_empty() && faults.on("sort-stops-at-empty-name") {
            break;
        }
        if name.is_empty() {
            continue;
        }
        let name = if faults.reads("names-trimmed") { name.trim() } else { name };
        let (field, mut descending) = match name.strip_prefix('-') {
            Some(rest) if faults.on("sort-strips-every-minus") => (rest.trim_start_matches('-'), true),
            Some(rest) => (rest, true),
            None => (name, false),
        };
        descending |= faults.on("sort-minus-sticks") && keys.last().is_some_and(|key| key.descending);
        descending &= !faults.on("sort-minus-ignored");
        keys.push(Key { field: field.to_owned(), descending });
    }
    if faults.on("sort-first-name-only") {
        keys.truncate(1);
    }
    keys
}

fn compare(a: &Value, b: &Value, keys: &[Key], collator: Option<&CollatorBorrowed<'_>>, faults: &Faults) -> Ordering {
    for key in keys {
        let (x, y) = match (a.get(&key.field), b.get(&key.field)) {
            (Some(x), Some(y)) if faults.reads("sort-null-is-missing") && (x.is_null() || y.is_null()) => {
                continue;
            }
            (Some(x), Some(y)) => (x, y),
            // Missing on either side: this name says nothing about the pair.
            (x, y) if faults.on("sort-missing-first") => match x.is_some().cmp(&y.is_some()) {
                Ordering::Equal => continue,
                decided => return decided,
            },
            _ if faults.on("sort-missing-ends") => return Ordering::Equal,
            _ => continue,
        };
        let order = match (x, y) {
            (Value::String(x), Value::String(y)) => compare_texts(x, y, collator, faults),
            _ if faults.on("sort-numbers-as-text") => compare_units(&x.to_string(), &y.to_string()),
            _ if faults.reads("sort-mixed-by-type") && kind(x) != kind(y) => kind(x).cmp(&kind(y)),
            _ => compare_fields(x, y),
        };
        let order = if key.descending { order.reverse() } else { order };
        if order != Ordering::Equal {
            return order;
        }
    }
    Ordering::Equal
}

/// A rank of types, where a permitted reading orders mixed values by it.
fn kind(value: &Value) -> u8 {
    match value {
        Value::Null => 0,
        Value::Number(_) => 1,
        Value::String(_) => 2,
        Value::Bool(_) => 3,
        Value::Array(_) | Value::Object(_) => 4,
    }
}

fn compare_texts(x: &str, y: &str, collator: Option<&CollatorBorrowed<'_>>, faults: &Faults) -> Ordering {
    if faults.on("sort-by-code-unit") {
        return compare_units(x, y);
    }
    if faults.on("sort-folds-ascii-only") {
        return compare_units(&x.to_ascii_lowercase(), &y.to_ascii_lowercase());
    }
    if faults.on("sort-by-length") {
        return x.len().cmp(&y.len());
    }
    collator.map_or_else(|| compare_units(x, y), |collator| collator.compare(x, y))
}

fn merge_sort<T>(mut items: Vec<T>, order: &dyn Fn(&T, &T) -> Ordering) -> Vec<T> {
    if items.len() < 2 {
        return items;
    }
    let right = merge_sort(items.split_off(items.len() / 2), order);
    let left = merge_sort(items, order);
    let mut merged = Vec::with_capacity(left.len() + right.len());
    let (mut left, mut right) = (left.into_iter().peekable(), right.into_iter().peekable());
    while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
        // On a tie the left one goes first: that is what makes it stable.
        let next = if order(b, a) == Ordering::Less { right.next() } else { left.next() };
        merged.extend(next);
    }
    merged.extend(left);
    merged.extend(right);
    merged
}
