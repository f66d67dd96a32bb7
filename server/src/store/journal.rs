//! The way to the disk: one writer thread that commits what waits in one go (group commit).
//!
//! Changes become durable in the order of submission. Knows no store in particular.

use std::pin::Pin;
use std::task::{Context, Poll};

use futures_channel::oneshot;

use super::interface::{NotDurable, Store};
use super::record::{Change, Changes};
use super::sync::{JoinHandle, Receiver, Sender, ThreadBuilder, channel};

/// Largest number of submissions in one commit; bounds how long the first of them waits for the last.
pub(super) const GROUP_MAX: usize = 1024;

/// What a submission was decided on, and what follows from its commit. Asked on the writer thread alone, in the order of
/// submission; it must not wait for another submission.
pub(super) trait Decision: Send {
    /// Whether all that it was decided on is durable by now; otherwise it is not written.
    fn stands(&self) -> bool;

    /// It is durable, or has failed; not yet confirmed.
    fn on_commit(self: Box<Self>, durable: bool);
}

enum Order {
    Write(Submission),
    Stop,
}

struct Submission {
    changes: Vec<Change>,
    decision: Option<Box<dyn Decision>>,
    confirm: oneshot::Sender<Result<(), NotDurable>>,
}

/// Hands changes to the writer thread; clones share it.
#[derive(Clone)]
pub struct Journal {
    queue: Sender<Order>,
}

impl std::fmt::Debug for Journal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Journal")
    }
}

impl Journal {
    /// Starts the writer thread over `store`.
    ///
    /// # Errors
    /// When the operating system gives no thread.
    pub fn start(store: impl Store + 'static) -> std::io::Result<(Self, JournalThread)> {
        let (queue, orders) = channel();
        let thread =
            ThreadBuilder::new().name("journal".to_owned()).spawn(move || write_until_stopped(store, &orders))?;
        let journal = Self { queue };
        let thread = JournalThread { journal: journal.clone(), thread: Some(thread) };
        Ok((journal, thread))
    }

    /// Queues `changes` and returns at once; the future resolves when all of them are durable.
    ///
    /// Call it under the lock that orders the changes. Whoever drops the future does not wait; the changes
    /// are written all the same.
    pub fn submit(&self, changes: Vec<Change>) -> Confirmation {
        self.queue(changes, None)
    }

    /// As [`Journal::submit`], for changes that rest on earlier ones.
    pub(super) fn submit_decision(&self, changes: Changes, decision: Box<dyn Decision>) -> Confirmation {
        self.queue(changes.into_list(), Some(decision))
    }

    fn queue(&self, changes: Vec<Change>, decision: Option<Box<dyn Decision>>) -> Confirmation {
        let (confirm, confirmed) = oneshot::channel();
        let submission = Submission { changes, decision, confirm };
        // After the thread has stopped the submission is dropped, as is one that still lay in the queue then, and the future says
        // "not durable".
        _ = self.queue.send(Order::Write(submission));
        Confirmation { confirmed }
    }
}

/// Resolves when a submission is durable, or has failed.
#[must_use = "a change is confirmed only when this has resolved; drop it on purpose to not wait"]
#[derive(Debug)]
pub struct Confirmation {
    confirmed: oneshot::Receiver<Result<(), NotDurable>>,
}

impl Future for Confirmation {
    type Output = Result<(), NotDurable>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.confirmed).poll(cx).map(|fate| fate.unwrap_or(Err(NotDurable)))
    }
}

/// The writer thread; dropping it waits until everything queued before is written.
#[derive(Debug)]
pub struct JournalThread {
    journal: Journal,
    thread: Option<JoinHandle<()>>,
}

impl Drop for JournalThread {
    fn drop(&mut self) {
        _ = self.journal.queue.send(Order::Stop);
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the journal's thread panicked: its last changes may not be stored");
        }
    }
}

fn write_until_stopped(mut store: impl Store, orders: &Receiver<Order>) {
    let mut group = Vec::new();
    let mut stopping = false;
    while !stopping {
        let Ok(first) = orders.recv() else { return };
        let mut next = Some(first);
        while let Some(order) = next {
            match order {
                Order::Write(submission) => group.push(submission),
                Order::Stop => stopping = true,
            }
            next = if stopping || group.len() == GROUP_MAX { None } else { orders.try_recv().ok() };
        }
        let idle = group.len() < GROUP_MAX;
        commit_group(&mut store, group.drain(..));
        store.maintain(idle);
    }
}

/// Commits a group as one: durable together or not at all, but for what no longer stands.
fn commit_group(store: &mut impl Store, group: impl Iterator<Item = Submission>) {
    let mut waiting = Vec::with_capacity(group.size_hint().0);
    let mut changes = Vec::new();
    for mut submission in group {
        // Only a failed commit makes decisions fall, and none happens before this group's own.
        let stands = submission.decision.as_ref().is_none_or(|decision| decision.stands());
        if stands {
            changes.append(&mut submission.changes);
        }
        waiting.push((stands, submission.decision, submission.confirm));
    }
    let committed = commit(store, &changes);
    for (stands, decision, confirm) in waiting {
        let fate = if stands { committed } else { Err(NotDurable) };
        if let Some(decision) = decision {
            decision.on_commit(fate.is_ok());
        }
        // Nobody waits: it is written all the same.
        _ = confirm.send(fate);
    }
}

fn commit(store: &mut impl Store, changes: &[Change]) -> Result<(), NotDurable> {
    if changes.is_empty() {
        // A group of refusals, which only waited for the groups before.
        return Ok(());
    }
    store.commit(changes).map_err(|error| {
        let why = format!("{error:#}");
        tracing::error!(why, changes = changes.len(), "changes cannot be stored");
        NotDurable
    })
}
