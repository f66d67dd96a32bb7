//! The interface of a store, and the store that keeps nothing.

use std::sync::Arc;

use super::record::{Change, Unreadable};

/// Why a change was not made durable. Then it has no effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotDurable {
    /// The disk refused; the cause is in the log.
    #[error("the change could not be stored")]
    Failed,
    /// Another process wrote first, so that the decision depends on an old state. It may be made again.
    #[error("other processes wrote first, again and again")]
    Overtaken,
}

/// The shared store cannot be asked for the writes of other processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the store that the replicas share cannot be asked")]
pub struct CutOff;

/// Who else may write to a store while this process has it open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sharing {
    /// No other process.
    Alone,
    /// Other processes; every answer includes all that they have confirmed.
    Replicas,
    /// Other processes; reads may use a state that is a moment old.
    ReplicasReadingLocally,
}

/// Called on any thread when a turn has come, or will not come.
pub type Bell = Arc<dyn Fn() + Send + Sync>;

/// Keeps documents beyond the process.
pub trait Store: Send {
    /// Makes all of `changes` durable, in this order, or none. Fails when the disk refuses; with [`NotDurable::Overtaken`] if others were first.
    fn commit(&mut self, changes: &[Change]) -> anyhow::Result<()>;

    /// Whether committed records can be loaded again.
    fn keeps(&self) -> bool {
        true
    }

    /// Who else writes to it.
    fn sharing(&self) -> Sharing {
        Sharing::Alone
    }

    /// The commits of other processes since the last call, in order; advances the position of this one. Fails when the store cannot be asked.
    fn news(&mut self) -> anyhow::Result<Vec<Change>> {
        Ok(Vec::new())
    }

    /// Asks for a turn to commit, which lasts until the next commit or [`Store::pass`]; other processes wait meanwhile. Returns at once.
    fn ask_turn(&mut self, bell: &Bell) {
        bell();
    }

    /// The answer to [`Store::ask_turn`]: none yet, a turn, or no turn. Even in a turn, a commit may come second.
    fn turn(&mut self) -> Option<anyhow::Result<()>> {
        Some(Ok(()))
    }

    /// Gives back a turn, or no longer waits for one.
    fn pass(&mut self) {}

    /// Does work between commits, which correctness never needs; `_idle` if no change waits.
    fn maintain(&mut self, _idle: bool) {}

    /// Copies the store under another name, then removes unreadable records. By default does nothing. Fails if the disk refuses.
    fn quarantine(&mut self, _unreadable: &[Unreadable]) -> anyhow::Result<()> {
        Ok(())
    }
}

/// Confirms every change and forgets it: for `--ephemeral`, which has only memory.
#[derive(Debug, Clone, Copy, Default)]
pub struct MemoryStore;

impl Store for MemoryStore {
    fn commit(&mut self, _changes: &[Change]) -> anyhow::Result<()> {
        Ok(())
    }

    fn keeps(&self) -> bool {
        false
    }
}

/// Logs unreadable records and moves them out of the store. If the disk refuses, they stay, unused: a start never stops for them.
pub fn quarantine(store: &mut impl Store, unreadable: &[Unreadable]) {
    for Unreadable { kind, key, why } in unreadable {
        tracing::error!(kind = kind.0, key, why, "a stored record cannot be read: the service starts without it");
    }
    if !unreadable.is_empty()
        && let Err(error) = store.quarantine(unreadable)
    {
        tracing::error!(why = format!("{error:#}"), "the records that cannot be read stay where they are");
    }
}
