//! The order of a list by the fields a query names, over the rows that the segments of a collection keep.
//!
//! A comparison skips a field that one of the two books lacks, so the order need not be total: three books may form a circle. It is
//! total if every book found has every field, with values of one class: then only the page is sorted. Otherwise a merge sort compares
//! every pair by itself.

use std::ops::Range;
use std::sync::Arc;

use super::book::Book;
use super::column::Column;
use super::dictionary::Class;
use super::hits::Hits;
use super::sort_key::{Key, SortKey};
use super::view::Found;
use super::{merged, ranked, unordered};

/// The values of the books found under one sort key.
#[derive(Debug, Clone, Copy, PartialEq)]
enum KeyValues {
    /// No book has the field: it decides nothing.
    Absent,
    /// Every book has the field, with values of one class.
    Ordered(Class),
    /// Classes that mix, or fields that are missing.
    Mixed,
}

fn values_of(key: &SortKey, found: &[Found<'_>]) -> KeyValues {
    let mut values = found.iter().map(|found| values_in(key.of(found.segment).column, &found.hits));
    let first = values.next().unwrap_or(KeyValues::Absent);
    if values.all(|others| others == first) { first } else { KeyValues::Mixed }
}

fn values_in(column: Option<&Column>, hits: &Hits<'_>) -> KeyValues {
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
    let values: Vec<KeyValues> = keys.iter().map(|key| values_of(key, &found)).collect();
    let deciding = keys.iter().zip(&values).filter(|(_, values)| **values != KeyValues::Absent);
    let keys: Vec<&SortKey> = deciding.map(|(key, _)| key).collect();
    if values.contains(&KeyValues::Mixed) {
        return unordered::window(&found, &keys, shown);
    }
    match found.as_slice() {
        [only] => {
            let keys: Vec<Key<'a>> = keys.iter().map(|key| key.of(only.segment)).collect();
            let rows = ranked::window(&only.hits, &keys, shown);
            rows.into_iter().map(|row| only.segment.book(row)).collect()
        }
        several => merged::window(several, &keys, shown),
    }
}
