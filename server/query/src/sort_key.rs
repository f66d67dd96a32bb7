//! The sort keys of a query: the field names of `sort` with their directions, and the values of rows under them. Sorts nothing.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use super::book::FieldName;
use super::column::Column;
use super::dictionary::{Class, Dictionary};
use super::select::split;
use super::view::View;
use super::{collate, compare};

/// One field name of `sort`, with its direction.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SortKey {
    pub(super) field: FieldName,
    descending: bool,
}

/// A sort key put to a segment.
#[derive(Debug, Clone, Copy)]
pub(super) struct Key<'a> {
    pub(super) column: Option<&'a Column>,
    pub(super) descending: bool,
}

/// One row's value under one key.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cell<'a> {
    dictionary: &'a Dictionary,
    code: u32,
    class: Class,
    rank: u32,
}

impl SortKey {
    /// Reads the names in the values of `sort`: the first decides, each further one only between equals. A repeated name decides nothing.
    pub(super) fn parse(values: &[impl AsRef<str>]) -> Vec<SortKey> {
        let mut named = BTreeSet::new();
        split(values)
            .map(|name| match name.strip_prefix('-') {
                // rule: list/sort-descending, list/empty-names
                Some(field) => (field, true),
                // rule: list/sort-ascending
                None => (name, false),
            })
            .filter(|(field, _)| named.insert(*field))
            .map(|(field, descending)| SortKey { field: FieldName::new(field), descending })
            .collect()
    }

    pub(super) fn of<'a>(&self, segment: &'a View<'a>) -> Key<'a> {
        Key { column: segment.column(&self.field), descending: self.descending }
    }
}

impl<'a> Key<'a> {
    /// The row's value; `None` where it lacks the field.
    pub(super) fn cell(&self, row: u32) -> Option<Cell<'a>> {
        let column = self.column?;
        let (dictionary, code) = (&column.dictionary, column.code(row)?);
        Some(Cell { dictionary, code, class: dictionary.class(code), rank: dictionary.rank(code) })
    }
}

impl Cell<'_> {
    fn compare(&self, other: &Self) -> Ordering {
        if self.class == other.class && std::ptr::eq(self.dictionary, other.dictionary) {
            // rule: list/sort-numbers, list/sort-text-locale
            return self.rank.cmp(&other.rank);
        }
        match (self.class, other.class) {
            // rule: list/sort-text-locale
            (Class::Text, Class::Text) => {
                collate::compare(&self.dictionary.text(self.code), &other.dictionary.text(other.code))
            }
            _ => compare::by_operators(&self.dictionary.value(self.code), &other.dictionary.value(other.code)),
        }
    }
}

/// The order of two rows by their values under these keys; a field that one of them lacks decides nothing.
pub(super) fn compare<'a>(
    left: impl Iterator<Item = Option<Cell<'a>>>,
    right: impl Iterator<Item = Option<Cell<'a>>>,
    keys: &[&SortKey],
) -> Ordering {
    let mut decided = left.zip(right).zip(keys).map(|(cells, key)| {
        // rule: list/sort-missing
        let (Some(left), Some(right)) = cells else { return Ordering::Equal };
        let ascending = left.compare(&right);
        if key.descending { ascending.reverse() } else { ascending }
    });
    decided.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}
