//! The impostor's time: the machine's, moved ahead by the control listener. Times are milliseconds since 1970.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use chrono::DateTime;

/// A second, in milliseconds.
pub(crate) const SECOND_MS: i64 = 1000;
/// A minute, in milliseconds.
pub(crate) const MINUTE_MS: i64 = 60 * SECOND_MS;
/// A day, in milliseconds.
pub(crate) const DAY_MS: i64 = 24 * 60 * MINUTE_MS;

/// chrono's form of an ISO 8601 UTC text with milliseconds.
pub(crate) const ISO: &str = "%Y-%m-%dT%H:%M:%S%.3fZ";

/// A clock that can be moved ahead.
#[derive(Debug, Default)]
pub(crate) struct Clock(AtomicI64);

impl Clock {
    pub(crate) fn now(&self) -> i64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let machine = i64::try_from(since.as_millis()).unwrap_or(i64::MAX);
        machine.saturating_add(self.0.load(Ordering::SeqCst))
    }

    /// Moves now ahead.
    pub(crate) fn advance(&self, seconds: f64) {
        let millis = (seconds * 1000.0).round() as i64;
        let offset = self.0.load(Ordering::SeqCst).saturating_add(millis);
        self.0.store(offset, Ordering::SeqCst);
    }

    /// Back to the machine's time.
    pub(crate) fn reset(&self) {
        self.0.store(0, Ordering::SeqCst);
    }
}

/// `2025-01-01T00:00:00.000Z`
pub(crate) fn iso(millis: i64) -> String {
    format(millis, ISO)
}

/// `Wed, 01 Jan 2025 00:00:00 GMT`
pub(crate) fn http_date(millis: i64) -> String {
    format(millis, "%a, %d %b %Y %H:%M:%S GMT")
}

/// The time in a form of chrono's.
pub(crate) fn format(millis: i64, form: &str) -> String {
    DateTime::from_timestamp_millis(millis).map_or_else(String::new, |t| t.format(form).to_string())
}
