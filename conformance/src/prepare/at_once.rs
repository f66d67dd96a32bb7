//! Many requests at the same moment, for what only a race can break.

use std::sync::Barrier;

use crate::case::Stop;
use crate::trial::Trial;

impl Trial<'_> {
    /// Does the same thing so many times at the same moment, each time with its number from 0; the results in that order.
    ///
    /// # Errors
    /// The first of theirs, when every one has ended.
    pub fn at_once<T: Send>(
        &self,
        times: usize,
        act: impl Fn(usize) -> Result<T, Stop> + Sync,
    ) -> Result<Vec<T>, Stop> {
        let gate = Barrier::new(times);
        let results: Vec<Result<T, Stop>> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..times)
                .map(|number| {
                    let (gate, act) = (&gate, &act);
                    scope.spawn(move || {
                        gate.wait();
                        act(number)
                    })
                })
                .collect();
            let joined = threads.into_iter().map(|thread| {
                thread.join().unwrap_or_else(|_| Err(Stop::Broken("a thread of the case panicked".into())))
            });
            joined.collect()
        });
        results.into_iter().collect()
    }
}
