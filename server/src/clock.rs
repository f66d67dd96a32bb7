//! The service's now. The only file that reads a clock.
//!
//! The control listener may move it ahead; nothing else does.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
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
    #[must_use]
    pub fn iso(self) -> String {
        DateTime::from_timestamp_millis(self.0).unwrap_or_default().to_rfc3339_opts(SecondsFormat::Millis, true)
    }

    /// The moment an ISO 8601 text with an offset names; `None` when it names none.
    #[must_use]
    pub fn from_iso(text: &str) -> Option<Self> {
        DateTime::parse_from_rfc3339(text).ok().map(|t| Self(t.timestamp_millis()))
    }

    /// The UTC date text of HTTP, to the second: `Fri, 02 Jan 2026 03:04:05 GMT`.
    #[must_use]
    pub fn http_date(self) -> String {
        let since_epoch = Duration::from_millis(u64::try_from(self.0).unwrap_or(0));
        httpdate::fmt_http_date(UNIX_EPOCH + since_epoch)
    }

    /// Whole seconds since 1970.
    #[must_use]
    pub fn seconds(self) -> i64 {
        self.0.div_euclid(1000)
    }

    /// Milliseconds since 1970.
    #[must_use]
    pub fn millis(self) -> i64 {
        self.0
    }

    /// This moment and `milliseconds` more (or fewer, when negative).
    #[must_use]
    pub fn plus_ms(self, milliseconds: i64) -> Self {
        Self(self.0.saturating_add(milliseconds))
    }
}

/// The service's clock; clones share one offset.
#[derive(Debug, Clone, Default)]
pub struct Clock {
    ahead_us: Arc<AtomicI64>,
}

/// The clock was asked to move backwards, or beyond the year 9999.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("seconds must be a number, not negative, and the moment reached must lie before the year 10000")]
pub struct OutOfRange;

impl Clock {
    /// A clock that shows the wall time.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The service's now.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        Timestamp((wall_us() + self.ahead_us.load(Ordering::Relaxed)).div_euclid(1000))
    }

    /// Moves now `seconds` ahead and returns the new now.
    ///
    /// # Errors
    /// [`OutOfRange`], and nothing moves, when `seconds` is negative, not finite, or leads beyond the year 9999.
    pub fn advance(&self, seconds: f64) -> Result<Timestamp, OutOfRange> {
        let moved = self
            .ahead_us
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |ahead_us| Self::ahead_by(ahead_us, seconds).ok());
        moved.map(|_| self.now()).map_err(|_| OutOfRange)
    }

    /// How many microseconds ahead of the wall time this clock would be `seconds` after one that is `ahead_us` ahead.
    ///
    /// # Errors
    /// [`OutOfRange`], when `seconds` is negative, not finite, or leads beyond the year 9999.
    pub(crate) fn ahead_by(ahead_us: i64, seconds: f64) -> Result<i64, OutOfRange> {
        let step_us = Duration::try_from_secs_f64(seconds)
            .ok()
            .and_then(|step| i64::try_from(step.as_micros()).ok())
            .ok_or(OutOfRange)?;
        let reached = wall_us().checked_add(ahead_us).and_then(|now_us| now_us.checked_add(step_us));
        reached.filter(|reached| *reached <= LAST_MS * 1000).map(|_| ahead_us + step_us).ok_or(OutOfRange)
    }

    /// Shows the wall time and so many microseconds.
    pub(crate) fn set_ahead(&self, ahead_us: i64) {
        self.ahead_us.store(ahead_us, Ordering::Relaxed);
    }

    /// Shows the wall time again.
    pub fn reset(&self) {
        self.ahead_us.store(0, Ordering::Relaxed);
    }
}

/// How long ago something began, whatever happens to the wall clock meanwhile.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stopwatch(Instant);

impl Stopwatch {
    /// It began now.
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    pub(crate) fn elapsed(self) -> Duration {
        self.0.elapsed()
    }

    pub(crate) fn elapsed_us(self) -> u64 {
        u64::try_from(self.elapsed().as_micros()).unwrap_or(u64::MAX)
    }
}

/// Microseconds of wall time since 1970; 0 for a machine whose clock stands before that.
fn wall_us() -> i64 {
    let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since_epoch.as_micros()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iso_has_milliseconds_and_z() {
        assert_eq!(Timestamp(1_767_323_045_678).iso(), "2026-01-02T03:04:05.678Z");
        assert_eq!(Timestamp(0).iso(), "1970-01-01T00:00:00.000Z");
    }

    #[test]
    fn iso_reads_back() {
        let moment = Timestamp(1_767_323_045_678);
        assert_eq!(Timestamp::from_iso(&moment.iso()), Some(moment));
        assert_eq!(Timestamp::from_iso("yesterday"), None);
    }

    #[test]
    fn http_date_is_to_the_second() {
        assert_eq!(Timestamp(1_767_323_045_678).http_date(), "Fri, 02 Jan 2026 03:04:05 GMT");
    }

    #[test]
    fn advance_moves_now_and_reset_takes_it_back() {
        let clock = Clock::new();
        let before = clock.now();
        let after = clock.advance(3600.5).expect("a plain step");
        assert!(after.millis() - before.millis() >= 3_600_500);
        clock.reset();
        assert!(clock.now() < after);
    }

    #[test]
    fn clones_share_the_offset() {
        let clock = Clock::new();
        let other = clock.clone();
        let moved = clock.advance(86_400.0).expect("a plain step");
        assert!(other.now() >= moved);
    }

    #[test]
    fn impossible_steps_are_refused() {
        let clock = Clock::new();
        for seconds in [-1.0, f64::NAN, f64::INFINITY, 1e12, 1e300] {
            assert_eq!(clock.advance(seconds), Err(OutOfRange), "{seconds}");
        }
        assert!(clock.now().millis() < LAST_MS);
    }
}
