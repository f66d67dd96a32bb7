//! Threads of a log, and how they wait. In a simulation only one runs at a time, in simulated time.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use std::{io, thread};

#[cfg(test)]
use super::simulated::current;

pub(super) fn spawn(work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    #[cfg(test)]
    if let Some(thread) = current() {
        thread.spawn(Box::new(work));
        return Ok(());
    }
    thread::Builder::new().name("shared log".into()).spawn(work).map(drop)
}

pub(super) fn sleep(pause: Duration) {
    #[cfg(test)]
    if let Some(thread) = current() {
        return thread.sleep(pause);
    }
    thread::sleep(pause);
}

/// Locks a mutex whose contents stay valid after a panic.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits for `future` with `block_on`, or as a simulation does.
pub(super) fn wait_with<F: Future>(future: F, block_on: impl FnOnce(F) -> F::Output) -> F::Output {
    #[cfg(test)]
    if let Some(thread) = current() {
        let mut ready = None;
        thread.wait(std::pin::pin!(async { ready = Some(future.await) }));
        return ready.expect("it is ready");
    }
    block_on(future)
}

/// Waits for a message of another thread.
pub(super) fn wait<F: Future>(sent: F) -> F::Output {
    wait_with(sent, futures_executor::block_on)
}
