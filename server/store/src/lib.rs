//! What must outlive the process: the small trait a store fulfils, its homes, and the one way to write.
//!
//! Memory serves every read; a store is read once at the start and written through the [`Journal`] alone.
//! Knows nothing of what a record means.

#[cfg(any(test, feature = "postgres"))]
mod cluster;
mod doc;
mod group;
mod interface;
#[cfg(test)]
mod interleavings;
mod journal;
mod memory;
mod order;
mod record;
mod repository;
mod rows;
#[cfg(feature = "sqlite")]
mod sqlite;
mod sync;
#[cfg(test)]
mod tests;
mod writer;

#[cfg(all(feature = "postgres", feature = "sqlite"))]
pub use cluster::fill;
#[cfg(feature = "postgres")]
pub use cluster::join_replicas;
pub use doc::Doc;
pub use interface::{Bell, NotDurable, Overtaken, Sharing, Store};
pub use interface::{CutOff, quarantine};
pub use journal::{Confirmation, Journal, JournalThread};
pub use memory::MemoryStore;
pub use order::Follower;
pub use record::Changes;
pub use record::{Change, Kind, Loaded, Row, Unreadable};
pub use repository::{Decided, Repository, State};
pub use rows::Rows;
#[cfg(feature = "sqlite")]
pub use sqlite::SqliteStore;
#[cfg(feature = "sqlite")]
pub use sqlite::transfer;
