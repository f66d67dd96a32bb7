//! Shows a book on a page: whole, or the fields that the query lists. Copies JSON text, never serialises.

use std::collections::BTreeSet;

use super::book::{Book, FieldName};
use crate::json;

/// The names that a query lists, each once, in their order; empty for whole books.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Selection {
    names: Vec<FieldName>,
}

impl Selection {
    pub(super) fn parse(values: &[impl AsRef<str>]) -> Selection {
        let mut listed = BTreeSet::new();
        Selection { names: split(values).filter(|name| listed.insert(*name)).map(FieldName::new).collect() }
    }

    pub(super) fn write_to(&self, out: &mut String, book: &Book) {
        // rule: list/fields-empty
        if self.names.is_empty() {
            out.push_str(book.text());
            return;
        }
        out.push('{');
        // rule: list/fields-select, list/fields-lacking, list/fields-no-id-added
        json::write_separated(out, self.names.iter().filter_map(|name| book.entry(name)), String::push_str);
        out.push('}');
    }
}

/// The names in the values of a parameter: split at commas, repetitions joined, empty ones skipped, spaces kept.
pub(super) fn split(values: &[impl AsRef<str>]) -> impl Iterator<Item = &str> {
    // rule: list/sort-repeated, list/fields-repeated, list/name-spaces
    let names = values.iter().flat_map(|value| value.as_ref().split(','));
    // rule: list/empty-names
    names.filter(|name| !name.is_empty())
}
