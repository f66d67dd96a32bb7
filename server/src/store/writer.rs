//! The writer: commits what waits in one go (group commit), and where other processes write to the same store, takes in what
//! they wrote.
//!
//! Changes become durable in the order of submission. Knows no store in particular.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use futures_channel::oneshot;

use super::interface::{NotDurable, Overtaken, Store};
use super::order::{Decision, Fate, Follower, Order, Submission};
use super::record::Change;
use super::sync::Receiver;

/// Largest number of submissions in one commit; bounds how long the first of them waits for the last.
pub(super) const GROUP_MAX: usize = 1024;

/// How long a replica without work waits before it looks what the others wrote: how stale a relaxed read may be.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Does what it is ordered, one round after the other.
pub(super) struct Writer<S> {
    store: S,
    orders: Receiver<Order>,
    followers: Vec<Arc<dyn Follower>>,
    /// Whether the store could not be asked the last time.
    is_cut: bool,
    /// Whether something was written that a follower cannot read.
    is_lost: bool,
}

/// A submission of a group that is being committed.
struct Waiting {
    decision: Option<Box<dyn Decision>>,
    confirm: oneshot::Sender<Fate>,
    /// How many of the group's changes are its own.
    changes: usize,
    stands: bool,
}

impl<S: Store> Writer<S> {
    pub(super) fn new(store: S, orders: Receiver<Order>) -> Self {
        Self { store, orders, followers: Vec::new(), is_cut: false, is_lost: false }
    }

    pub(super) fn write_until_stopped(mut self) {
        loop {
            let first = if self.followers.is_empty() {
                self.orders.recv().map_err(|_| RecvTimeoutError::Disconnected)
            } else {
                self.orders.recv_timeout(LOOK_EVERY)
            };
            let flow = match first {
                Ok(first) => self.round(first),
                Err(RecvTimeoutError::Timeout) => self.look(),
                Err(RecvTimeoutError::Disconnected) => return,
            };
            if flow.is_break() {
                return;
            }
        }
    }

    /// Does what waits without waiting for more; looks what the others wrote where nothing waits.
    #[cfg(test)]
    pub(super) fn step(&mut self) -> ControlFlow<()> {
        match self.orders.try_recv() {
            Ok(first) => self.round(first),
            Err(_) => self.look(),
        }
    }

    /// Takes in what the others wrote. Ends the work where it cannot be read: nobody is told anything then.
    fn look(&mut self) -> ControlFlow<()> {
        _ = self.catch_up();
        if self.is_lost { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn round(&mut self, first: Order) -> ControlFlow<()> {
        let (mut group, mut behind) = (Vec::new(), Vec::new());
        let mut stopping = false;
        let mut next = Some(first);
        while let Some(order) = next {
            match order {
                Order::Write(submission) => group.push(submission),
                Order::Follow(followers) => self.followers = followers,
                Order::CatchUp(waiting) => behind.push(waiting),
                Order::Stop => stopping = true,
            }
            next = if stopping || group.len() == GROUP_MAX { None } else { self.orders.try_recv().ok() };
        }
        let idle = group.len() < GROUP_MAX;
        let is_current = self.commit_group(group);
        if !behind.is_empty() {
            let fate = if is_current { Ok(()) } else { self.catch_up() };
            for waiting in behind {
                _ = waiting.send(fate);
            }
        }
        self.store.maintain(idle);
        if stopping || self.is_lost { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Commits a group as one: durable together or not at all, but for what no longer stands.
    ///
    /// Returns whether everything is taken in that anybody had committed when it was called.
    fn commit_group(&mut self, group: Vec<Submission>) -> bool {
        let mut waiting = Vec::with_capacity(group.len());
        let mut changes = Vec::new();
        for Submission { changes: mut own, decision, confirm } in group {
            // Only a failed commit and what others wrote make decisions fall, and neither happens before this group's own commit.
            let stands = decision.as_ref().is_none_or(|decision| decision.stands());
            let count = if stands { own.len() } else { 0 };
            if stands {
                changes.append(&mut own);
            }
            waiting.push(Waiting { decision, confirm, changes: count, stands });
        }
        let mut followed = false;
        let committed = loop {
            match self.commit(&changes) {
                // What the others wrote may leave some of the group standing: that is tried again, behind it.
                Err(NotDurable::Overtaken) if !self.followers.is_empty() => {
                    if let Err(cut) = self.catch_up() {
                        break Err(cut);
                    }
                    followed = true;
                    changes = still_standing(&mut waiting, changes);
                }
                fate => break fate,
            }
        };
        let is_current = committed.is_ok() && (followed || !changes.is_empty());
        // Alone, only a failed commit makes a decision fall. Otherwise it is worth deciding again.
        let fallen = if self.followers.is_empty() { NotDurable::Failed } else { NotDurable::Overtaken };
        for Waiting { decision, confirm, stands, .. } in waiting {
            let fate = if stands { committed } else { Err(fallen) };
            if let Some(decision) = decision {
                decision.on_commit(fate.is_ok());
            }
            // Nobody waits: it is written all the same.
            _ = confirm.send(fate);
        }
        is_current
    }

    fn commit(&mut self, changes: &[Change]) -> Fate {
        if changes.is_empty() {
            // A group of refusals, which only waited for the groups before.
            return Ok(());
        }
        self.store.commit(changes).map_err(|error| {
            if error.is::<Overtaken>() {
                return NotDurable::Overtaken;
            }
            let why = format!("{error:#}");
            tracing::error!(why, changes = changes.len(), "changes cannot be stored");
            NotDurable::Failed
        })
    }

    /// Takes in everything that the others have committed by now.
    fn catch_up(&mut self) -> Fate {
        let news = match self.store.news() {
            Ok(news) => news,
            Err(error) => {
                if !self.is_cut {
                    let why = format!("{error:#}");
                    tracing::error!(why, "what other replicas wrote cannot be read; tried again");
                }
                self.is_cut = true;
                return Err(NotDurable::Failed);
            }
        };
        if self.is_cut {
            tracing::warn!("what other replicas wrote can be read again");
        }
        self.is_cut = false;
        if news.is_empty() {
            return Ok(());
        }
        for follower in &self.followers {
            if let Err(why) = follower.take_in(&news) {
                tracing::error!(
                    why,
                    "WHAT ANOTHER REPLICA WROTE CANNOT BE READ: this one answers 500 until it is started again"
                );
                self.is_lost = true;
                return Err(NotDurable::Failed);
            }
        }
        Ok(())
    }
}

/// The changes of a group without those of decisions that have fallen by now.
fn still_standing(waiting: &mut [Waiting], changes: Vec<Change>) -> Vec<Change> {
    let mut changes = changes.into_iter();
    let mut kept = Vec::with_capacity(changes.len());
    for submission in waiting.iter_mut().filter(|submission| submission.stands) {
        let own = changes.by_ref().take(submission.changes);
        submission.stands = submission.decision.as_ref().is_none_or(|decision| decision.stands());
        if submission.stands {
            kept.extend(own);
        } else {
            own.for_each(drop);
        }
    }
    kept
}
