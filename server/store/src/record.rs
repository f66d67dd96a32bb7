//! Stored data: kinds of records, changes to them, and the content of a store when it was opened.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

#[cfg(any(test, feature = "sqlite", feature = "postgres"))]
use anyhow::Context as _;

/// A kind of record: one collection of documents, each under its key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
    /// Keys, sealed under the operator's secret, by name.
    pub const KEYS: Self = Self("keys");
    /// How far the clock was moved ahead, where replicas share it.
    pub const CLOCK: Self = Self("clock");
}

#[cfg(any(test, feature = "sqlite", feature = "postgres"))]
impl Kind {
    pub(super) const ALL: [Self; 9] = [
        Self::BOOKS,
        Self::USERS,
        Self::CLIENTS,
        Self::SESSIONS,
        Self::PENDING,
        Self::ATTEMPTS,
        Self::DEVICES,
        Self::KEYS,
        Self::CLOCK,
    ];

    pub(super) fn named(name: &str) -> anyhow::Result<Self> {
        let found = Self::ALL.into_iter().find(|kind| kind.0 == name);
        found.with_context(|| format!("this version knows no kind {name}"))
    }
}

/// One change of a stored record.
#[derive(Debug, Clone)]
pub enum Change {
    /// Stores a document under a key, in the place of the one before.
    Put {
        /// The collection.
        kind: Kind,
        /// The key, unique in the collection.
        key: String,
        /// The document: JSON text.
        doc: Doc,
    },
    /// Removes the document under a key, if there is one.
    Remove {
        /// The collection.
        kind: Kind,
        /// The key.
        key: String,
    },
    /// Removes all documents of a kind.
    Clear {
        /// The collection.
        kind: Kind,
    },
}

impl Change {
    /// The collection that it changes.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Put { kind, .. } | Self::Remove { kind, .. } | Self::Clear { kind } => *kind,
        }
    }
}

/// JSON text for the disk; may share the text of a record in memory.
#[derive(Clone)]
pub struct Doc(Arc<dyn AsRef<str> + Send + Sync>);

impl Deref for Doc {
    type Target = str;

    fn deref(&self) -> &str {
        (*self.0).as_ref()
    }
}

impl<T: AsRef<str> + Send + Sync + 'static> From<Arc<T>> for Doc {
    fn from(record: Arc<T>) -> Self {
        Self(record)
    }
}

impl From<String> for Doc {
    fn from(text: String) -> Self {
        Self(Arc::new(text))
    }
}

impl From<&str> for Doc {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl fmt::Debug for Doc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

/// Changes of one decision, in order.
#[derive(Debug, Default)]
pub struct Changes(Vec<Change>);

impl Changes {
    /// Adds [`Change::Put`].
    pub fn put(&mut self, kind: Kind, key: String, doc: impl Into<Doc>) {
        self.0.push(Change::Put { kind, key, doc: doc.into() });
    }

    /// Adds [`Change::Remove`].
    pub fn remove(&mut self, kind: Kind, key: String) {
        self.0.push(Change::Remove { kind, key });
    }

    /// Adds [`Change::Clear`].
    pub fn clear(&mut self, kind: Kind) {
        self.0.push(Change::Clear { kind });
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The changes as a list.
    pub fn into_list(self) -> Vec<Change> {
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
    /// The documents of every kind that the store has ever held, by its name.
    pub collections: BTreeMap<String, Vec<Row>>,
}

impl Loaded {
    /// Takes a collection's documents, in the order in which their keys were first stored. `None` if the store has never held this kind, so
    /// that the initial state is due; an emptied collection is `Some`. In a store that could not be read, only the books are, and empty.
    pub fn take(&mut self, kind: Kind) -> Option<Vec<Row>> {
        self.collections.remove(kind.0)
    }

    /// The documents of this kind, which from now on counts as stored, even if empty.
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
