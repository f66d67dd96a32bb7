//! The only file of the suite that reads this machine's clocks, the impostor aside.
//!
//! Never gives the implementation's time: see [`crate::context::case_context`].

use std::time::{Instant, SystemTime, UNIX_EPOCH};

pub fn stopwatch() -> Instant {
    Instant::now()
}

pub fn unix_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// Milliseconds since 1970 as ISO 8601 UTC with milliseconds, the form the documents use.
pub fn iso(unix_ms: i64) -> String {
    let time = chrono::DateTime::from_timestamp_millis(unix_ms);
    time.map(|time| time.format("%Y-%m-%dT%H:%M:%S%.3fZ").to_string()).unwrap_or_default()
}

/// Reads an ISO 8601 UTC text with exactly milliseconds; anything else is `None`.
pub fn parse_iso(text: &str) -> Option<i64> {
    // Both mean UTC; the documents leave the choice open (`books/timestamp-zone`).
    let local = text.strip_suffix('Z').or_else(|| text.strip_suffix("+00:00"))?;
    let time = chrono::NaiveDateTime::parse_from_str(local, "%Y-%m-%dT%H:%M:%S%.3f").ok()?.and_utc().timestamp_millis();
    // The parser accepts other numbers of digits.
    (iso(time).strip_suffix('Z') == Some(local)).then_some(time)
}

pub const ANY_ISO_FORM: &str = "a time in ISO 8601, a text";

/// Reads an ISO 8601 text of any precision and offset, for cases that judge the time and not its form.
pub fn parse_any_iso(text: &str) -> Option<i64> {
    Some(chrono::DateTime::parse_from_rfc3339(text).ok()?.timestamp_millis())
}

/// Reads the UTC date text of HTTP headers (`Sun, 06 Nov 1994 08:49:37 GMT`); anything else is `None`.
pub fn parse_http_date(text: &str) -> Option<i64> {
    let time = chrono::NaiveDateTime::parse_from_str(text, "%a, %d %b %Y %H:%M:%S GMT").ok()?.and_utc();
    (time.format("%a, %d %b %Y %H:%M:%S GMT").to_string() == text).then(|| time.timestamp_millis())
}

/// How far the target's clock is ahead: it showed `date`, in whole seconds, at a moment between `from` and `to` on this machine.
/// Clocks that agree within a few seconds count as equal.
pub fn ahead_ms(date: i64, from: i64, to: i64) -> i64 {
    const SAME_MS: i64 = 2_000;
    let ahead = date + 500 - i64::midpoint(from, to);
    if ahead.abs() <= SAME_MS { 0 } else { ahead }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_that_agree_within_two_seconds_count_as_equal() {
        assert_eq!(ahead_ms(10_000, 10_900, 11_100), 0);
        assert_eq!(ahead_ms(70_000, 10_400, 10_600), 60_000);
        assert_eq!(ahead_ms(4_000, 10_400, 10_600), -6_000);
    }

    #[test]
    fn utc_is_named_by_z_or_by_offset_zero() {
        let time = parse_iso("2025-01-01T10:00:00.120Z");
        assert!(time.is_some());
        assert_eq!(parse_iso("2025-01-01T10:00:00.120+00:00"), time);
        for other in ["T10:00:00.120+01:00", "T10:00:00.120", "T10:00:00Z", "T10:00:00.12Z"] {
            assert_eq!(parse_iso(&format!("2025-01-01{other}")), None, "{other}");
        }
    }
}
