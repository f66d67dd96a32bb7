//! What must outlive the process: the trait of a store, the stores (memory, SQLite, PostgreSQL), and the one way to write.
//!
//! Memory serves every read; a store is read once, and written through the [`Journal`] alone. Knows nothing of what a record means.

#[cfg(feature = "postgres")]
mod cluster;
mod followers;
mod group;
mod interface;
#[cfg(test)]
mod interleavings;
mod journal;
mod order;
mod record;
mod repository;
mod rows;
#[cfg(feature = "sqlite")]
mod sqlite;
mod sync;
mod writer;

#[cfg(feature = "postgres")]
pub use cluster::{fill, join_replicas};
pub use interface::{Bell, CutOff, MemoryStore, NotDurable, Sharing, Store, quarantine};
pub use journal::{Journal, JournalThread};
pub use order::Follower;
pub use record::{Change, Changes, Doc, Kind, Loaded, Row, Unreadable};
pub use repository::{Decided, Repository, State};
pub use rows::Rows;
#[cfg(feature = "sqlite")]
pub use sqlite::{SqliteStore, transfer};
