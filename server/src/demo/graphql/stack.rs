//! A stack that is large enough for the deepest query that is taken: reading, validating, answering and forgetting one all
//! descend level by level, with frames that are the crate's and differ between builds.

use std::panic::resume_unwind;
use std::thread::{self, Builder};

use futures_executor::block_on;

/// Bytes of a stack for [`super::limits::DEPTH_MAX`] levels, more than twice what they take unoptimised: 27 KiB a level.
/// Only what is touched is ever taken from the system.
const BYTES: usize = 32 << 20;

/// Runs what never waits for anything else, on a thread of its own. `None` when the system gives no thread.
pub(super) fn on_a_deep_one<T: Send>(work: impl AsyncFnOnce() -> T + Send) -> Option<T> {
    thread::scope(|scope| {
        let started = Builder::new().stack_size(BYTES).spawn_scoped(scope, || block_on(work()));
        Some(started.ok()?.join().unwrap_or_else(|panic| resume_unwind(panic)))
    })
}
