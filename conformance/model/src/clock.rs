//! Times, as milliseconds since 1970, and their texts.

use chrono::DateTime;

pub const SECOND_MS: i64 = 1000;
pub const MINUTE_MS: i64 = 60 * SECOND_MS;
pub const DAY_MS: i64 = 24 * 60 * MINUTE_MS;

/// `2025-01-01T00:00:00.000Z`
pub fn iso(millis: i64) -> String {
    format(millis, "%Y-%m-%dT%H:%M:%S%.3fZ")
}

/// `Wed, 01 Jan 2025 00:00:00 GMT`
pub fn http_date(millis: i64) -> String {
    format(millis, "%a, %d %b %Y %H:%M:%S GMT")
}

pub fn format(millis: i64, form: &str) -> String {
    DateTime::from_timestamp_millis(millis).map_or_else(String::new, |t| t.format(form).to_string())
}
