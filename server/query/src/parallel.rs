//! Splits one large piece of work over the cores. It starts threads each time, so the work should take milliseconds.

use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::sync::{LazyLock, Mutex, PoisonError};
use std::thread;

pub(super) fn cores() -> usize {
    static CORES: LazyLock<usize> = LazyLock::new(|| thread::available_parallelism().map_or(1, NonZeroUsize::get));
    *CORES
}

/// Runs `work` for each number below `threads`, in parallel; returns the results by number.
pub(super) fn each<T: Send>(threads: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    if threads <= 1 {
        return vec![work(0)];
    }
    thread::scope(|scope| {
        let work = &work;
        let start = |number| (number, thread::Builder::new().spawn_scoped(scope, move || work(number)));
        let started: Vec<_> = (1..threads).map(start).collect();
        let mut results = vec![work(0)];
        results.extend(started.into_iter().map(|(number, thread)| match thread {
            Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
            // The system gives no thread.
            Err(_) => work(number),
        }));
        results
    })
}

/// Runs both, in parallel if `worth` it.
pub(super) fn both<A: Send, B>(worth: bool, first: impl FnOnce() -> A + Send, second: impl FnOnce() -> B) -> (A, B) {
    if !worth || cores() < 2 {
        return (first(), second());
    }
    let waiting = Mutex::new(Some(first));
    let take = || waiting.lock().unwrap_or_else(PoisonError::into_inner).take();
    thread::scope(|scope| {
        let started = thread::Builder::new().spawn_scoped(scope, || take().map(|first| first()));
        let second = second();
        let first = match started {
            Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
            Err(_) => take().map(|first| first()),
        };
        (first.expect("taken once"), second)
    })
}
