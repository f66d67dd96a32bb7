//! What a store is asked for. Knows no store in particular.

use super::record::{Change, Unreadable};

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

/// Names records that cannot be read in the log, and keeps them where no start finds them; the rest is not touched.
///
/// Never stops a start: where the disk refuses to keep them aside, they stay where they are and are not used.
pub(crate) fn quarantine(store: &mut impl Store, unreadable: &[Unreadable]) {
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
