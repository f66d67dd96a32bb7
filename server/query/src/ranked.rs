//! A page of one segment's rows in a total order: by the ranks of their codes, equals by row. Sorts no more than the page.
//!
//! The first key decides which groups of equal rank the page spans; each further key is read only for the groups at the page's two ends.

use std::borrow::Cow;
use std::ops::Range;

use super::bits::Bits;
use super::column::Column;
use super::hits::Hits;
use super::sort_key::Key;

/// Walking four rows in the column's order costs as much as gathering one row and selecting from it.
const WALKED: usize = 4;

/// If at most one row in 64 is not a hit, bisection finds the group where the page begins; otherwise the walk reaches it.
const LOOKED_UP: usize = 64;

/// The rows at the positions `shown` of the order by `keys`; every row has every key's field.
pub(super) fn window(hits: &Hits<'_>, keys: &[Key<'_>], shown: Range<usize>) -> Vec<u32> {
    let (Some((first, others)), false) = (keys.split_first(), shown.is_empty()) else {
        return hits.slice(shown);
    };
    let Some(column) = first.column else { return window(hits, others, shown) };
    let walked = |rows: usize| shown.end.saturating_mul(column.present()) / WALKED < rows.saturating_mul(rows);
    match hits {
        Hits::All(_) => walk(hits, column, first.descending, others, shown),
        Hits::Bits(_, count) if walked(*count) => walk(hits, column, first.descending, others, shown),
        Hits::Rows(rows) if walked(rows.len()) => {
            let mut bits = Bits::none(column.rows);
            rows.iter().for_each(|row| bits.insert(*row));
            walk(&Hits::Bits(bits, rows.len()), column, first.descending, others, shown)
        }
        Hits::Rows(_) | Hits::Bits(..) => select(&hits.to_vec(), column, first.descending, others, shown),
    }
}

/// Walks along the column's own order, group by group, until the page is full.
fn walk(hits: &Hits<'_>, column: &Column, descending: bool, others: &[Key<'_>], shown: Range<usize>) -> Vec<u32> {
    let mut window = Window { others, shown: shown.clone(), rows: Vec::with_capacity(shown.len()) };
    let distinct = column.dictionary.len();
    let (mut code, mut before) = first_group(hits, column, descending, shown.start);
    loop {
        let group = column.dictionary.tied_with(code);
        let rows = members(hits, column, &group);
        window.add(before, &rows);
        before += rows.len();
        if before >= shown.end {
            return window.rows;
        }
        code = match (descending, group) {
            (true, Range { start: 0, .. }) => return window.rows,
            (true, group) => group.start - 1,
            (false, group) if group.end == distinct => return window.rows,
            (false, group) => group.end,
        };
    }
}

/// A code of the group that holds the row at `place`, or of an earlier group, and the number of rows before that group.
fn first_group(hits: &Hits<'_>, column: &Column, descending: bool, place: usize) -> (u32, usize) {
    let distinct = column.dictionary.len();
    let outermost = if descending { distinct - 1 } else { 0 };
    if place == 0 {
        return (outermost, 0);
    }
    // The codes of the few rows that are no hits, ascending.
    let skipped = match hits {
        Hits::All(_) => Vec::new(),
        Hits::Bits(bits, count) if column.is_complete() && column.present() - count <= column.present() / LOOKED_UP => {
            let mut others = Bits::all(column.present());
            others.subtract(bits);
            let mut codes: Vec<u32> = others.rows().filter_map(|row| column.code(row)).collect();
            codes.sort_unstable();
            codes
        }
        _ => return (outermost, 0),
    };
    let rows_before = |code: u32| column.rows_before(code) - skipped.partition_point(|other| *other < code);
    let place = if descending { rows_before(distinct) - 1 - place } else { place };
    // The last code with at most `place` rows before it.
    let (mut low, mut high) = (0, distinct);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if rows_before(middle) <= place { low = middle } else { high = middle }
    }
    let group = column.dictionary.tied_with(low);
    let before = if descending { rows_before(distinct) - rows_before(group.end) } else { rows_before(group.start) };
    (low, before)
}

/// The rows of a group of codes that are among the hits, ascending.
fn members<'a>(hits: &Hits<'_>, column: &'a Column, group: &Range<u32>) -> Cow<'a, [u32]> {
    let rows = column.rows_of_range(group.start, group.end);
    let mut rows = match hits {
        Hits::Bits(bits, _) => Cow::Owned(rows.iter().copied().filter(|row| bits.contains(*row)).collect::<Vec<_>>()),
        Hits::All(_) | Hits::Rows(_) => Cow::Borrowed(rows),
    };
    if group.len() > 1 {
        rows.to_mut().sort_unstable();
    }
    rows
}

/// Selects the page from rows gathered with their ranks.
fn select(rows: &[u32], column: &Column, descending: bool, others: &[Key<'_>], shown: Range<usize>) -> Vec<u32> {
    // rule: list/sort-ascending
    let rank = |row: u32| if descending { !column.rank(row) } else { column.rank(row) };
    let mut entries: Vec<u64> = rows.iter().map(|row| u64::from(rank(*row)) << 32 | u64::from(*row)).collect();
    if shown.end < entries.len() {
        entries.select_nth_unstable(shown.end);
        entries.truncate(shown.end);
    }
    if 0 < shown.start {
        entries.select_nth_unstable(shown.start);
    }
    let entries = &mut entries[shown.start..];
    entries.sort_unstable();
    if others.is_empty() {
        return entries.iter().map(|entry| *entry as u32).collect();
    }
    let mut window = Window { others, shown: shown.clone(), rows: Vec::with_capacity(shown.len()) };
    let mut at = shown.start;
    for group in entries.chunk_by(|left, right| left >> 32 == right >> 32) {
        let rank_of_group = (group[0] >> 32) as u32;
        if at == shown.start || at + group.len() == shown.end {
            // The groups at the two ends may have rows beyond the page.
            let whole: Vec<u32> = rows.iter().copied().filter(|row| rank(*row) == rank_of_group).collect();
            let before = rows.iter().filter(|row| rank(**row) < rank_of_group).count();
            window.add(before, &whole);
        } else {
            window.add(at, &group.iter().map(|entry| *entry as u32).collect::<Vec<_>>());
        }
        at += group.len();
    }
    window.rows
}

/// Collects the rows at the positions `shown`, one group of equal rank after the other.
struct Window<'a> {
    others: &'a [Key<'a>],
    shown: Range<usize>,
    rows: Vec<u32>,
}

impl Window<'_> {
    /// Adds the rows of a group that lie in the window, given the number of rows before the group.
    fn add(&mut self, before: usize, group: &[u32]) {
        let start = self.shown.start.clamp(before, before + group.len()) - before;
        let end = self.shown.end.clamp(before, before + group.len()) - before;
        // rule: list/sort-several, list/sort-stable
        self.rows.extend(window(&Hits::Rows(Cow::Borrowed(group)), self.others, start..end));
    }
}
