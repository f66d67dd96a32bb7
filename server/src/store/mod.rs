//! What must outlive the process: kinds of records, changes to them, and the small trait a store fulfils.
//!
//! Memory serves every read; a store is read once at the start and written through the [`Journal`] alone.
//! Knows nothing of what a record means.

use std::collections::{BTreeMap, HashMap};

mod checksum;
mod confirmed;
mod database;
mod folder;
mod journal;
mod layout;
mod log;
mod memory;
mod quarantine;
mod repository;
mod sqlite;
#[cfg(test)]
mod tests;
pub(crate) mod transfer;

pub use journal::{Confirmation, Journal, JournalThread};
pub use memory::MemoryStore;
pub(crate) use repository::{Decided, Repository};
pub use sqlite::SqliteStore;

/// A kind of record: one collection of documents, each under a key of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Kind(pub &'static str);

impl Kind {
    /// Books, by id.
    pub const BOOKS: Self = Self("books");
    /// Registered users, by e-mail.
    pub const USERS: Self = Self("users");
    /// API clients, by key.
    pub const CLIENTS: Self = Self("clients");
    /// Session tokens.
    pub const SESSIONS: Self = Self("sessions");
    /// Logins that wait for a second factor.
    pub const PENDING: Self = Self("pending");
    /// Histories of code checks, by e-mail.
    pub const ATTEMPTS: Self = Self("attempts");
    /// Trusted devices, by e-mail.
    pub const DEVICES: Self = Self("devices");
}

/// One change to what is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// A document is stored under a key, replacing what stood there. A replaced document keeps its place in the order.
    Put {
        /// The collection.
        kind: Kind,
        /// The key, unique in the collection.
        key: String,
        /// The document: JSON text.
        doc: String,
    },
    /// The document under a key is removed, if there is one.
    Remove {
        /// The collection.
        kind: Kind,
        /// The key.
        key: String,
    },
    /// Every document of a kind is removed.
    Clear {
        /// The collection.
        kind: Kind,
    },
}

/// Changes of one decision, in order.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Changes(Vec<Change>);

impl Changes {
    pub(crate) fn put(&mut self, kind: Kind, key: String, doc: String) {
        self.0.push(Change::Put { kind, key, doc });
    }

    pub(crate) fn remove(&mut self, kind: Kind, key: String) {
        self.0.push(Change::Remove { kind, key });
    }

    pub(crate) fn clear(&mut self, kind: Kind) {
        self.0.push(Change::Clear { kind });
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn into_list(self) -> Vec<Change> {
        self.0
    }
}

/// A stored document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The key, unique in its collection.
    pub key: String,
    /// The document: JSON text.
    pub doc: String,
}

/// What a store held when it was opened.
#[derive(Debug, Default)]
pub struct Loaded {
    collections: HashMap<String, Vec<Row>>,
}

impl Loaded {
    /// Takes a collection's documents, in the order in which their keys were first stored.
    ///
    /// `None` when the store has never held this kind: the initial state is due then. A collection that was emptied is
    /// there and empty, and so are books that cannot be read; any other kind that cannot be read was never held.
    pub fn take(&mut self, kind: Kind) -> Option<Vec<Row>> {
        self.collections.remove(kind.0)
    }

    /// Adds a document at the end of its collection.
    pub fn push(&mut self, kind: &str, row: Row) {
        self.open(kind).push(row);
    }

    /// As if the store had never held this kind.
    pub(super) fn forget(&mut self, kind: &str) {
        self.collections.remove(kind);
    }

    /// Whether the store has never held anything.
    pub(super) fn is_empty(&self) -> bool {
        self.collections.is_empty()
    }

    /// Every collection, by the name of its kind.
    pub(super) fn into_collections(self) -> BTreeMap<String, Vec<Row>> {
        self.collections.into_iter().collect()
    }

    /// Whether the store has ever held this kind.
    pub(super) fn holds(&self, kind: Kind) -> bool {
        self.collections.contains_key(kind.0)
    }

    /// The collection of this kind, from now on known to the store even when it is empty.
    pub fn open(&mut self, kind: &str) -> &mut Vec<Row> {
        self.collections.entry(kind.to_owned()).or_default()
    }
}

/// A stored record that its owner cannot read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable {
    /// Its collection.
    pub kind: Kind,
    /// The key it is stored under.
    pub key: String,
    /// What is wrong with it.
    pub why: String,
}

/// Names records that cannot be read in the log, and keeps them where no start finds them; the rest is not touched.
///
/// Never stops a start: where the disk refuses to keep them aside, they stay where they are and are not used.
pub fn quarantine(store: &mut impl Store, unreadable: &[Unreadable]) {
    for Unreadable { kind, key, why } in unreadable {
        tracing::error!(kind = kind.0, key, why, "a stored record cannot be read: the service starts without it");
    }
    if unreadable.is_empty() {
        return;
    }
    if let Err(error) = store.quarantine(unreadable) {
        let why = format!("{error:#}");
        tracing::error!(why, "the records that cannot be read stay where they are");
    }
}

/// A change could not be made durable; the cause is in the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the change could not be stored")]
pub struct NotDurable;

/// Where documents outlive the process.
pub trait Store: Send {
    /// Makes all of `changes` durable, in this order, or none of them.
    ///
    /// # Errors
    /// When the disk refuses; nothing of `changes` is stored then.
    fn commit(&mut self, changes: &[Change]) -> anyhow::Result<()>;

    /// Does what can be done between commits; `idle` when no change waits. Never needed for correctness.
    fn maintain(&mut self, idle: bool) {
        let _ = idle;
    }

    /// Keeps a copy of what is stored under another name, and removes records that nobody can read.
    ///
    /// As it stands it suits a store that keeps nothing.
    ///
    /// # Errors
    /// When the disk refuses.
    fn quarantine(&mut self, unreadable: &[Unreadable]) -> anyhow::Result<()> {
        let _ = unreadable;
        Ok(())
    }
}
