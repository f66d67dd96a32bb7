//! What a store is asked for. Knows no store in particular.

use std::sync::Arc;

use super::record::{Change, Unreadable};

/// Why a change was not made durable; nothing of it is in force.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotDurable {
    /// The disk refused; the cause is in the log.
    #[error("the change could not be stored")]
    Failed,
    /// Another process wrote first what the change was not decided on: it may be decided again.
    #[error("other processes wrote first, again and again")]
    Overtaken,
}

/// The error of a commit that came second: another process has written to the store since this one looked last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("another process wrote first")]
pub struct Overtaken;

/// The store that other processes write to cannot be asked what they wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the store that the replicas share cannot be asked")]
pub(crate) struct CutOff;

/// Who else may write to a store while this process has it open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sharing {
    /// Nobody.
    Alone,
    /// Other processes, and every answer rests on all that they have confirmed.
    Replicas,
    /// Other processes, and what only reads may rest on what was confirmed a moment ago.
    ReplicasReadingLocally,
}

/// Rung from any thread when a turn has come or will not come.
pub type Bell = Arc<dyn Fn() + Send + Sync>;

/// Where documents outlive the process.
pub trait Store: Send {
    /// Makes all of `changes` durable, in this order, or none of them.
    ///
    /// # Errors
    /// When the disk refuses, and [`Overtaken`] when others wrote first; nothing of `changes` is stored then.
    fn commit(&mut self, changes: &[Change]) -> anyhow::Result<()>;

    /// Whether what is committed can be loaded again.
    fn keeps(&self) -> bool {
        true
    }

    /// Who else writes to it.
    fn sharing(&self) -> Sharing {
        Sharing::Alone
    }

    /// What others have committed since this process looked last, in their order; this process has looked then.
    ///
    /// # Errors
    /// When the store cannot be asked.
    fn news(&mut self) -> anyhow::Result<Vec<Change>> {
        Ok(Vec::new())
    }

    /// Asks for a turn to commit, which lasts until the next commit or [`Store::pass`]; the other processes wait meanwhile, as long as the
    /// store likes. Returns at once.
    fn ask_turn(&mut self, bell: &Bell) {
        bell();
    }

    /// What came of asking: nothing yet, a turn, or none. Promises nothing: a commit may come second even so.
    fn turn(&mut self) -> Option<anyhow::Result<()>> {
        Some(Ok(()))
    }

    /// Gives back a turn, or no longer waits for one.
    fn pass(&mut self) {}

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
