//! The sort keys of a query: the field names of `sort` with their directions, and what they name in a segment. Sorts nothing.

use std::collections::BTreeSet;

use super::book::FieldName;
use super::column::Column;
use super::select::split;
use super::view::View;

/// One field name of `sort`, with its direction.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SortKey {
    field: FieldName,
    descending: bool,
}

/// A sort key put to a segment.
#[derive(Debug, Clone, Copy)]
pub(super) struct Key<'a> {
    pub(super) column: Option<&'a Column>,
    pub(super) descending: bool,
}

impl SortKey {
    /// Reads the values of `sort`, in order of weight. A name given again decides nothing that it has left undecided.
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

    pub(super) fn field(&self) -> &FieldName {
        &self.field
    }

    pub(super) fn of<'a>(&self, segment: &'a View<'a>) -> Key<'a> {
        Key { column: segment.column(&self.field), descending: self.descending }
    }
}
