//! The number of processors. In the server only this file and the query engine's `parallel` ask for it.

use std::num::NonZeroUsize;
use std::thread;

/// How many threads this process can run at once; 1 if the system does not say.
pub fn processors() -> NonZeroUsize {
    thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}
