//! Counts requests that wait for one another: each thread knows the longest chain of requests that ended before its next one.
//!
//! Starts the threads that send requests, so that a chain continues into them and after them.

use std::cell::Cell;
use std::panic::resume_unwind;
use std::thread;

thread_local! {
    static LENGTH: Cell<u32> = const { Cell::new(0) };
}

/// The length of the longest chain behind this thread's next request.
pub fn length() -> u32 {
    LENGTH.get()
}

pub fn ended() {
    LENGTH.set(LENGTH.get() + 1);
}

pub fn waited_for(length: u32) {
    LENGTH.set(LENGTH.get().max(length));
}

/// Calls `work` on `threads` threads, each with its number from 0; returns the results in that order.
pub fn on_threads<T: Send>(threads: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let (before, work) = (length(), &work);
    let act = move |number| {
        waited_for(before);
        (work(number), length())
    };
    thread::scope(|scope| {
        let started: Vec<_> = (0..threads).map(|number| scope.spawn(move || act(number))).collect();
        let ended = started.into_iter().map(|thread| {
            let (result, length) = thread.join().unwrap_or_else(|panic| resume_unwind(panic));
            waited_for(length);
            result
        });
        ended.collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_parallel_chains_the_longest_counts_for_the_next_request() {
        waited_for(2);
        let lengths = on_threads(3, |number| {
            (0..number).for_each(|_| ended());
            length()
        });
        ended();
        assert_eq!((lengths, length()), (vec![2, 3, 4], 5));
    }
}
