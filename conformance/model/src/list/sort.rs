//! Orders books by the `sort` parameter. Never panics on an order that is not total.

use std::borrow::Cow;
use std::cmp::Ordering;

use icu_collator::options::CollatorOptions;
use icu_collator::{Collator, CollatorBorrowed};
use serde_json::Value;

use super::compare::compare_units;
use super::steps::ListSteps;

/// Sorts by every name of every value, each a comma list; `-` before a name turns it round. Stable.
pub fn sort(books: &mut Vec<Cow<'_, Value>>, values: &[String], steps: &ListSteps) {
    let keys = Keys::new(values, steps);
    if !keys.names.is_empty() {
        *books = merge_sort(std::mem::take(books), &|a, b| keys.compare(a, b));
    }
}

/// Whether these books have an order by the values, as [`sort`] means them: by names that some lack, and among values of several
/// types, three books may go round in a circle, and where they then come is the sorting algorithm's matter.
pub fn have_order(books: Vec<Cow<'_, Value>>, values: &[String], steps: &ListSteps) -> bool {
    let keys = Keys::new(values, steps);
    let order = |a: &Cow<'_, Value>, b: &Cow<'_, Value>| keys.compare(a, b);
    let sorted = merge_sort(books, &order);
    // The rank of each: as many as there are steps up before it.
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
    /// Each with whether it is descending.
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

    /// By the first name whose fields differ.
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

/// By the collation; by code units if there is none.
pub fn compare_texts(x: &str, y: &str, collator: Option<&CollatorBorrowed<'_>>) -> Ordering {
    collator.map_or_else(|| compare_units(x, y), |collator| collator.compare(x, y))
}

fn merge_sort<T>(mut items: Vec<T>, order: &dyn Fn(&T, &T) -> Ordering) -> Vec<T> {
    if items.len() < 2 {
        return items;
    }
    // Behind the largest power of two, as from the bottom up: where the order is none, the pairs that are asked decide.
    let right = merge_sort(items.split_off(items.len().next_power_of_two() / 2), order);
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
