//! The leader among the database's hosts, shared by all connections of this process, and how long to rely on it. Knows no table.
//!
//! A replaced leader may still answer reads, but with a synchronous standby it cannot commit. So a replica reads from a host only if the host
//! has committed within the last [`LEASE`]. It waits as long before it uses a new leader: then no replica reads from the old one any more.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::cluster::{defect::Defect, threads};
use libros_server_system::clock::Stopwatch;

const LEASE: Duration = Duration::from_secs(1);

/// If the leader commits again within this time, it has led all the time: it cannot be replaced and elected again so soon.
const LEADS_ON: Duration = Duration::from_secs(6);

#[derive(Debug, Default)]
pub(super) struct Lease {
    /// Whether there is more than one host.
    is_needed: bool,
    /// Counts the events after which no open connection is trusted: one fell silent, or one leads to another host.
    term: AtomicU64,
    leader: Mutex<Option<Leader>>,
}

/// The host that committed something last.
#[derive(Debug, Clone, Copy)]
struct Leader {
    host: usize,
    /// Started when it began to lead without interruption.
    led: Stopwatch,
    /// Started at its last commit.
    proven: Stopwatch,
}

impl Lease {
    /// A lease among this many hosts. One host needs none.
    pub(super) fn among(hosts: usize) -> Self {
        Self { is_needed: hosts > 1, ..Self::default() }
    }

    /// Whether the lease must be renewed, if it was last renewed at `proven`.
    pub(super) fn is_due(&self, proven: Stopwatch) -> bool {
        self.is_needed && proven.elapsed() >= LEASE && !Defect::ReadsWithoutLease.is_back()
    }

    pub(super) fn term(&self) -> u64 {
        self.term.load(Ordering::Relaxed)
    }

    pub(super) fn end_term(&self) {
        self.term.fetch_add(1, Ordering::Relaxed);
    }

    /// Records a commit of `host`, which makes it the leader; waits while it is a new one. Returns its term.
    pub(super) fn renew(&self, host: usize) -> u64 {
        let (led, term) = {
            let mut leader = threads::locked(&self.leader);
            let proven = Stopwatch::start();
            let same = leader.filter(|leader| leader.host == host && leader.proven.elapsed() < LEADS_ON);
            if self.is_needed && leader.is_some_and(|leader| leader.host != host) {
                self.end_term();
            }
            let led = same.map_or(proven, |leader| leader.led);
            *leader = Some(Leader { host, led, proven });
            (led, self.term())
        };
        let rest = LEASE.saturating_sub(led.elapsed());
        if self.is_needed && !rest.is_zero() && !Defect::UsesNewLeaderAtOnce.is_back() {
            threads::sleep(rest);
        }
        term
    }
}
