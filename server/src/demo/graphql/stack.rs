//! A stack that is large enough for the deepest query that is taken: reading, validating, answering and forgetting one all
//! descend level by level, with frames that are the crate's and differ between builds.

use std::future::Future;
use std::panic::resume_unwind;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Builder, Thread};

/// Bytes of a stack for [`super::limits::DEPTH_MAX`] levels, more than twice what they take unoptimised: 27 KiB a level.
/// Only what is touched is ever taken from the system.
const BYTES: usize = 32 << 20;

/// Runs what never waits for anything else, on a thread of its own. `None` when the system gives no thread.
pub(super) fn on_a_deep_one<T: Send>(work: impl AsyncFnOnce() -> T + Send) -> Option<T> {
    thread::scope(|scope| {
        let started = Builder::new().stack_size(BYTES).spawn_scoped(scope, || finish(work()));
        Some(started.ok()?.join().unwrap_or_else(|panic| resume_unwind(panic)))
    })
}

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Polls a future until it is ready.
fn finish<T>(future: impl Future<Output = T>) -> T {
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut future = pin!(future);
    loop {
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(value) => return value,
            Poll::Pending => thread::park(),
        }
    }
}
