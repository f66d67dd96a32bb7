//! A page of the rows of several segments in a total order: each sorts what may lie on the page, and these are merged.

use std::cmp::Ordering;
use std::ops::Range;
use std::sync::Arc;

use super::book::Book;
use super::dictionary::Class;
use super::found::Found;
use super::sort_key::Key;
use super::view::View;
use super::{collate, compare, ranked};

/// One row's value under one key, comparable across segments.
enum Cell<'a> {
    Number(f64),
    Text(Box<[u8]>),
    Composite(&'a str),
}

struct Candidate<'a> {
    book: &'a Arc<Book>,
    cells: Vec<Cell<'a>>,
}

/// The books at the positions `shown` of the order by the keys that `keys_of` gives for each segment.
pub(super) fn window<'a>(
    found: &[Found<'a>],
    keys_of: impl Fn(&'a View<'a>) -> Vec<Key<'a>>,
    shown: Range<usize>,
) -> Vec<&'a Arc<Book>> {
    let total: usize = found.iter().map(|found| found.hits.len()).sum();
    let mut skipped = 0;
    let mut candidates = Vec::new();
    let mut directions = Vec::new();
    for Found { segment, hits } in found {
        let keys = keys_of(segment);
        // Whatever the other segments hold, these rows are before the page, or after it.
        let start = shown.start.saturating_sub(total - hits.len());
        let end = shown.end.min(hits.len());
        let start = start.min(end);
        skipped += start;
        for row in ranked::window(hits, &keys, start..end) {
            let cells = keys.iter().filter_map(|key| cell(key, row)).collect();
            candidates.push(Candidate { book: segment.book(row), cells });
        }
        directions = keys.iter().map(|key| key.descending).collect();
    }
    // The runs of the segments are in order already: a stable sort finds and merges them.
    candidates.sort_by(|left, right| compare(left, right, &directions));
    candidates.drain(shown.start - skipped..shown.end - skipped).map(|candidate| candidate.book).collect()
}

fn cell<'a>(key: &Key<'a>, row: u32) -> Option<Cell<'a>> {
    let column = key.column?;
    let (dictionary, code) = (column.dictionary(), column.code(row)?);
    Some(match dictionary.class(code) {
        Class::Numeric => Cell::Number(dictionary.numbers[code as usize]),
        Class::Text => Cell::Text(collate::key(dictionary.text(code))),
        Class::Composite => Cell::Composite(dictionary.text(code)),
    })
}

fn compare(left: &Candidate<'_>, right: &Candidate<'_>, descending: &[bool]) -> Ordering {
    let cells = left.cells.iter().zip(&right.cells).zip(descending);
    let decided = cells.map(|((left, right), descending)| {
        let ascending = match (left, right) {
            // rule: list/sort-numbers
            (Cell::Number(left), Cell::Number(right)) => left.partial_cmp(right).unwrap_or(Ordering::Equal),
            // rule: list/sort-text-locale
            (Cell::Text(left), Cell::Text(right)) => left.cmp(right),
            (Cell::Composite(left), Cell::Composite(right)) => compare::by_code_unit(left, right),
            // Only values of one class come here.
            _ => Ordering::Equal,
        };
        if *descending { ascending.reverse() } else { ascending }
    });
    let decided = decided.fold(Ordering::Equal, Ordering::then);
    decided.then_with(|| left.book.id().cmp(&right.book.id()))
}
