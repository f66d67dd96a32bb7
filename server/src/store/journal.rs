//! The way to the disk: one writer thread that commits what waits in one go (group commit).
//!
//! Changes become durable in the order of submission. Knows no store in particular.

use std::pin::Pin;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::task::{Context, Poll};
use std::thread::JoinHandle;

use futures_channel::oneshot;

use super::interface::{NotDurable, Store};
use super::record::{Change, Changes};

/// Largest number of submissions in one commit; bounds how long the first of them waits for the last.
const GROUP_MAX: usize = 1024;

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
        let thread = std::thread::Builder::new()
            .name("journal".to_owned())
            .spawn(move || write_until_stopped(store, &orders))?;
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
        // After the thread has stopped the submission is dropped, and the future says "not durable".
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

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::super::record::Kind;
    use super::*;

    /// Remembers groups, and fails where a key says so.
    #[derive(Clone, Default)]
    struct Spy {
        groups: Arc<Mutex<Vec<usize>>>,
    }

    impl Store for Spy {
        fn commit(&mut self, changes: &[Change]) -> anyhow::Result<()> {
            anyhow::ensure!(!changes.contains(&remove("bad")), "told to fail");
            self.groups.lock().expect("no panic").push(changes.len());
            Ok(())
        }
    }

    fn remove(key: &str) -> Change {
        Change::Remove { kind: Kind::BOOKS, key: key.to_owned() }
    }

    fn wait(confirmation: Confirmation) -> Result<(), NotDurable> {
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        runtime.expect("a runtime").block_on(confirmation)
    }

    #[test]
    fn everything_queued_is_written_before_the_thread_ends() {
        let spy = Spy::default();
        let (journal, thread) = Journal::start(spy.clone()).expect("a thread");
        for key in 0..3000 {
            drop(journal.submit(vec![remove(&key.to_string())]));
        }
        drop(thread);
        let groups = spy.groups.lock().expect("no panic");
        assert_eq!(groups.iter().sum::<usize>(), 3000);
        assert!(groups.iter().all(|size| *size <= GROUP_MAX), "{groups:?}");
    }

    #[test]
    fn a_submission_hears_its_fate_and_the_next_one_goes_on() {
        let (journal, _thread) = Journal::start(Spy::default()).expect("a thread");
        assert_eq!(wait(journal.submit(vec![remove("bad")])), Err(NotDurable));
        assert_eq!(wait(journal.submit(vec![remove("good")])), Ok(()));
    }

    /// Notes its number when it is committed.
    struct Noting(usize, bool, Arc<Mutex<Vec<(usize, bool)>>>);

    impl Decision for Noting {
        fn stands(&self) -> bool {
            self.1
        }

        fn on_commit(self: Box<Self>, durable: bool) {
            self.2.lock().expect("no panic").push((self.0, durable));
        }
    }

    #[test]
    fn decisions_hear_their_fate_in_order_before_the_confirmation_and_fallen_ones_are_not_written() {
        let spy = Spy::default();
        let (journal, thread) = Journal::start(spy.clone()).expect("a thread");
        let seen = Arc::new(Mutex::new(Vec::new()));
        let mut fates = Vec::new();
        for number in 0..100 {
            let mut changes = Changes::default();
            changes.remove(Kind::BOOKS, "a".to_owned());
            let decision = Noting(number, number % 3 == 0, Arc::clone(&seen));
            fates.push(journal.submit_decision(changes, Box::new(decision)));
        }
        let expected: Vec<(usize, bool)> = (0..100).map(|number| (number, number % 3 == 0)).collect();
        for (fate, (_, durable)) in fates.into_iter().zip(&expected) {
            assert_eq!(wait(fate).is_ok(), *durable);
        }
        assert_eq!(*seen.lock().expect("no panic"), expected);
        drop(thread);
        assert_eq!(spy.groups.lock().expect("no panic").iter().sum::<usize>(), 34);
    }

    #[test]
    fn nothing_is_durable_once_the_thread_has_ended() {
        let (journal, thread) = Journal::start(Spy::default()).expect("a thread");
        drop(thread);
        assert_eq!(wait(journal.submit(vec![remove("a")])), Err(NotDurable));
    }
}
