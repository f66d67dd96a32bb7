//! Works through a list on all processors and returns the results in the order of the list. Knows nothing of the work itself.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;

use libros_server_system::processors;

/// Does `work` on each item on all processors, with one buffer for each thread. This thread draws the items and calls `take` with the
/// results, in order; stops at its first error. An item should be much work, since it goes to another thread.
pub(super) fn in_order<I: Send, R: Default, T: Send, E>(
    items: impl Iterator<Item = I>,
    work: impl Fn(I, &mut R) -> T + Sync,
    mut take: impl FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    let workers = processors().get();
    // At most as many items wait as there are workers, so that a long list is never whole in memory.
    let (give, given) = mpsc::sync_channel::<(usize, I)>(workers);
    let (finish, finished) = mpsc::channel();
    // Only the workers hold the receiver, so that sending fails once all of them have panicked.
    let (given, work) = (Arc::new(Mutex::new(given)), &work);
    thread::scope(|scope| {
        for _ in 0..workers {
            let (given, finish) = (Arc::clone(&given), finish.clone());
            let next = move || given.lock().unwrap_or_else(PoisonError::into_inner).recv();
            scope.spawn(move || {
                let mut buffer = R::default();
                while let Ok((place, item)) = next() {
                    // Nobody receives the result after an error.
                    _ = finish.send((place, work(item, &mut buffer)));
                }
            });
        }
        drop((given, finish));
        let (mut due, mut early) = (0, BTreeMap::new());
        let mut take_due = |(place, result): (usize, T)| {
            early.insert(place, result);
            while let Some(result) = early.remove(&due) {
                due += 1;
                take(result)?;
            }
            Ok(())
        };
        // Every return drops it, which ends the workers.
        let give = give;
        for item in items.enumerate() {
            if give.send(item).is_err() {
                break;
            }
            finished.try_iter().try_for_each(&mut take_due)?;
        }
        drop(give);
        finished.iter().try_for_each(&mut take_due)
    })
}

#[cfg(test)]
mod tests {
    use super::in_order;

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn work_that_always_panics_ends_in_a_panic() {
        _ = in_order(0..10_000, |_, (): &mut ()| panic!("on purpose"), |()| Ok::<(), ()>(()));
    }
}
