//! How long a client may take for the head of a request, idle time before it included. Ends no connection itself.
//!
//! One timer a connection, reset only when it fires: the library would make a new one for each request.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::time::sleep;

use libros_server_system::clock::Stopwatch;

/// The value while a request is read or answered: nothing is waited for.
const UNDER_WAY: u64 = u64::MAX;
/// The value while the client has taken nothing of a reply yet.
const ANSWERED: u64 = UNDER_WAY - 1;

/// The time since when a connection has waited for a head. Only the connection's task uses it.
#[derive(Debug)]
pub(super) struct HeadDeadline {
    open: Stopwatch,
    within_us: u64,
    /// Microseconds after it was opened, or one of the two above.
    since: AtomicU64,
}

impl HeadDeadline {
    pub(super) fn new(within: Duration) -> Self {
        Self { open: Stopwatch::start(), within_us: microseconds(within), since: AtomicU64::new(0) }
    }

    pub(super) fn head_read(&self) {
        self.since.store(UNDER_WAY, Ordering::Relaxed);
    }

    /// The reply is ready: from now on the client reads its bytes.
    pub(super) fn answered(&self) {
        self.since.store(ANSWERED, Ordering::Relaxed);
    }

    /// The client has read something. After the end of a reply, the wait for the next head begins.
    pub(super) fn written(&self) {
        if self.since.load(Ordering::Relaxed) != UNDER_WAY {
            self.since.store(microseconds(self.open.elapsed()), Ordering::Relaxed);
        }
    }

    /// Resolves once a head has taken too long.
    pub(super) async fn missed(&self) {
        loop {
            let left_us = match self.since.load(Ordering::Relaxed) {
                UNDER_WAY | ANSWERED => self.within_us,
                since => since.saturating_add(self.within_us).saturating_sub(microseconds(self.open.elapsed())),
            };
            if left_us == 0 {
                return;
            }
            sleep(Duration::from_micros(left_us)).await;
        }
    }
}

fn microseconds(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}
