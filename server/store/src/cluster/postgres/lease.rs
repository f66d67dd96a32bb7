//! Which host of the database leads, as all connections of this process know it, and how long that may be relied on. Knows no table.
//!
//! A leader that was replaced may still answer reads. It can no longer commit, where a standby is synchronous. So a replica reads only
//! where something was committed within the last [`LEASE`]. It uses a new leader only after as long: by then no replica reads from the last.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::cluster::{defect::Defect, threads};
use libros_server_system::clock::Stopwatch;

const LEASE: Duration = Duration::from_secs(1);

/// How long a host that led and can commit is taken to have led all the time: in so short a time it is not replaced and elected again.
const KNOWN: Duration = Duration::from_secs(6);

#[derive(Debug, Default)]
pub(super) struct Lease {
    /// Whether there is more than one host.
    is_needed: bool,
    /// Counts the events that made all open connections suspect: one fell silent, or one leads to another host.
    term: AtomicU64,
    leader: Mutex<Option<Leader>>,
}

/// The host that committed something last.
#[derive(Debug, Clone, Copy)]
struct Leader {
    host: usize,
    /// Since it did so for the first time in a row.
    new: Stopwatch,
    /// Since it did so last.
    proven: Stopwatch,
}

impl Lease {
    /// With one host there is nothing to choose, and nothing to wait for.
    pub(super) fn among(hosts: usize) -> Self {
        Self { is_needed: hosts > 1, ..Self::default() }
    }

    /// Whether it has to be renewed, if it was last renewed at `proven`.
    pub(super) fn is_due(&self, proven: Stopwatch) -> bool {
        self.is_needed && proven.elapsed() >= LEASE && !Defect::ReadsWithoutLease.is_back()
    }

    pub(super) fn term(&self) -> u64 {
        self.term.load(Ordering::Relaxed)
    }

    pub(super) fn end_term(&self) {
        self.term.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts `host` as the leader, which has committed something, and waits while it is new as such. Returns the term in which it leads.
    pub(super) fn renew(&self, host: usize) -> u64 {
        let (new, term) = {
            let mut leader = threads::locked(&self.leader);
            let proven = Stopwatch::start();
            let known = leader.filter(|known| known.host == host && known.proven.elapsed() < KNOWN);
            if self.is_needed && known.is_none() && leader.is_some_and(|known| known.host != host) {
                self.end_term();
            }
            let new = known.map_or(proven, |known| known.new);
            *leader = Some(Leader { host, new, proven });
            (new, self.term())
        };
        let rest = LEASE.saturating_sub(new.elapsed());
        if self.is_needed && !rest.is_zero() && !Defect::UsesNewLeaderAtOnce.is_back() {
            threads::sleep(rest);
        }
        term
    }
}
