//! Orders books by the `sort` parameter. Never panics on an order that is not total.

use std::borrow::Cow;
use std::cmp::Ordering;

use icu_collator::options::CollatorOptions;
use icu_collator::{Collator, CollatorBorrowed};
use serde_json::Value;

use super::compare::compare_units;
use super::steps::ListSteps;

/// Sorts by every name of every value, each a comma list; `-` before a name reverses its order. Stable.
pub fn sort(books: &mut Vec<Cow<'_, Value>>, values: &[String], steps: &ListSteps) {
    let keys = Keys::new(values, steps);
    if !keys.names.is_empty() {
        *books = merge_sort(std::mem::take(books), &|a, b| keys.compare(a, b));
    }
}

/// Whether [`sort`] gives the books one order: if some lack a field, or its values have several types, three books may form a cycle.
pub fn have_order(books: Vec<Cow<'_, Value>>, values: &[String], steps: &ListSteps) -> bool {
    let keys = Keys::new(values, steps);
    let order = |a: &Cow<'_, Value>, b: &Cow<'_, Value>| keys.compare(a, b);
    let sorted = merge_sort(books, &order);
    // Equal books share a rank.
    let mut ranks = vec![0];
    for pair in sorted.windows(2) {
        ranks.push(ranks[ranks.len() - 1] + u32::from(order(&pair[0], &pair[1]) != Ordering::Equal));
    }
    (0..sorted.len())
        .all(|at| (0..at).all(|before| order(&sorted[before], &sorted[at]) == ranks[before].cmp(&ranks[at])))
}

pub fn compare_by(a: &Value, b: &Value, values: &[String]) -> Ordering {
    Keys::new(values, &ListSteps::default()).compare(a, b)
}

struct Keys<'a> {
    /// Each name, and whether it sorts in descending order.
    names: Vec<(String, bool)>,
    collator: Option<CollatorBorrowed<'static>>,
    steps: &'a ListSteps,
}

impl<'a> Keys<'a> {
    fn new(values: &[String], steps: &'a ListSteps) -> Self {
        let key = |name: String| match name.strip_prefix('-') {
            Some(field) => (field.to_owned(), true),
            None => (name, false),
        };
        let names = (steps.sort_names)(values).into_iter().map(key).collect();
        Self { names, collator: Collator::try_new((steps.collation)(), CollatorOptions::default()).ok(), steps }
    }

    /// Compares by the first name whose fields differ.
    fn compare(&self, a: &Value, b: &Value) -> Ordering {
        for (name, descending) in &self.names {
            let order = match ((self.steps.sort_field)(a, name), (self.steps.sort_field)(b, name)) {
                (Some(x), Some(y)) if *descending => Some(self.compare_values(y, x)),
                (Some(x), Some(y)) => Some(self.compare_values(x, y)),
                (x, y) => (self.steps.missing)(x.is_some(), y.is_some()),
            };
            let Some(order) = order else { break };
            if order != Ordering::Equal {
                return order;
            }
        }
        Ordering::Equal
    }

    fn compare_values(&self, x: &Value, y: &Value) -> Ordering {
        match (x, y) {
            (Value::String(x), Value::String(y)) => (self.steps.compare_texts)(x, y, self.collator.as_ref()),
            _ => (self.steps.compare_values)(x, y),
        }
    }
}

/// Compares by the collation; by code units if there is none.
pub fn compare_texts(x: &str, y: &str, collator: Option<&CollatorBorrowed<'_>>) -> Ordering {
    collator.map_or_else(|| compare_units(x, y), |collator| collator.compare(x, y))
}

fn merge_sort<T>(mut items: Vec<T>, order: &dyn Fn(&T, &T) -> Ordering) -> Vec<T> {
    if items.len() < 2 {
        return items;
    }
    // Splits at a power of two, as a bottom-up merge sort does. In a cycle the result depends on which pairs are compared.
    let right = merge_sort(items.split_off(items.len().next_power_of_two() / 2), order);
    let left = merge_sort(items, order);
    let mut merged = Vec::with_capacity(left.len() + right.len());
    let (mut left, mut right) = (left.into_iter().peekable(), right.into_iter().peekable());
    while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
        // On a tie the left one goes first, so the sort is stable.
        let next = if order(b, a) == Ordering::Less { right.next() } else { left.next() };
        merged.extend(next);
    }
    merged.extend(left);
    merged.extend(right);
    merged
}
