//! The order of a list by the fields a query names, over the rows that the segments of a collection keep.
//!
//! A field that one of two books lacks is skipped for the two, so the order asked for need not be a total one: three books
//! may go round in a circle. Where every book kept has every field and values of different classes do not meet it is total, and
//! only the page shown is sorted; elsewhere every pair of a merge sort is decided by itself.

use std::ops::Range;
use std::sync::Arc;

use super::book::Book;
use super::column::Column;
use super::dictionary::Class;
use super::hits::Hits;
use super::sort_key::{Key, SortKey};
use super::view::Found;
use super::{merged, ranked, unordered};

/// What the books kept hold under one sort key.
#[derive(Debug, Clone, Copy, PartialEq)]
enum KeyValues {
    /// No book has the field: it decides nothing.
    Absent,
    /// Every book has the field, with values of one class.
    Ordered(Class),
    /// Classes that mix, or fields that are missing.
    Mixed,
}

fn kind_of(key: &SortKey, found: &[Found<'_>]) -> KeyValues {
    let mut kinds = found.iter().map(|found| kind(key.of(found.segment).column, &found.hits));
    let first = kinds.next().unwrap_or(KeyValues::Absent);
    if kinds.all(|kind| kind == first) { first } else { KeyValues::Mixed }
}

fn kind(column: Option<&Column>, hits: &Hits<'_>) -> KeyValues {
    let Some(column) = column else { return KeyValues::Absent };
    if column.is_complete()
        && let Some(class) = column.dictionary.only_class()
    {
        return KeyValues::Ordered(class);
    }
    let class = |row: u32| column.code(row).map(|code| column.dictionary.class(code));
    let Some(&first) = hits.slice(0..1).first() else { return KeyValues::Absent };
    let first = class(first);
    match (hits.all(|row| class(row) == first), first) {
        (true, Some(class)) => KeyValues::Ordered(class),
        // rule: list/sort-unknown-field
        (true, None) => KeyValues::Absent,
        (false, _) => KeyValues::Mixed,
    }
}

/// The books at the positions `shown` of all found books once sorted; equals stay in order of id.
pub(super) fn window<'a>(mut found: Vec<Found<'a>>, keys: &[SortKey], shown: Range<usize>) -> Vec<&'a Arc<Book>> {
    if shown.is_empty() {
        return Vec::new();
    }
    found.retain(|found| found.hits.len() > 0);
    let kinds: Vec<KeyValues> = keys.iter().map(|key| kind_of(key, &found)).collect();
    let known = keys.iter().zip(&kinds).filter(|(_, kind)| **kind != KeyValues::Absent).map(|(key, _)| key);
    let known: Vec<&SortKey> = known.collect();
    if kinds.contains(&KeyValues::Mixed) {
        return unordered::window(&found, &known, shown);
    }
    match found.as_slice() {
        [only] => {
            let keys: Vec<Key<'a>> = known.iter().map(|key| key.of(only.segment)).collect();
            let rows = ranked::window(&only.hits, &keys, shown);
            rows.into_iter().map(|row| only.segment.book(row)).collect()
        }
        several => merged::window(several, &known, shown),
    }
}
