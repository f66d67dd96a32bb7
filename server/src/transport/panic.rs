//! Keeps a panic within the request that caused it.

use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::Poll;

/// The handler panicked; where and why is on standard error already.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Panicked;

/// Runs a future; a panic in it ends the future and nothing else.
///
/// State that the future shares must stay valid after a panic at any point. It does here: it is replaced whole, under
/// locks whose poisoning is disregarded for that reason.
pub(super) fn caught<T>(mut future: Pin<&mut impl Future<Output = T>>) -> impl Future<Output = Result<T, Panicked>> {
    poll_fn(move |context| match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(context))) {
        Ok(Poll::Ready(output)) => Poll::Ready(Ok(output)),
        Ok(Poll::Pending) => Poll::Pending,
        Err(_) => Poll::Ready(Err(Panicked)),
    })
}

/// As [`caught`], of work that waits for nothing.
pub(super) fn caught_at_once<T>(work: impl FnOnce() -> T) -> Result<T, Panicked> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|_| Panicked)
}
