//! Which host of the database leads, as all connections of this process know it, and how long that may be relied on. Knows no table.
//!
//! A leader that was replaced may still answer reads. It can no longer commit, where a standby is synchronous. So a replica reads only
//! where something was committed within the last [`LEASE`], and uses a leader that is new to it only after as long: by then no replica reads
//! from the one before.
//!
//! A leader that was replaced may also be made to commit alone: Patroni 3.0.2 that starts beside it empties `synchronous_standby_names`
//! before it stops it. Commits that waited are seen from that moment on, without what was committed on the new leader since. So
//! a leader that waited for a standby and waits for none any more is not relied on for [`ALONE`]. One that was just elected waits for
//! none yet, but is on a later timeline.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::cluster::defect::Defect;
use crate::cluster::threads;
use libros_server_system::clock::Stopwatch;

const LEASE: Duration = Duration::from_secs(1);

/// How long a host that led and can commit is taken to have led all the time: in so short a time it is not replaced and elected again.
const KNOWN: Duration = Duration::from_secs(6);

/// How long a leader that waits for no standby any more may be a replaced one: those are stopped much sooner.
const ALONE: Duration = Duration::from_secs(5);

/// How soon a leader has to be seen again to count as alone all the time: no standby comes back and is elected in so short a time.
const SEEN_EVERY: Duration = Duration::from_secs(2);

/// How soon after a leader with a standby a later one counts as the next: no two are elected, and one replaced, in so short a time.
const ELECTED_WITHIN: Duration = Duration::from_secs(30);

/// A timeline, and since when.
type Seen = (String, Stopwatch);

/// Whether the leader commits alone, as all connections of this process have seen it: on which timeline it last waited for a standby, and on
/// which for none, since when and when last.
#[derive(Debug, Default)]
pub(super) struct Standby(Mutex<(Option<Seen>, Option<(Seen, Stopwatch)>)>);

impl Standby {
    /// Whether to rely on a host on this timeline whose commits wait for these standbys.
    pub(super) fn is_relied_on(&self, timeline: &str, standbys: &str) -> bool {
        let (with, alone) = &mut *threads::locked(&self.0);
        let now = Stopwatch::start();
        let is_later = |(before, _): &Seen| timeline > before.as_str();
        if !standbys.is_empty() {
            if with.as_ref().is_none_or(|seen| is_later(seen) || seen.0 == timeline) {
                *with = Some((timeline.to_owned(), now));
            }
            *alone = None;
            return true;
        }
        let since = match alone.take() {
            Some(((seen, since), last)) if seen == timeline && last.elapsed() < SEEN_EVERY => since,
            _ => now,
        };
        *alone = Some(((timeline.to_owned(), since), now));
        let is_next = |seen: &Seen| is_later(seen) && seen.1.elapsed() < ELECTED_WITHIN;
        since.elapsed() >= ALONE || with.as_ref().is_some_and(is_next) || Defect::ReliesOnLoneLeader.is_back()
    }
}

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

#[cfg(test)]
mod tests {
    use libros_server_system::clock::{Reading, simulate};

    use super::*;

    #[test]
    fn a_leader_counts_as_alone_all_the_time_only_where_it_was_seen_all_the_time() {
        let standby = Standby::default();
        let is_relied_on = |second, standbys| {
            simulate(move || Reading { ticks: Duration::from_secs(second), wall: std::time::UNIX_EPOCH });
            standby.is_relied_on("00000001", standbys)
        };
        assert!(is_relied_on(0, "the other"));
        assert_eq!((1..10).find(|second| is_relied_on(*second, "")), Some(6));
        // Meanwhile the standby may have come back, and may lead by now.
        assert!(!is_relied_on(9, ""));
    }
}
