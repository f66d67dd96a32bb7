//! Whether the leader of the database commits without a standby, as seen by all connections of this process. Knows no table.
//!
//! A replaced leader may begin to commit alone: Patroni 3.0.2, starting beside it, empties `synchronous_standby_names` before it stops the
//! leader. From then on its waiting commits are visible, without the later commits of the new leader. So a leader that no longer waits
//! for a standby is not relied on for [`ALONE`]. A newly elected leader does not wait yet either, but is on a later timeline.

use std::sync::Mutex;
use std::time::Duration;

use crate::cluster::{defect::Defect, threads};
use libros_server_system::clock::Stopwatch;

/// How long a leader that no longer waits for a standby may be a replaced one: Patroni stops those much sooner.
const ALONE: Duration = Duration::from_secs(5);

/// A leader seen alone again within this time was alone all the time: no standby comes back and is elected so soon.
const SEEN_EVERY: Duration = Duration::from_secs(2);

/// A later leader seen within this time after one with a standby is the next one: no two are elected, and one replaced, so soon.
const ELECTED_WITHIN: Duration = Duration::from_secs(30);

#[derive(Debug, Default)]
pub(super) struct Standby(Mutex<Seen>);

#[derive(Debug, Default)]
struct Seen {
    with_standby: Option<WithStandby>,
    alone: Option<Alone>,
}

/// When a leader was last seen to wait for a standby.
#[derive(Debug)]
struct WithStandby {
    timeline: String,
    last: Stopwatch,
}

/// Since when, and when last, a leader was seen to wait for no standby.
#[derive(Debug)]
struct Alone {
    timeline: String,
    since: Stopwatch,
    last: Stopwatch,
}

impl Standby {
    /// Whether to rely on a host with this timeline, whose commits wait for these standbys.
    pub(super) fn is_relied_on(&self, timeline: &str, standbys: &str) -> bool {
        let Seen { with_standby, alone } = &mut *threads::locked(&self.0);
        let (timeline, now) = (timeline.to_owned(), Stopwatch::start());
        if !standbys.is_empty() {
            if with_standby.as_ref().is_none_or(|seen| timeline >= seen.timeline) {
                *with_standby = Some(WithStandby { timeline, last: now });
            }
            *alone = None;
            return true;
        }
        let is_still = |seen: &Alone| seen.timeline == timeline && seen.last.elapsed() < SEEN_EVERY;
        let since = alone.take().filter(is_still).map_or(now, |seen| seen.since);
        let precedes = |seen: &WithStandby| timeline > seen.timeline && seen.last.elapsed() < ELECTED_WITHIN;
        let is_next = with_standby.as_ref().is_some_and(precedes);
        *alone = Some(Alone { timeline, since, last: now });
        since.elapsed() >= ALONE || is_next || Defect::ReliesOnLoneLeader.is_back()
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
