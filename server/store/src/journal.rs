//! Hands changes to the one writer thread and waits for the results; they become durable in the order of submission. Knows no store.

use std::sync::Arc;

use futures_channel::oneshot;

use super::interface::{CutOff, Sharing, Store};
use super::order::{CatchUp, Decision, Fate, Follower, Order, Submission};
use super::record::Changes;
use super::sync::{JoinHandle, Sender, ThreadBuilder, channel};
use super::writer::Writer;

/// Hands changes to the writer thread; clones share it.
#[derive(Clone)]
pub struct Journal {
    queue: Sender<Order>,
    sharing: Sharing,
}

impl std::fmt::Debug for Journal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Journal")
    }
}

impl Journal {
    /// Starts the writer thread over `store`. Fails when the operating system gives no thread.
    pub fn start(store: impl Store + 'static) -> std::io::Result<(Self, JournalThread)> {
        let (journal, writer) = Self::without_thread(store);
        let thread = ThreadBuilder::new().name("journal".to_owned()).spawn(move || writer.write_until_stopped())?;
        let thread = JournalThread { journal: journal.clone(), thread: Some(thread) };
        Ok((journal, thread))
    }

    /// A journal without a thread: the caller runs the writer.
    pub(super) fn without_thread<S: Store>(store: S) -> (Self, Writer<S>) {
        let (queue, orders) = channel();
        (Self { queue, sharing: store.sharing() }, Writer::new(store, orders))
    }

    /// Whether other processes write to the same store.
    pub fn is_shared(&self) -> bool {
        self.sharing != Sharing::Alone
    }

    /// Whether reads may use a state that is a moment old.
    pub fn reads_locally(&self) -> bool {
        self.sharing == Sharing::ReplicasReadingLocally
    }

    /// Lets these states follow the writes of other processes, from the loaded state on. Pass all of them in one call.
    pub fn follow(&self, followers: Vec<Arc<dyn Follower>>) {
        let queue = self.queue.clone();
        let bell = Arc::new(move || _ = queue.send(Order::Turn));
        _ = self.queue.send(Order::Follow(followers, bell));
    }

    /// Waits until this process has published every write that any process confirmed before the call. If no other process writes, returns at
    /// once. A caller that `writes` next may wait longer, so that no other process writes first. Fails if the store cannot be asked.
    pub async fn catch_up(&self, writes: bool) -> Result<(), CutOff> {
        if !self.is_shared() {
            return Ok(());
        }
        let (result, caught_up) = oneshot::channel();
        _ = self.queue.send(Order::CatchUp(CatchUp { writes, result }));
        caught_up.await.ok().and_then(Result::ok).ok_or(CutOff)
    }

    /// Queues `changes` and returns at once; the receiver gets the result once all of them are durable, or have failed. Call it under the
    /// lock that orders the changes. They are written even if the receiver is dropped.
    pub(super) fn submit(&self, changes: Changes, decision: Box<dyn Decision>) -> oneshot::Receiver<Fate> {
        let (confirm, confirmed) = oneshot::channel();
        let submission = Submission { changes: changes.into_list(), decision, confirm };
        // After the thread has stopped, the queue drops its submissions, and with them the senders.
        _ = self.queue.send(Order::Write(submission));
        confirmed
    }
}

/// The writer thread; dropping it waits until everything queued before is written.
#[derive(Debug)]
pub struct JournalThread {
    /// The journal that the thread writes.
    pub journal: Journal,
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
