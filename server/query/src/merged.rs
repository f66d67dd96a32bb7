//! A page of the rows of several segments in a total order: each sorts what may lie on the page, what is before the page is skipped by
//! comparing a few rows, and the rest is merged.

use std::cmp::Ordering;
use std::ops::Range;
use std::sync::Arc;

use super::book::Book;
use super::dictionary::Class;
use super::sort_key::Key;
use super::view::{Found, View};
use super::{collate, compare, ranked};

/// One row's value under one key, comparable across segments.
enum Cell<'a> {
    Number(f64),
    Text(Box<[u8]>),
    Composite(&'a str),
}

/// The rows of one segment that may lie on the page or before it, in order.
struct Run<'a> {
    segment: &'a View<'a>,
    keys: Vec<Key<'a>>,
    rows: Vec<u32>,
}

struct Candidate<'a> {
    book: &'a Arc<Book>,
    cells: Vec<Cell<'a>>,
}

impl<'a> Run<'a> {
    fn candidate(&self, at: usize) -> Option<Candidate<'a>> {
        let row = *self.rows.get(at)?;
        let cells = self.keys.iter().filter_map(|key| cell(key, row)).collect();
        Some(Candidate { book: self.segment.book(row), cells })
    }
}

/// The books at the positions `shown` of the order by the keys that `keys_of` gives for each segment.
pub(super) fn window<'a>(
    found: &[Found<'a>],
    keys_of: impl Fn(&'a View<'a>) -> Vec<Key<'a>>,
    shown: Range<usize>,
) -> Vec<&'a Arc<Book>> {
    let total: usize = found.iter().map(|found| found.hits.len()).sum();
    let (mut before, mut runs) = (shown.start, Vec::new());
    for Found { segment, hits } in found {
        let keys = keys_of(segment);
        // Whatever the other segments hold, these rows are before the page, or after it.
        let end = shown.end.min(hits.len());
        let start = shown.start.saturating_sub(total - hits.len()).min(end);
        before -= start;
        runs.push(Run { segment, rows: ranked::window(hits, &keys, start..end), keys });
    }
    let Some(first) = runs.first() else { return Vec::new() };
    let descending: Vec<bool> = first.keys.iter().map(|key| key.descending).collect();
    let in_order = |left: &Candidate<'_>, right: &Candidate<'_>| compare(left, right, &descending);
    while before > 0 {
        // Of the rows that far ahead in each run, the first has fewer than `before` rows before it: it is before the page itself.
        let step = (before / runs.len()).max(1);
        let ahead = runs.iter().enumerate().filter_map(|(number, run)| Some((number, run.candidate(step - 1)?)));
        let Some((number, _)) = ahead.min_by(|left, right| in_order(&left.1, &right.1)) else { break };
        runs[number].rows.drain(..step);
        before -= step;
    }
    // The runs are in order already: a stable sort finds and merges them.
    let on_page = runs.iter().flat_map(|run| (0..shown.len()).map_while(|at| run.candidate(at)));
    let mut candidates: Vec<Candidate<'a>> = on_page.collect();
    candidates.sort_by(in_order);
    candidates.into_iter().take(shown.len()).map(|candidate| candidate.book).collect()
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
