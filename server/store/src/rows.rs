//! Applies changes to records, in the order in which their keys were first stored. Knows no log.

use std::collections::{BTreeMap, BTreeSet};

use super::record::{Change, Kind, Loaded, Row};

/// Everything stored, by kind and key.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rows {
    /// Kinds that were ever stored, even if nothing of them is left.
    pub(crate) kinds: BTreeSet<Kind>,
    /// Each document with the place at which its key was first stored.
    pub(crate) records: BTreeMap<(Kind, String), (i64, String)>,
    places: i64,
}

impl Rows {
    /// Applies a change after all others.
    pub fn apply(&mut self, change: Change) {
        self.places += 1;
        self.apply_at(self.places, change);
    }

    /// Applies a change at this place in the order.
    pub(crate) fn apply_at(&mut self, place: i64, change: Change) {
        self.kinds.insert(change.kind());
        match change {
            Change::Put { kind, key, doc } => {
                // The new document gets the place of the one that it replaces.
                self.records.entry((kind, key)).or_insert((place, String::new())).1 = doc.to_string();
            }
            Change::Remove { kind, key } => _ = self.records.remove(&(kind, key)),
            Change::Clear { kind } => self.records.retain(|(other, _), _| *other != kind),
        }
    }

    /// The rows as a start reads them.
    pub fn into_loaded(self) -> Loaded {
        let mut loaded = Loaded::default();
        for kind in &self.kinds {
            loaded.open(kind.0);
        }
        for (kind, row) in self.in_order() {
            loaded.open(kind.0).push(row);
        }
        loaded
    }

    /// The changes that replace any content by these rows.
    #[cfg(feature = "postgres")]
    pub(crate) fn into_changes(self) -> Vec<Change> {
        let clear = Kind::ALL.into_iter().map(|kind| Change::Clear { kind });
        clear
            .chain(self.in_order().map(|(kind, Row { key, doc })| Change::Put { kind, key, doc: doc.into() }))
            .collect()
    }

    fn in_order(self) -> impl Iterator<Item = (Kind, Row)> {
        let mut records: Vec<_> = self.records.into_iter().collect();
        records.sort_by_key(|(_, (place, _))| *place);
        records.into_iter().map(|((kind, key), (_, doc))| (kind, Row { key, doc }))
    }
}
