//! Splits one large piece of work over the cores. It starts threads each time, so the work should take milliseconds.

use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::sync::LazyLock;
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
        let started: Vec<_> = (1..threads).map(|number| scope.spawn(move || work(number))).collect();
        let mut results = vec![work(0)];
        results.extend(started.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic))));
        results
    })
}

/// Runs both, in parallel if `worth` it.
pub(super) fn both<A: Send, B>(worth: bool, first: impl FnOnce() -> A + Send, second: impl FnOnce() -> B) -> (A, B) {
    if !worth || cores() < 2 {
        return (first(), second());
    }
    thread::scope(|scope| {
        let first = scope.spawn(first);
        let second = second();
        (first.join().unwrap_or_else(|panic| resume_unwind(panic)), second)
    })
}
