//! A page of rows whose order is not total, because fields are missing or values of several classes meet.
//!
//! Every pair is decided by itself. The outcome for three or more books depends on which pairs are asked: always those of one
//! merge sort from the bottom up, over the books in order of id, so that it is the same every time.

use std::cmp::Ordering;
use std::ops::Range;
use std::sync::Arc;

use super::book::Book;
use super::dictionary::{Class, Dictionary};
use super::sort_key::Key;
use super::view::{Found, View};
use super::{collate, compare, parallel};

/// From this many rows on, the halves of a sort run in parallel.
const PARALLEL: usize = 50_000;

/// One row's value under one key.
#[derive(Clone, Copy)]
struct Cell<'a> {
    dictionary: &'a Dictionary,
    code: u32,
    class: Class,
    rank: u32,
}

struct Row<'a> {
    book: &'a Arc<Book>,
    /// Where the row's cells begin.
    cells: usize,
}

/// The books at the positions `shown` of the order by the keys that `keys_of` gives for each segment.
pub(super) fn window<'a>(
    found: &[Found<'a>],
    keys_of: impl Fn(&'a View<'a>) -> Vec<Key<'a>>,
    shown: Range<usize>,
) -> Vec<&'a Arc<Book>> {
    let mut rows = Vec::new();
    let mut cells: Vec<Option<Cell<'a>>> = Vec::new();
    let mut directions = Vec::new();
    for Found { segment, hits } in found {
        let keys = keys_of(segment);
        hits.for_each(|row| {
            rows.push(Row { book: segment.book(row), cells: cells.len() });
            cells.extend(keys.iter().map(|key| cell(key, row)));
        });
        directions = keys.iter().map(|key| key.descending).collect();
    }
    if found.len() > 1 {
        rows.sort_by_key(|row| row.book.id());
    }
    let compare = |left: &Row<'a>, right: &Row<'a>| {
        let decide = |(key, descending): (usize, &bool)| {
            // rule: list/sort-missing
            let (Some(left), Some(right)) = (&cells[left.cells + key], &cells[right.cells + key]) else {
                return Ordering::Equal;
            };
            let ascending = compare_cells(left, right);
            if *descending { ascending.reverse() } else { ascending }
        };
        directions.iter().enumerate().map(decide).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    };
    merge_sort(&rows, compare)[shown].iter().map(|at| rows[*at as usize].book).collect()
}

fn cell<'a>(key: &Key<'a>, row: u32) -> Option<Cell<'a>> {
    let column = key.column?;
    let code = column.code(row)?;
    let dictionary = column.dictionary();
    Some(Cell { dictionary, code, class: dictionary.class(code), rank: dictionary.rank(code) })
}

fn compare_cells(left: &Cell<'_>, right: &Cell<'_>) -> Ordering {
    if left.class == right.class && std::ptr::eq(left.dictionary, right.dictionary) {
        // rule: list/sort-numbers, list/sort-text-locale
        return left.rank.cmp(&right.rank);
    }
    match (left.class, right.class) {
        (Class::Text, Class::Text) => {
            // rule: list/sort-text-locale
            collate::key(left.dictionary.text(left.code)).cmp(&collate::key(right.dictionary.text(right.code)))
        }
        _ => compare::by_operators(&left.dictionary.value(left.code), &right.dictionary.value(right.code)),
    }
}

/// Sorts by any comparison, a total order or not, in the same way every time; equals stay in the order given.
///
/// Of two neighbours in the result, which are places of items, the first is never the greater.
fn merge_sort<T: Sync>(items: &[T], compare: impl Fn(&T, &T) -> Ordering + Sync) -> Vec<u32> {
    let mut order: Vec<u32> = (0..items.len() as u32).collect();
    let cores = if items.len() < PARALLEL { 1 } else { parallel::cores() };
    let mut scratch = vec![0; order.len()];
    sort(&mut order, &mut scratch, cores, &|left, right| compare(&items[left as usize], &items[right as usize]));
    order
}

/// Cuts behind the largest power of two, so that the same pairs are compared as from the bottom up, in whichever thread.
fn sort(order: &mut [u32], scratch: &mut [u32], cores: usize, compare: &(impl Fn(u32, u32) -> Ordering + Sync)) {
    if order.len() < 2 {
        return;
    }
    let middle = order.len().next_power_of_two() / 2;
    let ((left, right), (free_left, free_right)) = (order.split_at_mut(middle), scratch.split_at_mut(middle));
    parallel::both(
        cores > 1,
        || sort(left, free_left, cores / 2, compare),
        || sort(right, free_right, cores - cores / 2, compare),
    );
    merge(left, right, scratch, compare);
    order.copy_from_slice(scratch);
}

fn merge(left: &[u32], right: &[u32], merged: &mut [u32], compare: &impl Fn(u32, u32) -> Ordering) {
    let (mut left, mut right) = (left.iter().peekable(), right.iter().peekable());
    for place in merged {
        let later = match (left.peek(), right.peek()) {
            // rule: list/sort-missing-many
            (Some(first), Some(second)) => compare(**first, **second).is_gt(),
            (first, _) => first.is_none(),
        };
        *place = *if later { right.next() } else { left.next() }.expect("as many places as rows");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_relation_yields_a_permutation_with_neighbours_in_order(relation in prop::collection::vec(-1i8..=1, 900), count in 0usize..30) {
            let compare = |left: &usize, right: &usize| {
                let (low, high) = (*left.min(right), *left.max(right));
                let sign = relation[low * 30 + high].cmp(&0);
                if left <= right { sign } else { sign.reverse() }
            };
            let sorted = merge_sort(&(0..count).collect::<Vec<_>>(), compare);
            let mut places: Vec<usize> = sorted.into_iter().map(|place| place as usize).collect();
            prop_assert!(places.is_sorted_by(|left, right| compare(left, right).is_le()));
            places.sort_unstable();
            prop_assert!(places.into_iter().eq(0..count));
        }
    }
}
