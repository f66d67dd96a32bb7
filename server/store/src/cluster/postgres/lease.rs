//! Which host of the database leads, as all connections of this process know it, and how long that may be relied on. Knows no table.
//!
//! A leader that was replaced may still answer reads. It can no longer commit, where a standby is synchronous. So a replica reads only
//! where something was committed within the last [`LEASE`], and uses a leader that is new to it only after as long: by then no replica reads
//! from the one before.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use libros_server_system::clock::Stopwatch;

const LEASE: Duration = Duration::from_secs(1);

/// How long a host that led is known to lead still, if it can commit: it is not replaced and elected again in so short a time.
const KNOWN: Duration = Duration::from_secs(6);

#[derive(Debug, Default)]
pub(super) struct Lease {
    /// Whether there is more than one host.
    is_needed: bool,
    /// Counts what made connections suspect that were open then: another has fallen silent, or leads to another host.
    term: AtomicU64,
    /// The host that committed something last, and since when.
    leader: Mutex<Option<(usize, Stopwatch)>>,
}

impl Lease {
    /// With one host there is nothing to choose, and nothing to wait for.
    pub(super) fn among(hosts: usize) -> Self {
        Self { is_needed: hosts > 1, ..Self::default() }
    }

    /// Whether it has to be renewed by now, having been so at `proven`.
    pub(super) fn is_due(&self, proven: Stopwatch) -> bool {
        self.is_needed && proven.elapsed() >= LEASE
    }

    pub(super) fn term(&self) -> u64 {
        self.term.load(Ordering::Relaxed)
    }

    pub(super) fn end_term(&self) {
        self.term.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts `host` as the leader, which has committed something; waits before, if it is new as such.
    pub(super) fn renew(&self, host: usize) {
        let mut leader = self.leader.lock().unwrap_or_else(PoisonError::into_inner);
        let is_known = leader.is_some_and(|(known, since)| known == host && since.elapsed() < KNOWN);
        if self.is_needed && !is_known {
            if leader.is_some_and(|(known, _)| known != host) {
                self.end_term();
            }
            thread::sleep(LEASE);
        }
        *leader = Some((host, Stopwatch::start()));
    }
}
