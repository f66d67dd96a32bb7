//! The text search `q`: looks at each distinct text of a segment once, then returns the rows that have a matching one.
//!
//! If other conditions leave few rows, it looks at the texts of these rows only.

use std::borrow::Cow;

use memchr::memmem::Finder;

use super::bits::Bits;
use super::column::Column;
use super::hits::Hits;
use super::segment::Segment;
use super::{parallel, texts};

/// Bytes that a search passes in the time of looking at one row's texts.
const BYTES_A_ROW: usize = 4096;
/// Above this fraction (1/n) of rows, rows are gathered as bits.
const GATHERED: usize = 32;

/// Fewest bytes of texts that a column has searched on a separate thread.
const SPLIT: usize = 32 << 20;

/// Folded texts, one of which must be found; none when everything is.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Search {
    texts: Vec<String>,
}

impl Search {
    /// Takes texts as sent: any of them suffices, and an empty one is found in every book.
    pub(super) fn new(sent: &[impl AsRef<str>]) -> Search {
        // rule: list/q-empty
        if sent.iter().any(|text| text.as_ref().is_empty()) {
            return Search::default();
        }
        // rule: list/q-as-sent, list/q-spelling, list/q-comma, list/q-repeated
        let mut texts: Vec<String> = sent.iter().map(|text| texts::fold(text.as_ref())).collect();
        texts.sort_unstable();
        texts.dedup();
        Search { texts }
    }

    pub(super) fn count(&self) -> usize {
        self.texts.len()
    }

    pub(super) fn finds_all(&self) -> bool {
        self.texts.is_empty()
    }

    /// The rows of `hits` that match.
    pub(super) fn among<'a>(&self, hits: Hits<'a>, segment: &'a Segment) -> Hits<'a> {
        if self.finds_all() || hits.len() == 0 {
            return hits;
        }
        // rule: list/q-contains, list/q-literal
        let finders: Vec<Finder<'_>> = self.texts.iter().map(Finder::new).collect();
        let bytes: usize = segment.searched().map(|column| column.dictionary.texts.folded.size()).sum();
        let bytes = bytes + segment.rare.folded.size();
        if hits.len() < bytes / BYTES_A_ROW {
            let mut rows = hits.to_vec();
            let is_in_column = |row: u32| segment.searched().any(|column| is_in_row(&finders, column, row));
            rows.retain(|row| is_in_column(*row) || segment.rare.is_in_row(&finders, *row));
            return Hits::Rows(Cow::Owned(rows));
        }
        match (in_segment(&finders, segment), hits) {
            (Hits::All(_), hits) => hits,
            (found, Hits::All(_)) => found,
            (Hits::Rows(rows), Hits::Bits(bits, _)) | (Hits::Bits(bits, _), Hits::Rows(rows)) => {
                Hits::Rows(Cow::Owned(rows.iter().copied().filter(|row| bits.contains(*row)).collect()))
            }
            (Hits::Bits(mut found, _), Hits::Bits(bits, _)) => {
                found.intersect(&bits);
                Hits::of_bits(found)
            }
            (Hits::Rows(found), Hits::Rows(rows)) => {
                Hits::Rows(Cow::Owned(rows.iter().copied().filter(|row| found.binary_search(row).is_ok()).collect()))
            }
        }
    }
}

fn is_in_row(finders: &[Finder<'_>], column: &Column, row: u32) -> bool {
    let dictionary = &column.dictionary;
    let Some(code) = column.code(row).filter(|code| dictionary.texts().contains(code)) else { return false };
    texts::finds(finders, dictionary.texts.folded.get((code - dictionary.texts().start) as usize))
}

fn in_segment(finders: &[Finder<'_>], segment: &Segment) -> Hits<'static> {
    let size = |column: &&Column| column.dictionary.texts.folded.size();
    let (large, small): (Vec<&Column>, Vec<&Column>) = segment.searched().partition(|column| size(column) >= SPLIT);
    // A text that every row of a small field contains needs no search of the large fields.
    let Some(mut found) = in_columns(finders, &small) else { return Hits::All(segment.len()) };
    if let Some((last, others)) = large.split_last() {
        let (in_last, in_others) = parallel::both(
            !others.is_empty(),
            || in_columns(finders, std::slice::from_ref(last)),
            || in_columns(finders, others),
        );
        let (Some(in_last), Some(in_others)) = (in_last, in_others) else {
            return Hits::All(segment.len());
        };
        found.extend(in_others);
        found.extend(in_last);
    }
    rows_of(&found, &segment.rare.search(finders), segment.len())
}

/// The matching codes of each column; `None` if every row of the segment has one.
fn in_columns<'a>(finders: &[Finder<'_>], columns: &[&'a Column]) -> Option<Vec<(&'a Column, Vec<u32>)>> {
    let mut found = Vec::with_capacity(columns.len());
    for column in columns {
        let codes = in_column(finders, column);
        if column.is_complete() && codes.len() == column.dictionary.len() as usize {
            return None;
        }
        found.push((*column, codes));
    }
    Some(found)
}

/// The rows with a matching code, and `others`.
fn rows_of(found: &[(&Column, Vec<u32>)], others: &[u32], rows: usize) -> Hits<'static> {
    let of_codes = || found.iter().flat_map(|(column, codes)| codes.iter().map(|code| column.rows_of(*code)));
    let lists = || of_codes().chain([others]);
    if lists().map(<[u32]>::len).sum::<usize>() <= rows / GATHERED {
        let mut rows: Vec<u32> = lists().flatten().copied().collect();
        rows.sort_unstable();
        rows.dedup();
        return Hits::Rows(Cow::Owned(rows));
    }
    let mut bits = Bits::none(rows);
    lists().flatten().for_each(|row| bits.insert(*row));
    Hits::of_bits(bits)
}

/// The codes of the texts that match.
fn in_column(finders: &[Finder<'_>], column: &Column) -> Vec<u32> {
    let dictionary = &column.dictionary;
    let first = dictionary.texts().start;
    dictionary.texts.folded.search_any(finders).into_iter().map(|number| first + number).collect()
}
