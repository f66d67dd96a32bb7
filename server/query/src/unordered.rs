//! A page of rows whose order is not total, because fields are missing or values of several classes meet.
//!
//! The comparison decides each pair by itself, so the order of three or more books depends on which pairs are compared. These are
//! always the pairs of one merge sort from the bottom up, over the books in order of id: so the order is the same every time.

use std::cmp::Ordering;
use std::iter;
use std::ops::Range;
use std::sync::Arc;

use super::book::Book;
use super::parallel;
use super::sort_key::{Cell, Key, SortKey, compare};
use super::view::Found;

/// Fewest rows whose two halves are sorted in parallel.
const PARALLEL: usize = 50_000;

struct Row<'a> {
    book: &'a Arc<Book>,
    /// Its place in the segment of this number.
    row: u32,
    segment: usize,
    /// Its value under the first key, which nearly always decides: those under the others are looked up, since keys may be many.
    first: Option<Cell<'a>>,
}

/// The books at the positions `shown` of the order by these keys.
pub(super) fn window<'a>(found: &[Found<'a>], keys: &[&SortKey], shown: Range<usize>) -> Vec<&'a Arc<Book>> {
    let mut rows = Vec::new();
    let mut further: Vec<Vec<Key<'a>>> = Vec::new();
    for (number, Found { segment, hits }) in found.iter().enumerate() {
        let first = keys[0].of(segment);
        let row = |row| Row { book: segment.book(row), row, segment: number, first: first.cell(row) };
        rows.extend(hits.to_vec().into_iter().map(row));
        further.push(keys[1..].iter().map(|key| key.of(segment)).collect());
    }
    if found.len() > 1 {
        rows.sort_by_key(|row| row.book.id());
    }
    let cells_of = |row: &Row<'a>| {
        let place = row.row;
        iter::once(row.first).chain(further[row.segment].iter().map(move |key| key.cell(place)))
    };
    let order = merge_sort(&rows, |left, right| compare(cells_of(left), cells_of(right), keys));
    order[shown].iter().map(|at| rows[*at as usize].book).collect()
}

/// Sorts by any comparison, a total order or not, in the same way every time; equals keep their order. Returns positions of items.
/// Of two neighbours in the result, the first is never the greater.
fn merge_sort<T: Sync>(items: &[T], compare: impl Fn(&T, &T) -> Ordering + Sync) -> Vec<u32> {
    let mut order: Vec<u32> = (0..items.len() as u32).collect();
    let cores = if items.len() < PARALLEL { 1 } else { parallel::cores() };
    let mut scratch = vec![0; order.len()];
    sort(&mut order, &mut scratch, cores, &|left, right| compare(&items[left as usize], &items[right as usize]));
    order
}

/// Cuts after the largest power of two, so that any number of threads compares the same pairs as a sort from the bottom up.
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
