//! A few threads for slow work, such as passwords and long lists, which then never blocks the threads that answer other requests.

use std::num::NonZeroUsize;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::{io, thread};

use futures_channel::oneshot;

use crate::message::{Client, Presence};

type Job = Box<dyn FnOnce() + Send>;

/// A pool of threads for slow work; dropping it ends them once the queue is done.
#[derive(Debug)]
pub(crate) struct WorkerPool {
    jobs: Sender<Job>,
    threads: usize,
    /// Its clones count the work that waits or runs.
    held: Arc<()>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NotDone {
    #[error("the work of a worker thread panicked")]
    Lost,
    /// The client hung up before its work began.
    #[error("the client hung up")]
    Abandoned,
}

/// How many threads work where `processors` serve: half of them, so that the others stay free, and at least one.
pub fn threads_beside(processors: NonZeroUsize) -> usize {
    processors.get().div_ceil(2)
}

impl WorkerPool {
    /// Starts `threads` threads of this name, at least one. Fails when the operating system gives no thread.
    pub(crate) fn start(name: &str, threads: usize) -> io::Result<Self> {
        let (jobs, waiting) = channel();
        let waiting = Arc::new(Mutex::new(waiting));
        let threads = threads.max(1);
        for number in 0..threads {
            let waiting = Arc::clone(&waiting);
            thread::Builder::new().name(format!("{name}-{number}")).spawn(move || work(&waiting))?;
        }
        Ok(Self { jobs, threads, held: Arc::new(()) })
    }

    /// Does `work` for a client on one of the threads, first come, first served. Does not begin if the future is dropped or the client hangs
    /// up before its turn; if it is in doubt whether the client is there, the work waits for a second turn. Fails if `work` panics, or the
    /// client hung up.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        client: Client,
        mut work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, NotDone> {
        let held = Arc::clone(&self.held);
        let waits = Arc::strong_count(&held) > 1 + self.threads;
        let mut is_first = true;
        loop {
            let (done, outcome) = oneshot::channel();
            let client = client.clone();
            let job = Box::new(move || {
                if done.is_canceled() {
                    return;
                }
                let presence = if waits { client.presence() } else { Presence::There };
                // The receiver no longer waits.
                let _ = done.send(match presence {
                    Presence::Gone => Err(NotDone::Abandoned),
                    Presence::Doubtful if is_first => Ok(Err(work)),
                    Presence::Doubtful | Presence::There => Ok(Ok(work())),
                });
            });
            // A closed queue drops the job and with it `done`: then the outcome is lost.
            let _ = self.jobs.send(job);
            match outcome.await.unwrap_or(Err(NotDone::Lost))? {
                Ok(outcome) => return Ok(outcome),
                Err(undone) => work = undone,
            }
            is_first = false;
        }
    }
}

/// The niceness of the worker threads, so that the serving threads come first. Without it, a read that arrives while every processor hashes
/// waits until the system takes a processor from its hash. A high one starves logins if other programs keep the machine busy: beside four
/// of them on two processors a login took 5.3 s at 10, 1.5 s at 4, 0.8 s at 2 and 0.9 s at 0. Reads took twice as long at 0 as at 2 or 10.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 2;

fn work(waiting: &Mutex<Receiver<Job>>) {
    // On Linux this changes only the calling thread.
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::nice(NICENESS) {
        tracing::warn!(%error, "the priority of a worker thread cannot be lowered: many logins at once may slow down reads");
    }
    loop {
        // The lock is released before the job starts.
        let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = next else { return };
        if std::panic::catch_unwind(std::panic::AssertUnwindSafe(job)).is_err() {
            tracing::error!("the work of a worker thread panicked");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::task::{Context, Waker};

    use futures_executor::block_on;

    use super::*;
    use crate::message::Connection;

    #[test]
    fn a_panic_loses_its_own_work_only() {
        let pool = WorkerPool::start("work", 1).expect("a thread");
        assert_eq!(block_on(pool.run(Client::default(), || panic!("on purpose"))), Err::<(), _>(NotDone::Lost));
        assert_eq!(block_on(pool.run(Client::default(), || 7)), Ok(7));
    }

    #[derive(Debug)]
    struct Always(Presence);

    impl Connection for Always {
        fn presence(&self) -> Presence {
            self.0
        }
    }

    #[test]
    fn abandoned_work_is_not_begun() {
        let pool = WorkerPool::start("work", 1).expect("a thread");
        let (release, held) = channel::<()>();
        let connections = [Presence::Gone, Presence::Doubtful].map(|presence| Arc::new(Always(presence)));
        let [gone, doubtful] = connections.each_ref().map(Client::of);
        let mut first = pin!(pool.run(Client::default(), move || held.recv().is_ok()));
        let mut context = Context::from_waker(Waker::noop());
        assert!(first.as_mut().poll(&mut context).is_pending());
        let (begun, tried) = channel();
        {
            let begun = begun.clone();
            let mut dropped = pin!(pool.run(Client::default(), move || begun.send(())));
            assert!(dropped.as_mut().poll(&mut context).is_pending());
        }
        let mut abandoned = pin!(pool.run(gone, move || begun.send(())));
        let mut half_closed = pin!(pool.run(doubtful, || 7));
        assert!(
            abandoned.as_mut().poll(&mut context).is_pending() && half_closed.as_mut().poll(&mut context).is_pending()
        );
        release.send(()).expect("the first waits");
        assert_eq!(block_on(first), Ok(true));
        assert_eq!(block_on(abandoned), Err(NotDone::Abandoned));
        assert_eq!(block_on(half_closed), Ok(7), "it may wait still");
        assert_eq!(block_on(pool.run(Client::default(), || ())), Ok(()));
        assert!(tried.try_recv().is_err());
    }
}
