//! The threads of a log, and how they wait. In a simulation one of them runs at a time, in simulated time.

use std::io;
use std::thread;
use std::time::Duration;

#[cfg(test)]
use super::simulation::scheduler::current;

pub(super) fn spawn(work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    #[cfg(test)]
    if let Some(thread) = current() {
        thread.process.spawn(work);
        return Ok(());
    }
    thread::Builder::new().name("shared log".into()).spawn(work).map(drop)
}

pub(super) fn sleep(pause: Duration) {
    #[cfg(test)]
    if let Some(thread) = current() {
        return thread.wait(async move { tokio::time::sleep(pause).await });
    }
    thread::sleep(pause);
}

/// Waits for what another thread sends.
pub(super) fn wait<T>(sent: impl Future<Output = T>) -> T {
    #[cfg(test)]
    if let Some(thread) = current() {
        return thread.wait(sent);
    }
    futures_executor::block_on(sent)
}
