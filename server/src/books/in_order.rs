//! A long list of work for all processors, its results in the order of the list. Knows nothing of what the work is.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;

/// Does `work` on each piece, on every processor; calls `take` with the results, in order, on this thread, which also draws the pieces.
/// Stops at the first error of `take`.
pub(super) fn in_order<P: Send, T: Send, E>(
    pieces: impl Iterator<Item = P>,
    work: impl Fn(P) -> T + Sync,
    mut take: impl FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    let workers = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    // No more pieces wait than there are workers, so that a long list is never in memory as a whole.
    let (give, given) = mpsc::sync_channel::<(usize, P)>(workers);
    let (finish, finished) = mpsc::channel();
    let (given, work) = (&Mutex::new(given), &work);
    let next = move || given.lock().unwrap_or_else(PoisonError::into_inner).recv();
    thread::scope(|scope| {
        for _ in 0..workers {
            let finish = finish.clone();
            scope.spawn(move || {
                while let Ok((place, piece)) = next() {
                    // The results are not wanted after an error.
                    _ = finish.send((place, work(piece)));
                }
            });
        }
        drop(finish);
        let (mut due, mut early) = (0, BTreeMap::new());
        let mut take_due = |(place, result)| {
            early.insert(place, result);
            while let Some(result) = early.remove(&due) {
                due += 1;
                take(result)?;
            }
            Ok(())
        };
        // Dropped in any case, which ends the workers.
        let give = give;
        for piece in pieces.enumerate() {
            if give.send(piece).is_err() {
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
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_pieces_until_one_is_refused() {
        let taken_of = |count: u64, refused: u64| {
            let mut taken = Vec::new();
            let square = |n: u64| (0..(n % 7) * 1000).fold(n * n, |sum, _| sum);
            let ended = in_order(0..count, square, |n| {
                taken.push(n);
                if n == refused { Err(n) } else { Ok(()) }
            });
            (ended, taken)
        };
        assert_eq!(taken_of(500, 1 << 40), (Ok(()), (0..500).map(|n| n * n).collect()));
        assert_eq!(taken_of(500, 49), (Err(49), (0..8).map(|n| n * n).collect()));
        assert_eq!(taken_of(0, 0), (Ok(()), vec![]));
    }
}
