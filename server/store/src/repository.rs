//! The mechanism behind books and accounts: a state in two versions. Readers see only the published version, which is durable. Only
//! writers see the latest version, which also has the decisions on their way to the disk.
//!
//! Readers take an immutable snapshot without a lock. Writers decide one after the other on the latest state, under a lock that is never
//! held while waiting. In this order the journal gets each decision's changes and the resulting state. The writer thread publishes that
//! state once the changes are durable, and then confirms.
//! - A decision without changes, such as a refusal, depends on the state it saw. If decisions before it are on their way, it queues
//!   behind them and is answered once they are durable.
//! - If a commit fails, the latest state goes back to the published one, and all later decisions are dropped, unwritten. So no answer
//!   ever depends on a failed write.
//! - If other processes write to the same store, their changes are applied to the published state. Decisions made without them are
//!   dropped, too, and made again.
//!
//! Each decision clones the state, whose structures share memory. Knows nothing of what a state means.

use std::sync::Arc;

use futures_channel::oneshot;

use super::interface::NotDurable;
use super::journal::Journal;
use super::order::{Decision, Fate, Follower};
use super::record::{Change, Changes};
use super::sync::{ArcSwap, AtomicU64, Guard, Mutex, MutexGuard, Ordering, PoisonError, block_on};

/// Most times that a decision is made again because other processes wrote first; each time one of their writes succeeded.
const DECIDED_AT_MOST: usize = 1000;

/// The state of a repository.
pub trait State: Clone + Send + Sync + 'static {
    /// Applies a change of another process; returns whether it concerns this state. Fails for a record that cannot be read.
    fn take_in(&mut self, change: &Change) -> Result<bool, String>;

    /// Called when readers see the state.
    fn on_publish(&self) {}
}

/// A state for many readers, and writers one after the other.
#[derive(Debug)]
pub struct Repository<S> {
    published: ArcSwap<S>,
    uncommitted: Mutex<Uncommitted<S>>,
    /// How often queued decisions were dropped. Only the writer thread counts, and it holds the lock.
    drops: AtomicU64,
    journal: Journal,
}

#[derive(Debug)]
struct Uncommitted<S> {
    /// The published state, with the decisions applied that are on their way to the disk.
    latest: S,
    queued: usize,
}

impl<S: State> Repository<S> {
    /// A repository over a durable state.
    pub fn new(durable: S, journal: Journal) -> Self {
        Self {
            published: ArcSwap::from_pointee(durable.clone()),
            uncommitted: Mutex::new(Uncommitted { latest: durable, queued: 0 }),
            drops: AtomicU64::new(0),
            journal,
        }
    }

    /// A snapshot of the durable state.
    pub fn published(&self) -> Guard<Arc<S>> {
        // rule: storage/between-requests, consistency/one-order, consistency/refused-unseen
        self.published.load()
    }

    /// Lets `decide` change the latest state, and queues the changes it notes, even if it fails. Without a change the state stays.
    pub fn decide<T>(self: &Arc<Self>, decide: impl FnOnce(&mut S, &mut Changes) -> T) -> Decided<T> {
        // Decisions are made one after the other: no write undoes another, and no number is given twice.
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
        let drops_before = self.drops.load(Ordering::Acquire);
        let queued = Queued { repository: Arc::clone(self), drops_before, leads_to };
        let confirmation = self.journal.submit(changes, Box::new(queued));
        Decided { outcome, confirmation: Some(confirmation) }
    }

    /// As [`Repository::decide`], and waits until the outcome holds. Decides again if other processes wrote first. Fails if the disk refuses.
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
        self.drops.fetch_add(1, Ordering::Release);
    }

    fn uncommitted(&self) -> MutexGuard<'_, Uncommitted<S>> {
        // A panic in `decide` leaves the latest state unchanged.
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

/// The outcome of a decision. It holds once everything that it depends on is durable.
#[derive(Debug)]
#[must_use = "the outcome holds only once it is durable; drop it on purpose to not wait"]
pub struct Decided<T> {
    outcome: T,
    /// `None` if everything is durable already.
    confirmation: Option<oneshot::Receiver<Fate>>,
}

impl<T> Decided<T> {
    /// Waits until the outcome holds.
    pub async fn durable(self) -> Result<T, NotDurable> {
        if let Some(confirmation) = self.confirmation {
            // If the writer has stopped, there is no answer.
            // rule: storage/survives-restart
            confirmation.await.unwrap_or(Err(NotDurable::Failed))?;
        }
        Ok(self.outcome)
    }

    /// As [`Decided::durable`], but blocks the thread: for the start.
    pub fn wait(self) -> Result<T, NotDurable> {
        block_on(self.durable())
    }
}

/// A decision that waits for the disk.
struct Queued<S> {
    repository: Arc<Repository<S>>,
    drops_before: u64,
    /// The state after it; `None` where it changed nothing.
    leads_to: Option<S>,
}

impl<S: State> Decision for Queued<S> {
    fn stands(&self) -> bool {
        self.repository.drops.load(Ordering::Acquire) == self.drops_before
    }

    fn on_commit(self: Box<Self>, durable: bool) {
        let mut uncommitted = self.repository.uncommitted();
        if !self.stands() {
            // An earlier decision failed, and dropped this one with it.
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
