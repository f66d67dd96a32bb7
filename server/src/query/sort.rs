//! The order of a list by the fields a query names.
//!
//! A field that one of two books lacks is skipped for the two, so the order asked for need not be a total one: three
//! books may go round in a circle. Where every book has every field and types do not mix it is total, and only the page
//! shown is sorted; elsewhere an own merge sort answers, which asks nothing of its comparison and cannot panic.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::ops::Range;

use super::book::{Book, Field};
use super::collate::CollationKey;
use super::compare;
use super::datum::Datum;
use super::names;

/// One field name of `sort`, with its direction.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SortKey {
    field: String,
    descending: bool,
}

impl SortKey {
    /// Reads the values of `sort`, in order of weight. A name given again decides nothing that it has left undecided.
    pub(super) fn parse(values: &[impl AsRef<str>]) -> Vec<SortKey> {
        let mut named = BTreeSet::new();
        names::split(values)
            .map(|name| match name.strip_prefix('-') {
                // rule: list/sort-descending, list/sort-minus-once
                Some(field) => (field, true),
                None => (name, false),
            })
            .filter(|(field, _)| named.insert(*field))
            .map(|(field, descending)| SortKey { field: field.to_owned(), descending })
            .collect()
    }
}

/// The books that stand at the positions `shown` once all are sorted; equals stay in the order given.
pub(super) fn window<'a>(books: &[&'a Book], keys: &[SortKey], shown: Range<usize>) -> Vec<&'a Book> {
    let order = Order::new(books, keys);
    let positions = if order.is_total() {
        order.sort_window(books.len(), shown)
    } else {
        let sorted = merge_sort((0..books.len()).collect(), |left, right| order.compare(left, right));
        sorted[shown].to_vec()
    };
    positions.into_iter().map(|position| books[position]).collect()
}

/// The columns that decide between two books, weightiest first.
struct Order<'a> {
    columns: Vec<Column<'a>>,
}

/// One sort key's values, by position of the book.
struct Column<'a> {
    cells: Cells<'a>,
    descending: bool,
}

enum Cells<'a> {
    Numbers(Vec<f64>),
    Texts(Vec<&'a CollationKey>),
    /// Types that mix, or fields that are missing.
    Mixed(Vec<Option<&'a Field>>),
}

impl<'a> Order<'a> {
    fn new(books: &[&'a Book], keys: &[SortKey]) -> Order<'a> {
        // rule: list/sort-unknown-field
        let known = |key: &&SortKey| books.iter().any(|book| book.field(&key.field).is_some());
        let columns = keys
            .iter()
            .filter(known)
            .map(|key| Column { cells: Cells::of(books, &key.field), descending: key.descending });
        Order { columns: columns.collect() }
    }

    /// Whether every pair is decided in one line, without circles.
    fn is_total(&self) -> bool {
        self.columns.iter().all(|column| !matches!(column.cells, Cells::Mixed(_)))
    }

    fn compare(&self, left: usize, right: usize) -> Ordering {
        // rule: list/sort-several
        let mut decisions = self.columns.iter().map(|column| column.compare(left, right));
        decisions.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    }

    /// The positions `shown` of `count` books in a total order, without sorting what lies outside.
    fn sort_window(&self, count: usize, shown: Range<usize>) -> Vec<usize> {
        // What the weightiest column says of each book in one number stands beside its position, in one run of memory.
        let heads = self.columns.first().map(Column::heads);
        let head = |position: usize| heads.as_ref().map_or(0, |heads| heads[position]);
        let mut entries: Vec<(u64, usize)> = (0..count).map(|position| (head(position), position)).collect();
        // rule: list/sort-stable
        let by_order = |left: &(u64, usize), right: &(u64, usize)| {
            left.0.cmp(&right.0).then_with(|| self.compare(left.1, right.1)).then(left.1.cmp(&right.1))
        };
        if shown.end < entries.len() {
            entries.select_nth_unstable_by(shown.end, by_order);
            entries.truncate(shown.end);
        }
        if 0 < shown.start && shown.start < entries.len() {
            entries.select_nth_unstable_by(shown.start, by_order);
        }
        let entries = &mut entries[shown.start..];
        entries.sort_unstable_by(by_order);
        entries.iter().map(|(_, position)| *position).collect()
    }
}

impl Column<'_> {
    fn compare(&self, left: usize, right: usize) -> Ordering {
        let ascending = match &self.cells {
            // rule: list/sort-numbers
            Cells::Numbers(numbers) => numbers[left].partial_cmp(&numbers[right]).unwrap_or(Ordering::Equal),
            Cells::Texts(keys) => keys[left].cmp(keys[right]),
            Cells::Mixed(fields) => match (fields[left], fields[right]) {
                (Some(left), Some(right)) => compare_fields(left, right),
                // rule: list/sort-missing
                _ => Ordering::Equal,
            },
        };
        // rule: list/sort-ascending
        if self.descending { ascending.reverse() } else { ascending }
    }

    /// Numbers that stand to one another as the books do, or are equal where they cannot tell.
    fn heads(&self) -> Vec<u64> {
        let mut heads: Vec<u64> = match &self.cells {
            Cells::Numbers(numbers) => numbers.iter().map(|number| ordered_bits(*number)).collect(),
            Cells::Texts(keys) => keys.iter().map(|key| key.head()).collect(),
            Cells::Mixed(fields) => vec![0; fields.len()],
        };
        if self.descending {
            heads.iter_mut().for_each(|head| *head = !*head);
        }
        heads
    }
}

impl<'a> Cells<'a> {
    fn of(books: &[&'a Book], name: &str) -> Cells<'a> {
        let fields: Vec<Option<&Field>> = books.iter().map(|book| book.field(name)).collect();
        let number = |field: &Option<&Field>| match field.map(Field::datum) {
            Some(Datum::Number(number)) => Some(*number),
            _ => None,
        };
        if let Some(numbers) = fields.iter().map(number).collect() {
            return Cells::Numbers(numbers);
        }
        let is_text = |field: &Option<&Field>| matches!(field.map(Field::datum), Some(Datum::Text(_)));
        if fields.iter().all(is_text)
            && let Some(keys) = fields.iter().map(|field| field.and_then(Field::collation_key)).collect()
        {
            return Cells::Texts(keys);
        }
        Cells::Mixed(fields)
    }
}

fn compare_fields(left: &Field, right: &Field) -> Ordering {
    match (left.collation_key(), right.collation_key()) {
        // rule: list/sort-text-locale
        (Some(left), Some(right)) => left.cmp(right),
        _ => compare::by_operators(left.datum(), right.datum()),
    }
}

/// The bits of a double, turned so that they order as the numbers do; both zeros alike.
fn ordered_bits(number: f64) -> u64 {
    let bits = (number + 0.0).to_bits();
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}

/// Sorts by any comparison, a total order or not, in the same way every time; equals stay in the order given.
///
/// Of two neighbours in the result the first is never the greater.
// rule: list/sort-missing-many
fn merge_sort(mut items: Vec<usize>, compare: impl Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut merged = Vec::with_capacity(items.len());
    let mut run = 1;
    while run < items.len() {
        for pair in items.chunks(2 * run) {
            let (mut left, mut right) = pair.split_at(run.min(pair.len()));
            while let ([first, left_rest @ ..], [second, right_rest @ ..]) = (left, right) {
                if compare(*first, *second).is_gt() {
                    merged.push(*second);
                    right = right_rest;
                } else {
                    merged.push(*first);
                    left = left_rest;
                }
            }
            merged.extend_from_slice(left);
            merged.extend_from_slice(right);
        }
        std::mem::swap(&mut items, &mut merged);
        merged.clear();
        run *= 2;
    }
    items
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_relation_yields_a_permutation_with_neighbours_in_order(relation in prop::collection::vec(-1i8..=1, 900), count in 0usize..30) {
            let compare = |left: usize, right: usize| {
                let (low, high) = (left.min(right), left.max(right));
                let sign = relation[low * 30 + high].cmp(&0);
                if left <= right { sign } else { sign.reverse() }
            };
            let sorted = merge_sort((0..count).collect(), compare);
            for pair in sorted.windows(2) {
                prop_assert!(compare(pair[0], pair[1]).is_le());
            }
            let mut items = sorted;
            items.sort_unstable();
            prop_assert_eq!(items, (0..count).collect::<Vec<_>>());
        }

        #[test]
        fn a_total_order_is_sorted_stably(numbers in prop::collection::vec(0u8..5, 0..40)) {
            let sorted = merge_sort((0..numbers.len()).collect(), |left, right| numbers[left].cmp(&numbers[right]));
            let mut expected: Vec<usize> = (0..numbers.len()).collect();
            expected.sort_by_key(|position| numbers[*position]);
            prop_assert_eq!(sorted, expected);
        }

        #[test]
        fn bits_order_as_numbers_do(left in any::<f64>(), right in any::<f64>()) {
            if let Some(order) = left.partial_cmp(&right) {
                prop_assert_eq!(ordered_bits(left).cmp(&ordered_bits(right)), order);
            }
        }
    }
}
