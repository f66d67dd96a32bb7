//! Orders books by the `sort` parameter. Never panics on an order that is not total.

use std::borrow::Cow;
use std::cmp::Ordering;

use icu_collator::options::CollatorOptions;
use icu_collator::preferences::CollationNumericOrdering;
use icu_collator::{Collator, CollatorBorrowed, CollatorPreferences};
use icu_locale_core::locale;
use serde_json::Value;

use super::compare::{compare_fields, compare_units};
use super::names::names;
use crate::impostor::policy::list::{Many, Missing, SortLocale, SortPolicy, Ties};

/// Sorts by every name of every value, each a comma list; `-` before a name turns it round. Stable.
pub(crate) fn sort(books: &mut Vec<Cow<'_, Value>>, values: &[String], policy: &SortPolicy) {
    const FEW: usize = 100;
    let missing = match policy.many {
        Many::LackingFirst if books.len() > FEW => Missing::ComesFirst,
        _ => policy.missing,
    };
    let policy = &SortPolicy { missing, ..policy.clone() };
    let keys = Keys::of(values, policy);
    if keys.names.is_empty() {
        return;
    }
    let others = if policy.many == Many::FirstHundred { books.split_off(books.len().min(FEW)) } else { Vec::new() };
    if policy.drops_lacking {
        books.retain(|book| keys.names.iter().all(|(field, _)| book.get(field).is_some()));
    }
    if policy.ties == Ties::Reversed {
        books.reverse();
    }
    *books = merge_sort(std::mem::take(books), &|a, b| keys.compare(a, b));
    books.extend(others);
}

/// Whether these books have an order by the values, as [`sort`] means them: by names that some lack, and among values of several
/// types, three books may go round in a circle, and where they then come is the sorting algorithm's matter.
pub(crate) fn have_order(books: Vec<Cow<'_, Value>>, values: &[String], policy: &SortPolicy) -> bool {
    let keys = Keys::of(values, policy);
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

/// How two books stand to each other by the values.
pub(crate) fn compare_by(a: &Value, b: &Value, values: &[String]) -> Ordering {
    Keys::of(values, &SortPolicy::default()).compare(a, b)
}

/// What two books are compared by.
struct Keys<'a> {
    /// Each with whether it is descending.
    names: Vec<(String, bool)>,
    collator: Option<CollatorBorrowed<'static>>,
    policy: &'a SortPolicy,
}

impl<'a> Keys<'a> {
    fn of(values: &[String], policy: &'a SortPolicy) -> Self {
        let names = policy.names.unwrap_or(names)(values);
        let key = |name: String| match name.strip_prefix('-') {
            Some(field) => (field.to_owned(), true),
            None => (name, false),
        };
        Self { names: names.into_iter().map(key).collect(), collator: collator(policy), policy }
    }

    /// By the first name that tells the books apart.
    fn compare(&self, a: &Value, b: &Value) -> Ordering {
        for (name, descending) in &self.names {
            let order = match (self.field(a, name), self.field(b, name)) {
                (Some(x), Some(y)) if *descending => self.compare_values(y, x),
                (Some(x), Some(y)) => self.compare_values(x, y),
                (x, y) => match self.policy.missing {
                    Missing::SaysNothing => Ordering::Equal,
                    Missing::ComesFirst => x.is_some().cmp(&y.is_some()),
                    Missing::EndsComparison => return Ordering::Equal,
                },
            };
            if order != Ordering::Equal {
                return order;
            }
        }
        Ordering::Equal
    }

    fn field<'b>(&self, book: &'b Value, name: &str) -> Option<&'b Value> {
        book.get(name).filter(|field| !(field.is_null() && self.policy.null_is_missing))
    }

    fn compare_values(&self, x: &Value, y: &Value) -> Ordering {
        match (x, y) {
            (Value::String(x), Value::String(y)) => match (self.policy.compare_texts, &self.collator) {
                (Some(compare), _) => compare(x, y),
                (None, Some(collator)) => collator.compare(x, y),
                (None, None) => compare_units(x, y),
            },
            _ => self.policy.compare_values.unwrap_or(compare_fields)(x, y),
        }
    }
}

fn collator(policy: &SortPolicy) -> Option<CollatorBorrowed<'static>> {
    let mut preferences = CollatorPreferences::from(match policy.locale {
        SortLocale::English => locale!("en-US"),
        SortLocale::Spanish => locale!("es"),
    });
    if policy.digits_by_number {
        preferences.numeric_ordering = Some(CollationNumericOrdering::True);
    }
    Collator::try_new(preferences, CollatorOptions::default()).ok()
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
