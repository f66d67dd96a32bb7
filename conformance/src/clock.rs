//! The only file that reads this machine's clocks.
//!
//! Never tells what time the target thinks it is: that is asked of the target (see [`crate::context::case_context`]).

use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// A stopwatch started now.
pub fn stopwatch() -> Instant {
    Instant::now()
}

/// Milliseconds since 1970 on this machine.
pub fn unix_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// Milliseconds since 1970 as ISO 8601 UTC with milliseconds, the form the documents use.
pub fn iso(unix_ms: i64) -> String {
    chrono::DateTime::from_timestamp_millis(unix_ms)
        .map(|time| time.format("%Y-%m-%dT%H:%M:%S%.3fZ").to_string())
        .unwrap_or_default()
}

/// Reads an ISO 8601 UTC text with exactly milliseconds; anything else is `None`.
pub fn parse_iso(text: &str) -> Option<i64> {
    let time = chrono::NaiveDateTime::parse_from_str(text, "%Y-%m-%dT%H:%M:%S%.3fZ").ok()?.and_utc().timestamp_millis();
    // The parser is lenient about digits; the documents' form is not.
    (iso(time) == text).then_some(time)
}

/// Reads an ISO 8601 text of any precision and offset, for where the time is in question and not its form.
pub fn parse_any_iso(text: &str) -> Option<i64> {
    let time = chrono::DateTime::parse_from_rfc3339(text).ok()?;
    Some(time.timestamp_millis())
}

/// Reads the UTC date text of HTTP headers (`Sun, 06 Nov 1994 08:49:37 GMT`); anything else is `None`.
pub fn parse_http_date(text: &str) -> Option<i64> {
    let time = chrono::NaiveDateTime::parse_from_str(text, "%a, %d %b %Y %H:%M:%S GMT").ok()?.and_utc();
    (time.format("%a, %d %b %Y %H:%M:%S GMT").to_string() == text).then(|| time.timestamp_millis())
}
