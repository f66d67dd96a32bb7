//! The number of processors. The only file that asks for it, besides the query engine, which depends on no machine.

use std::num::NonZeroUsize;
use std::thread;

/// How many threads this process can run at once; 1 if the system does not say.
pub fn processors() -> NonZeroUsize {
    thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}
