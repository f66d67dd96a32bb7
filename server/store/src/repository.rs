//! A state in two versions, the one mechanism behind books and accounts: the published one is durable and is all that
//! readers see; the latest one holds what is decided and on its way to the disk, and only writers see it.
//!
//! Readers take an immutable snapshot without a lock. Writers decide one after the other on the latest state, under a lock
//! that is never held while waiting. A decision's changes go to the journal in that order, with the state they lead to; the
//! writer thread publishes that state once they are durable, and then confirms.
//! - A decision that changes nothing (a refusal, say) rests on what it saw. While anything it may have seen is on its way, it
//!   queues up behind that, without changes of its own, and is answered once that is durable.
//! - When a commit fails, the latest state goes back to the published one, and whatever was decided on top of the failed
//!   decision falls with it, unwritten. So no answer ever rests on a write that failed.
//! - Where other processes write to the same store, what they wrote is taken into the published state, and whatever was
//!   decided without knowing it falls likewise, and is decided again.
//!
//! A state is cloned at each decision: its structures share what they have in common. Knows nothing of what a state means.

use std::sync::Arc;

use futures_channel::oneshot;

use super::interface::NotDurable;
use super::journal::Journal;
use super::order::{Decision, Fate, Follower};
use super::record::{Change, Changes};
use super::sync::{ArcSwap, AtomicU64, Guard, Mutex, MutexGuard, Ordering, PoisonError, block_on};

/// How often something is decided again that others overtook, before it fails: each time one of them came through.
const DECIDED_AT_MOST: usize = 1000;

/// The state of a repository.
pub trait State: Clone + Send + Sync + 'static {
    /// Takes in a change that another process decided; whether it concerns this state. Fails at a record that cannot be read.
    fn take_in(&mut self, change: &Change) -> Result<bool, String>;

    /// Called when readers see it.
    fn on_publish(&self) {}
}

/// A state for many readers, and writers one after the other.
#[derive(Debug)]
pub struct Repository<S> {
    published: ArcSwap<S>,
    uncommitted: Mutex<Uncommitted<S>>,
    /// How often queued decisions were dropped. Only the writer thread counts, holding the lock.
    falls: AtomicU64,
    journal: Journal,
}

#[derive(Debug)]
struct Uncommitted<S> {
    /// The published state with everything applied that is on its way to the disk.
    latest: S,
    queued: usize,
}

impl<S: State> Repository<S> {
    /// A repository over a durable state.
    pub fn new(durable: S, journal: Journal) -> Self {
        Self {
            published: ArcSwap::from_pointee(durable.clone()),
            uncommitted: Mutex::new(Uncommitted { latest: durable, queued: 0 }),
            falls: AtomicU64::new(0),
            journal,
        }
    }

    /// The state as it is on disk; never changes in the reader's hands.
    pub fn published(&self) -> Guard<Arc<S>> {
        // rule: storage/between-requests, consistency/one-order, consistency/refused-unseen
        self.published.load()
    }

    /// Lets `decide` change the latest state, and queues the changes it notes.
    ///
    /// Noted changes count even if the outcome is an error. Without a noted change the state is unchanged.
    pub fn decide<T>(self: &Arc<Self>, decide: impl FnOnce(&mut S, &mut Changes) -> T) -> Decided<T> {
        // One after the other: no write undoes another, and nothing is given twice.
        // rule: storage/no-lost-update, consistency/one-order
        let mut uncommitted = self.uncommitted();
        let mut state = uncommitted.latest.clone();
        let mut changes = Changes::default();
        let outcome = decide(&mut state, &mut changes);
        if changes.is_empty() && uncommitted.queued == 0 {
            return Decided { outcome, confirmation: None };
        }
        let leads_to = (!changes.is_empty()).then_some(state);
        if let Some(state) = &leads_to {
            uncommitted.latest = state.clone();
        }
        uncommitted.queued += 1;
        let queued =
            Queued { repository: Arc::clone(self), falls_before: self.falls.load(Ordering::Acquire), leads_to };
        let confirmation = self.journal.submit(changes, Box::new(queued));
        Decided { outcome, confirmation: Some(confirmation) }
    }

    /// As [`Repository::decide`], until the outcome holds; decides again where others wrote first. Fails when the disk refuses: nothing holds.
    pub async fn transact<T>(
        self: &Arc<Self>,
        mut decide: impl FnMut(&mut S, &mut Changes) -> T,
    ) -> Result<T, NotDurable> {
        for _ in 0..DECIDED_AT_MOST {
            match self.decide(&mut decide).durable().await {
                Err(NotDurable::Overtaken) => {}
                fate => return fate,
            }
        }
        Err(NotDurable::Overtaken)
    }

    fn publish(&self, state: S) {
        let state = Arc::new(state);
        self.published.store(Arc::clone(&state));
        state.on_publish();
    }

    /// Drops all queued decisions: the next ones are made on `state`.
    fn drop_queued(&self, uncommitted: &mut Uncommitted<S>, state: S) {
        uncommitted.latest = state;
        uncommitted.queued = 0;
        self.falls.fetch_add(1, Ordering::Release);
    }

    fn uncommitted(&self) -> MutexGuard<'_, Uncommitted<S>> {
        // A panic while deciding leaves the latest state as it was.
        self.uncommitted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<S: State> Follower for Repository<S> {
    fn take_in(&self, changes: &[Change]) -> Result<(), String> {
        let mut uncommitted = self.uncommitted();
        let mut state = S::clone(&self.published.load());
        let mut is_concerned = false;
        for change in changes {
            is_concerned |= state.take_in(change)?;
        }
        if is_concerned {
            self.publish(state.clone());
            self.drop_queued(&mut uncommitted, state);
        }
        Ok(())
    }
}

/// The outcome of a decision, once all that it rests on is durable.
#[derive(Debug)]
#[must_use = "the outcome holds only once it is durable; drop it on purpose to not wait"]
pub struct Decided<T> {
    outcome: T,
    /// `None` where everything is durable already.
    confirmation: Option<oneshot::Receiver<Fate>>,
}

impl<T> Decided<T> {
    /// Waits until the outcome holds.
    pub async fn durable(self) -> Result<T, NotDurable> {
        if let Some(confirmation) = self.confirmation {
            // Without an answer where the writer has stopped.
            // rule: storage/survives-restart
            confirmation.await.unwrap_or(Err(NotDurable::Failed))?;
        }
        Ok(self.outcome)
    }

    /// As [`Decided::durable`], where no other work is done meanwhile: at the start.
    pub fn wait(self) -> Result<T, NotDurable> {
        block_on(self.durable())
    }
}

/// A decision on its way to the disk.
struct Queued<S> {
    repository: Arc<Repository<S>>,
    falls_before: u64,
    /// The state after it; `None` where it changed nothing.
    leads_to: Option<S>,
}

impl<S: State> Decision for Queued<S> {
    fn stands(&self) -> bool {
        self.repository.falls.load(Ordering::Acquire) == self.falls_before
    }

    fn on_commit(self: Box<Self>, durable: bool) {
        let mut uncommitted = self.repository.uncommitted();
        if !self.stands() {
            // It fell with an earlier one, which has put everything back.
            return;
        }
        if durable {
            uncommitted.queued -= 1;
            if let Some(state) = self.leads_to {
                self.repository.publish(state);
            }
        } else {
            let published = S::clone(&self.repository.published.load());
            self.repository.drop_queued(&mut uncommitted, published);
        }
    }
}
