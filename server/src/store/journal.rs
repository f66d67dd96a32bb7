//! The way to the disk: one writer thread that commits what waits in one go (group commit).
//!
//! Changes become durable in the order of submission. Knows no store in particular.

use std::pin::Pin;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::task::{Context, Poll};
use std::thread::JoinHandle;

use futures_channel::oneshot;

use super::{Change, NotDurable, Store};

/// Largest number of submissions in one commit; bounds how long the first of them waits.
const GROUP_MAX: usize = 1024;

/// What runs on the writer thread once a submission's fate is known; `true` when it is durable.
type Then = Box<dyn FnOnce(bool) + Send>;

struct Submission {
    changes: Vec<Change>,
    then: Option<Then>,
    confirm: oneshot::Sender<Result<(), NotDurable>>,
}

/// Hands changes to the writer thread; clones share it.
#[derive(Clone)]
pub struct Journal {
    queue: Sender<Submission>,
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
        let (queue, waiting) = channel();
        let thread = std::thread::Builder::new()
            .name("journal".to_owned())
            .spawn(move || write_until_closed(store, &waiting))?;
        Ok((
            Self { queue },
            JournalThread {
                thread: Some(thread),
            },
        ))
    }

    /// Queues `changes` and returns at once; the future resolves when all of them are durable.
    ///
    /// Call it under the lock that orders the changes. Whoever drops the future does not wait; the changes
    /// are written all the same.
    pub fn submit(&self, changes: Vec<Change>) -> Confirmation {
        self.queue(changes, None)
    }

    /// As [`Journal::submit`]; `then` runs on the writer thread, in the order of submission, before the future resolves.
    pub fn submit_then(
        &self,
        changes: Vec<Change>,
        then: impl FnOnce(bool) + Send + 'static,
    ) -> Confirmation {
        self.queue(changes, Some(Box::new(then)))
    }

    fn queue(&self, changes: Vec<Change>, then: Option<Then>) -> Confirmation {
        let (confirm, confirmed) = oneshot::channel();
        let submission = Submission {
            changes,
            then,
            confirm,
        };
        // A closed queue drops the submission, and with it `confirm`: the future then says "not durable".
        if let Err(refused) = self.queue.send(submission)
            && let Some(then) = refused.0.then
        {
            then(false);
        }
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
        Pin::new(&mut self.confirmed)
            .poll(cx)
            .map(|fate| fate.unwrap_or(Err(NotDurable)))
    }
}

/// The writer thread; dropping it waits until everything queued is written and every [`Journal`] is gone.
#[derive(Debug)]
pub struct JournalThread {
    thread: Option<JoinHandle<()>>,
}

impl Drop for JournalThread {
    fn drop(&mut self) {
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the journal's thread panicked");
        }
    }
}

fn write_until_closed(mut store: impl Store, waiting: &Receiver<Submission>) {
    while let Ok(first) = waiting.recv() {
        let mut group = vec![first];
        group.extend(waiting.try_iter().take(GROUP_MAX - 1));
        commit_group(&mut store, group);
        store.rest();
    }
}

/// Commits a group as one: durable together or not at all.
fn commit_group(store: &mut impl Store, mut group: Vec<Submission>) {
    let together: Vec<Change> = group
        .iter_mut()
        .flat_map(|submission| std::mem::take(&mut submission.changes))
        .collect();
    let result = store.commit(&together);
    if let Err(error) = &result {
        tracing::error!(
            error = format!("{error:#}"),
            changes = together.len(),
            "changes could not be stored"
        );
    }
    let fate = result.map_err(|_| NotDurable);
    for submission in group {
        if let Some(then) = submission.then {
            then(fate.is_ok());
        }
        // Nobody waits: fine, it is written.
        let _ = submission.confirm.send(fate);
    }
}
