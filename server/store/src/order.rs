//! Messages to the writer thread, and the channels for results. Does nothing itself.

use std::sync::Arc;

use futures_channel::oneshot;

use super::interface::{Bell, NotDurable};
use super::record::Change;

/// The result of a submission, or of catching up.
pub(super) type Fate = Result<(), NotDurable>;

/// The decision behind a submission. Called on the writer thread alone, in order; it must not wait for another submission.
pub(super) trait Decision: Send {
    /// Whether everything that the decision depends on is durable by now. If not, it is not written.
    fn stands(&self) -> bool;

    /// Called when the changes are durable or have failed, before the caller learns it.
    fn on_commit(self: Box<Self>, durable: bool);
}

/// A state that applies the writes of other processes to a shared store.
pub trait Follower: Send + Sync {
    /// Applies changes, in order, and drops the decisions made without those that concern it. Fails, for good, if one cannot be read.
    fn take_in(&self, changes: &[Change]) -> Result<(), String>;
}

pub(super) struct Submission {
    pub(super) changes: Vec<Change>,
    pub(super) decision: Box<dyn Decision>,
    pub(super) confirm: oneshot::Sender<Fate>,
}

/// A reader or writer that waits until everything committed before is applied here.
pub(super) struct CatchUp {
    /// Whether the caller then decides to write, so that a submission may follow.
    pub(super) writes: bool,
    pub(super) result: oneshot::Sender<Fate>,
}

pub(super) enum Order {
    Write(Submission),
    /// From now on these states apply what other processes write, and the store rings the bell.
    Follow(Vec<Arc<dyn Follower>>, Bell),
    CatchUp(CatchUp),
    /// The turn has come, or will not come.
    Turn,
    Stop,
}
