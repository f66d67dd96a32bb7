//! The service's now. The only file that reads a clock.
//!
//! It is this machine's, or that of the database which replicas share. The control listener may move it ahead; nothing else does.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use chrono::{DateTime, SecondsFormat};
use serde::{Deserialize, Serialize};

/// A moment: milliseconds since 1970-01-01T00:00:00Z.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
#[serde(transparent)]
pub struct Timestamp(pub i64);

/// The last moment that has a four-digit year: 9999-12-31T23:59:59.999Z.
const LAST_MS: i64 = 253_402_300_799_999;

impl Timestamp {
    /// ISO 8601, UTC, with milliseconds: `2026-01-02T03:04:05.678Z`.
    pub fn iso(self) -> String {
        DateTime::from_timestamp_millis(self.0).unwrap_or_default().to_rfc3339_opts(SecondsFormat::Millis, true)
    }

    /// The moment an ISO 8601 text with an offset names; `None` when it names none.
    pub fn from_iso(text: &str) -> Option<Self> {
        DateTime::parse_from_rfc3339(text).ok().map(|t| Self(t.timestamp_millis()))
    }

    /// The UTC date text of HTTP, to the second: `Fri, 02 Jan 2026 03:04:05 GMT`. Other years than 1970 to 9999 become the nearest of these.
    pub fn http_date(self) -> String {
        httpdate::fmt_http_date(UNIX_EPOCH + Duration::from_millis(self.0.clamp(0, LAST_MS).unsigned_abs()))
    }

    /// Whole seconds since 1970.
    pub fn seconds(self) -> i64 {
        self.0.div_euclid(1000)
    }

    /// Milliseconds since 1970.
    pub fn millis(self) -> i64 {
        self.0
    }

    /// This moment and `milliseconds` more (or fewer, when negative).
    pub fn plus_ms(self, milliseconds: i64) -> Self {
        Self(self.0.saturating_add(milliseconds))
    }
}

/// The service's clock; clones share its offsets.
#[derive(Debug, Clone)]
pub struct Clock {
    ahead_us: Arc<AtomicI64>,
    /// How far the shared clock is ahead of [`ticks_us`]; [`UNSHARED`] where there is none.
    shared_us: Arc<AtomicI64>,
}

/// The value of a clock that follows no other.
const UNSHARED: i64 = i64::MIN;

impl Default for Clock {
    /// One that shows the wall time.
    fn default() -> Self {
        Self { ahead_us: Arc::default(), shared_us: Arc::new(AtomicI64::new(UNSHARED)) }
    }
}

/// This machine's clocks when another clock was asked.
#[derive(Debug, Clone, Copy)]
pub struct Asked {
    wall_us: i64,
    ticks_us: i64,
}

impl Asked {
    /// The clocks as they are now.
    pub fn now() -> Self {
        Self { wall_us: wall_us(), ticks_us: ticks_us() }
    }
}

/// The clock was asked to move backwards, or beyond the year 9999.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("seconds must be a number, not negative, and the moment reached must lie before the year 10000")]
pub struct OutOfRange;

impl Clock {
    /// The service's now.
    pub fn now(&self) -> Timestamp {
        Timestamp((self.unmoved_us() + self.ahead_us.load(Ordering::Relaxed)).div_euclid(1000))
    }

    /// The time of the clock that it follows: the shared one, or else this machine's.
    fn unmoved_us(&self) -> i64 {
        match self.shared_us.load(Ordering::Relaxed) {
            UNSHARED => wall_us(),
            // Changes to the wall clock of this machine do not count.
            shared_us => ticks_us() + shared_us,
        }
    }

    /// Follows the clock that replicas share, which showed `shown` between `asked` and now. Moves only as far as that proves it wrong.
    ///
    /// Returns by how many microseconds, at least, this machine's wall clock is ahead of the shared one; negative if it is behind.
    pub fn follow(&self, asked: Asked, shown: SystemTime) -> i64 {
        let (shown_us, answered) = (since_epoch_us(shown), Asked::now());
        let (least, most) = (shown_us - answered.ticks_us, shown_us - asked.ticks_us);
        let shared_us = match self.shared_us.load(Ordering::Relaxed) {
            UNSHARED => i64::midpoint(least, most),
            known => known.max(least).min(most),
        };
        self.shared_us.store(shared_us, Ordering::Relaxed);
        0.max(asked.wall_us - shown_us).min(answered.wall_us - shown_us)
    }

    /// Moves now `seconds` ahead and returns the new now. Fails, and nothing moves, as [`Clock::ahead_by`] does.
    pub fn advance(&self, seconds: f64) -> Result<Timestamp, OutOfRange> {
        let step = |ahead_us| self.ahead_by(ahead_us, seconds).ok();
        let moved = self.ahead_us.fetch_update(Ordering::Relaxed, Ordering::Relaxed, step);
        moved.map(|_| self.now()).map_err(|_| OutOfRange)
    }

    /// How many microseconds this clock would be ahead of the clock that it follows, `seconds` after it was `ahead_us` ahead. Fails when
    /// `seconds` is negative, not finite, or leads beyond the year 9999.
    pub fn ahead_by(&self, ahead_us: i64, seconds: f64) -> Result<i64, OutOfRange> {
        let step_us = Duration::try_from_secs_f64(seconds)
            .ok()
            .and_then(|step| i64::try_from(step.as_micros()).ok())
            .ok_or(OutOfRange)?;
        let reached = self.unmoved_us().checked_add(ahead_us).and_then(|now_us| now_us.checked_add(step_us));
        reached.filter(|reached| *reached <= LAST_MS * 1000).map(|_| ahead_us + step_us).ok_or(OutOfRange)
    }

    /// Shows the time of the clock that it follows plus this many microseconds from now on.
    pub fn set_ahead(&self, ahead_us: i64) {
        self.ahead_us.store(ahead_us, Ordering::Relaxed);
    }
}

/// How long ago something began; changes to the wall clock do not count.
#[derive(Debug, Clone, Copy)]
pub struct Stopwatch(Duration);

impl Stopwatch {
    /// It began now.
    pub fn start() -> Self {
        Self(ticks())
    }

    /// The time since it was started.
    pub fn elapsed(self) -> Duration {
        ticks().saturating_sub(self.0)
    }
}

/// A reading of both clocks of a machine.
#[derive(Debug, Clone, Copy)]
pub struct Reading {
    /// Since some moment in the past.
    pub ticks: Duration,
    /// The wall clock.
    pub wall: SystemTime,
}

#[cfg(feature = "simulation")]
thread_local! {
    static SIMULATED: std::cell::RefCell<Option<Box<dyn Fn() -> Reading>>> = const { std::cell::RefCell::new(None) };
}

/// Lets this thread read `clocks` instead of those of the machine: for tests.
#[cfg(feature = "simulation")]
pub fn simulate(clocks: impl Fn() -> Reading + 'static) {
    SIMULATED.set(Some(Box::new(clocks)));
}

#[cfg(feature = "simulation")]
fn simulated() -> Option<Reading> {
    SIMULATED.with_borrow(|clocks| clocks.as_ref().map(|clocks| clocks()))
}

#[cfg(not(feature = "simulation"))]
const fn simulated() -> Option<Reading> {
    None
}

/// Microseconds of wall time since 1970; 0 for a machine whose clock shows an earlier time.
fn wall_us() -> i64 {
    since_epoch_us(simulated().map_or_else(SystemTime::now, |reading| reading.wall))
}

fn since_epoch_us(moment: SystemTime) -> i64 {
    let since_epoch = moment.duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since_epoch.as_micros()).unwrap_or(i64::MAX)
}

/// The time since this process first asked, which no change to the wall clock moves.
fn ticks() -> Duration {
    static BEGUN: LazyLock<Instant> = LazyLock::new(Instant::now);
    simulated().map_or_else(|| BEGUN.elapsed(), |reading| reading.ticks)
}

fn ticks_us() -> i64 {
    i64::try_from(ticks().as_micros()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shared_clock_is_followed_as_far_as_its_answers_prove() {
        let clock = Clock::default();
        let shown = SystemTime::now() + Duration::from_secs(3600);
        let asked = Asked::now();
        let host_ahead_us = clock.follow(asked, shown);
        assert!((-3_600_000_000..-3_599_000_000).contains(&host_ahead_us), "{host_ahead_us}");
        let shown_ms = since_epoch_us(shown) / 1000;
        assert!(clock.now().millis() >= shown_ms - 1 && wall_us() / 1000 < shown_ms);
        // An answer that took long proves little, and changes nothing that it does not contradict.
        let slow = Asked { wall_us: asked.wall_us - 60_000_000, ticks_us: asked.ticks_us - 60_000_000 };
        let before = clock.shared_us.load(Ordering::Relaxed);
        assert_eq!(clock.follow(slow, SystemTime::now() - Duration::from_secs(30)), 0);
        assert!(clock.shared_us.load(Ordering::Relaxed) < before, "an hour ahead was proved wrong");
        let moved = clock.advance(86_400.0).expect("a plain step");
        assert!(clock.now() >= moved, "and the control listener moves it as any other");
        let last = UNIX_EPOCH + Duration::from_millis(LAST_MS.unsigned_abs() - 10_000);
        clock.follow(Asked::now(), last);
        clock.set_ahead(0);
        assert_eq!(clock.advance(3600.0), Err(OutOfRange), "the shared year is 9999, whatever this machine shows");
    }

    #[test]
    fn a_clock_that_has_run_past_the_year_9999_still_gives_a_date_for_http() {
        assert_eq!(Timestamp(LAST_MS + 1000).http_date(), "Fri, 31 Dec 9999 23:59:59 GMT");
        assert_eq!(Timestamp(-1).http_date(), "Thu, 01 Jan 1970 00:00:00 GMT");
    }

    #[test]
    fn impossible_steps_are_refused() {
        let clock = Clock::default();
        for seconds in [-1.0, f64::NAN, f64::INFINITY, 1e12, 1e300] {
            assert_eq!(clock.advance(seconds), Err(OutOfRange), "{seconds}");
        }
        assert!(clock.now().millis() < LAST_MS);
    }
}
