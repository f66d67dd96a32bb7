//! The fields that few books of a segment have: the place of each in its book, found by name; and their texts, for searches.
//!
//! A column costs half a kilobyte however few rows it has, a place twelve bytes. Where a query names such a field, it gets a column.

use std::hash::BuildHasher as _;
use std::sync::Arc;

use hashbrown::{DefaultHashBuilder, HashMap, HashSet};
use memchr::memmem::Finder;

use super::book::{Book, FieldName};
use super::column::{Column, ColumnBuilder};
use super::js_value::JsValue;
use super::texts::{Texts, finds};

/// Fewest rows with a field for which it gets a column in a segment of many names.
const COLUMN_ROWS_MIN: u32 = 1024;

/// One entry `"name":value` of a book.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    row: u32,
    start: u32,
    end: u32,
}

#[derive(Debug, Default)]
pub(super) struct Rare {
    /// By the hash of the name, then by row.
    pub(super) places: Box<[Place]>,
    hasher: DefaultHashBuilder,
    /// The texts among the values, in order of row.
    pub(super) folded: Texts,
    text_rows: Box<[u32]>,
}

#[derive(Debug, Default)]
pub(super) struct RareBuilder {
    places: Vec<(u32, Place)>,
    hasher: DefaultHashBuilder,
    folded: Texts,
    text_rows: Vec<u32>,
}

/// The names that many books have.
pub(super) fn frequent_names(books: &[Arc<Book>]) -> HashSet<FieldName> {
    let mut counts = HashMap::<&str, u32>::new();
    for entry in books.iter().flat_map(|book| book.entries()) {
        *counts.entry(FieldName::in_entry(entry)).or_default() += 1;
    }
    counts
        .into_iter()
        .filter(|(_, count)| *count >= COLUMN_ROWS_MIN)
        .map(|(name, _)| FieldName::of_json(name))
        .collect()
}

impl RareBuilder {
    /// Adds the entry at `start` in the book of this row; rows come in ascending order.
    pub(super) fn push(&mut self, row: u32, start: usize, entry: &str) {
        let name = FieldName::in_entry(entry);
        let place = Place { row, start: start as u32, end: (start + entry.len()) as u32 };
        self.places.push((hash(&self.hasher, name), place));
        let value = &entry[name.len()..];
        // rule: list/q-text-only
        if value.starts_with('"')
            && let JsValue::Text(text) = JsValue::read(value)
        {
            self.folded.push_folded(&text);
            self.text_rows.push(row);
        }
    }

    pub(super) fn finish(mut self) -> Rare {
        self.places.sort_unstable_by_key(|(hash, place)| (*hash, place.row));
        self.folded.shrink();
        let places = self.places.iter().map(|(_, place)| *place).collect();
        Rare { places, hasher: self.hasher, folded: self.folded, text_rows: self.text_rows.into_boxed_slice() }
    }
}

impl Rare {
    /// A column of this field of the segment that holds `books`; `None` where it is none of these.
    pub(super) fn column(&self, name: &FieldName, books: &[Arc<Book>]) -> Option<Column> {
        let entry = |place: &Place| &books[place.row as usize].text()[place.start as usize..place.end as usize];
        let hash_of = |place: &Place| hash(&self.hasher, FieldName::in_entry(entry(place)));
        let wanted = hash(&self.hasher, name.json());
        let first = self.places.partition_point(|place| hash_of(place) < wanted);
        let mut column = ColumnBuilder::new(0);
        for place in self.places[first..].iter().take_while(|place| hash_of(place) == wanted) {
            if let Some(value) = entry(place).strip_prefix(name.json()) {
                column.push(place.row, &JsValue::read(value));
            }
        }
        (!column.codes.is_empty()).then(|| column.finish(books.len(), 1))
    }

    /// The rows with a text that matches.
    pub(super) fn search(&self, finders: &[Finder<'_>]) -> Vec<u32> {
        self.folded.search_any(finders).into_iter().map(|number| self.text_rows[number as usize]).collect()
    }

    /// Whether a text of this row matches.
    pub(super) fn is_in_row(&self, finders: &[Finder<'_>], row: u32) -> bool {
        let first = self.text_rows.partition_point(|other| *other < row);
        let mut numbers = (first..).take_while(|number| self.text_rows.get(*number) == Some(&row));
        numbers.any(|number| finds(finders, self.folded.get(number)))
    }
}

fn hash(hasher: &DefaultHashBuilder, name: &str) -> u32 {
    hasher.hash_one(name) as u32
}
