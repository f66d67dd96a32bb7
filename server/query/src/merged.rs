//! A page of several segments' rows in a total order. Each segment sorts the rows that may lie on the page; then the runs are merged.

use std::ops::Range;
use std::sync::Arc;

use super::book::Book;
use super::ranked;
use super::sort_key::{Cell, Key, SortKey, compare};
use super::view::{Found, View};

/// The rows of one segment that may lie on the page or before it, in order.
struct Run<'a> {
    segment: &'a View<'a>,
    keys: Vec<Key<'a>>,
    rows: Vec<u32>,
}

struct Candidate<'a> {
    book: &'a Arc<Book>,
    cells: Vec<Option<Cell<'a>>>,
}

impl<'a> Run<'a> {
    fn candidate(&self, at: usize) -> Option<Candidate<'a>> {
        let row = *self.rows.get(at)?;
        let cells = self.keys.iter().map(|key| key.cell(row)).collect();
        Some(Candidate { book: self.segment.book(row), cells })
    }
}

/// The books at the positions `shown` of the order by these keys.
pub(super) fn window<'a>(found: &[Found<'a>], keys: &[&SortKey], shown: Range<usize>) -> Vec<&'a Arc<Book>> {
    let total: usize = found.iter().map(|found| found.hits.len()).sum();
    let (mut before, mut runs) = (shown.start, Vec::new());
    for Found { segment, hits } in found {
        let keys: Vec<Key<'a>> = keys.iter().map(|key| key.of(segment)).collect();
        // Whatever the other segments hold, the rows up to `start` are before the page, and the rows from `end` on after it.
        let end = shown.end.min(hits.len());
        let start = shown.start.saturating_sub(total - hits.len()).min(end);
        before -= start;
        runs.push(Run { segment, rows: ranked::window(hits, &keys, start..end), keys });
    }
    let in_order = |left: &Candidate<'_>, right: &Candidate<'_>| {
        compare(left.cells.iter().copied(), right.cells.iter().copied(), keys)
            .then_with(|| left.book.id().cmp(&right.book.id()))
    };
    while before > 0 {
        // Compares the rows `step` ahead in each run: the first of them has fewer than `before` rows before it, so it precedes the page.
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
