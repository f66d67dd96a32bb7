//! A disk that works or is full as a test says.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use libros_server_store::{Change, Kind, Loaded, Row, Rows, Store, Unreadable};

/// A store in memory that a test may fill up; clones share it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Disk(Arc<Mutex<Contents>>);

#[derive(Debug, Default)]
struct Contents {
    changes: Vec<Change>,
    quarantined: Vec<Unreadable>,
    is_full: bool,
}

impl Store for Disk {
    fn commit(&mut self, changes: &[Change]) -> anyhow::Result<()> {
        let mut contents = self.contents();
        anyhow::ensure!(!contents.is_full, "the disk is full");
        contents.changes.extend_from_slice(changes);
        Ok(())
    }

    fn quarantine(&mut self, unreadable: &[Unreadable]) -> anyhow::Result<()> {
        self.contents().quarantined.extend_from_slice(unreadable);
        Ok(())
    }
}

impl Disk {
    pub(crate) fn set_full(&self, is_full: bool) {
        self.contents().is_full = is_full;
    }

    /// The documents of one kind, as a start would find them.
    pub(crate) fn rows(&self, kind: Kind) -> Vec<Row> {
        self.loaded().take(kind).unwrap_or_default()
    }

    pub(crate) fn quarantined(&self) -> Vec<Unreadable> {
        self.contents().quarantined.clone()
    }

    /// Writes a document without the service's knowledge.
    pub(crate) fn meddle(&self, kind: Kind, key: &str, doc: &str) {
        let put = Change::Put { kind, key: key.to_owned(), doc: doc.into() };
        self.contents().changes.push(put);
    }

    pub(crate) fn loaded(&self) -> Loaded {
        let mut rows = Rows::default();
        self.contents().changes.iter().cloned().for_each(|change| rows.apply(change));
        rows.into_loaded()
    }

    fn contents(&self) -> MutexGuard<'_, Contents> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The operator's secret, unless a test changes it.
pub(crate) const SECRET: &str = "the secret of the tests";

pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is not a string")).to_owned()
}
