//! A long list of work for all processors, its results in the order of the list. Knows nothing of what the work is.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError, mpsc};
use std::{iter, thread};

/// Items that one processor does in one go.
const PIECE: usize = 4096;

/// Does `work` on each item, on every processor, given room to work in; calls `take` with the results, in order, on this thread, which
/// also draws the items. Stops at the first error of `take`.
pub(super) fn in_order<I: Send, R: Default, T: Send, E>(
    mut items: impl Iterator<Item = I>,
    work: impl Fn(I, &mut R) -> T + Sync,
    mut take: impl FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    let workers = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    // No more pieces wait than there are workers, so that a long list is never in memory as a whole.
    let (give, given) = mpsc::sync_channel::<(usize, Vec<I>)>(workers);
    let (finish, finished) = mpsc::channel();
    let (given, work) = (&Mutex::new(given), &work);
    let next = move || given.lock().unwrap_or_else(PoisonError::into_inner).recv();
    thread::scope(|scope| {
        for _ in 0..workers {
            let finish = finish.clone();
            scope.spawn(move || {
                let mut room = R::default();
                while let Ok((place, piece)) = next() {
                    let results: Vec<T> = piece.into_iter().map(|item| work(item, &mut room)).collect();
                    // The results are not wanted after an error.
                    _ = finish.send((place, results));
                }
            });
        }
        drop(finish);
        let (mut due, mut early) = (0, BTreeMap::new());
        let mut take_due = |(place, results): (usize, Vec<T>)| {
            early.insert(place, results);
            while let Some(results) = early.remove(&due) {
                due += 1;
                results.into_iter().try_for_each(&mut take)?;
            }
            Ok(())
        };
        // Dropped in any case, which ends the workers.
        let give = give;
        let pieces =
            iter::from_fn(|| Some(items.by_ref().take(PIECE).collect()).filter(|piece: &Vec<I>| !piece.is_empty()));
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
