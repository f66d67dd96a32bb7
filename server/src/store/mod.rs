//! What must outlive the process: the small trait a store fulfils, its homes, and the one way to write.
//!
//! Memory serves every read; a store is read once at the start and written through the [`Journal`] alone.
//! Knows nothing of what a record means.

mod checksum;
mod confirmed;
mod database;
mod folder;
mod interface;
#[cfg(test)]
mod interleavings;
mod journal;
mod layout;
mod log;
mod memory;
mod quarantine;
mod record;
mod repository;
mod sqlite;
mod sync;
#[cfg(test)]
mod tests;
pub(crate) mod transfer;

pub(crate) use interface::quarantine;
pub use interface::{NotDurable, Store};
pub use journal::{Confirmation, Journal, JournalThread};
pub use memory::MemoryStore;
pub(crate) use record::Changes;
pub use record::{Change, Kind, Loaded, Row, Unreadable};
pub(crate) use repository::{Decided, Repository};
pub use sqlite::SqliteStore;
