//! Compares this machine's clock with the database's, which gives the time of a service with replicas. A machine whose clock is far off
//! serves nothing until the clock is set: it may jump at any time, and logs and certificates depend on it. Knows no database.

use std::time::{Duration, SystemTime};

use anyhow::ensure;

use libros_server_system::clock::{Asked, Clock, Stopwatch};

const WARNED_BEYOND_US: u64 = 1_000_000;
const REFUSED_BEYOND_US: u64 = 30_000_000;
const WARNED_EVERY: Duration = Duration::from_secs(60);

#[derive(Debug, Clone, Default)]
pub(super) struct HostClock {
    clock: Clock,
    warned: Option<Stopwatch>,
}

impl HostClock {
    pub(super) fn new(clock: Clock) -> Self {
        Self { clock, warned: None }
    }

    /// Lets the clock follow the database's, which was `shown` between `asked` and now. Fails if this machine's is too far off.
    pub(super) fn compare(&mut self, asked: Asked, shown: SystemTime) -> anyhow::Result<()> {
        let ahead_us = self.clock.follow(asked, shown);
        let off_us = ahead_us.unsigned_abs();
        if off_us <= WARNED_BEYOND_US {
            return Ok(());
        }
        let side = if ahead_us > 0 { "ahead of" } else { "behind" };
        let off = format!("{}.{} s {side} that of the database", off_us / 1_000_000, off_us / 100_000 % 10);
        ensure!(
            off_us <= REFUSED_BEYOND_US,
            "THE CLOCK OF THIS MACHINE IS {off}; 30 s are the most: synchronise both (NTP)"
        );
        if self.warned.is_none_or(|warned| warned.elapsed() > WARNED_EVERY) {
            self.warned = Some(Stopwatch::start());
            tracing::warn!("the clock of this machine is {off}, and its time is served: synchronise both (NTP)");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::time::UNIX_EPOCH;

    use super::*;

    #[test]
    fn a_machine_whose_clock_is_too_far_off_is_refused_until_it_is_set_right() {
        let mut host_clock = HostClock::new(Clock::default());
        let now = || UNIX_EPOCH + Duration::from_millis(Clock::default().now().millis().unsigned_abs());
        let ahead_of = |by: u64| (Asked::now(), now() - Duration::from_secs(by));
        let behind = |by: u64| (Asked::now(), now() + Duration::from_secs(by));
        for ((asked, shown), refused) in [
            (ahead_of(3600), Some("s ahead of")),
            (behind(90), Some("s behind")),
            (ahead_of(10), None),
            (behind(0), None),
        ] {
            let error = host_clock.compare(asked, shown).err().map(|error| error.to_string());
            assert_eq!(error.is_some(), refused.is_some(), "{error:?}");
            assert!(error.is_none_or(|error| refused.is_some_and(|side| error.contains(side))));
        }
        assert!(host_clock.warned.is_some(), "of ten seconds");
    }
}
