//! ISO dates as V8 reads them, always in UTC, as milliseconds since 1970. Reads no clock.

use chrono::{DateTime, Days, NaiveDate, NaiveTime, TimeDelta};

/// The instant an ISO date text names, in milliseconds since 1970; `None` for any other text.
///
/// The forms are `YYYY-MM-DD` and `YYYY-MM-DDThh:mm:ss`, the latter optionally with `.mmm` and with `Z`. A day runs on
/// past the end of its month up to 31; hour 24 is midnight of the next day.
pub(super) fn instant_ms(text: &str) -> Option<i64> {
    let bytes = text.as_bytes();
    // Cheap checks first: most of these texts are no dates.
    if bytes.len() < 10 || !has_shape(&bytes[..10], b"0000-00-00") {
        return None;
    }
    let (year, month, day) = (digits(&bytes[..4]), digits(&bytes[5..7]), digits(&bytes[8..10]));
    let since_midnight = time_of_day(&bytes[10..])?;
    // rule: list/date-impossible
    if !(1..=31).contains(&day) {
        return None;
    }
    let first = NaiveDate::from_ymd_opt(year.cast_signed(), month, 1)?;
    let date = first.checked_add_days(Days::new(u64::from(day - 1)))?;
    let start = date.and_time(NaiveTime::MIN).and_utc();
    Some(start.checked_add_signed(since_midnight)?.timestamp_millis())
}

/// What follows the day: nothing, or `Thh:mm:ss` with optional `.mmm` and `Z`.
fn time_of_day(bytes: &[u8]) -> Option<TimeDelta> {
    if bytes.is_empty() {
        return Some(TimeDelta::zero());
    }
    // rule: list/date-without-zone
    let bytes = bytes.strip_suffix(b"Z").unwrap_or(bytes);
    if !has_shape(bytes, b"T00:00:00") && !has_shape(bytes, b"T00:00:00.000") {
        return None;
    }
    let (hour, minute, second) = (digits(&bytes[1..3]), digits(&bytes[4..6]), digits(&bytes[7..9]));
    let milli = bytes.get(10..13).map_or(0, digits);
    let midnight = hour == 24 && (minute, second, milli) == (0, 0, 0);
    if (hour > 23 && !midnight) || minute > 59 || second > 59 {
        return None;
    }
    let seconds = (hour * 60 + minute) * 60 + second;
    Some(TimeDelta::milliseconds(i64::from(seconds * 1000 + milli)))
}

/// `String(new Date(instant_ms))` on a machine whose time zone is UTC.
pub(super) fn to_text(instant_ms: i64) -> String {
    DateTime::from_timestamp_millis(instant_ms).map_or_else(
        || String::from("Invalid Date"),
        |date| date.format("%a %b %d %Y %H:%M:%S GMT+0000 (Coordinated Universal Time)").to_string(),
    )
}

/// Whether `bytes` are those of `shape`, any digit standing for each `0`.
fn has_shape(bytes: &[u8], shape: &[u8]) -> bool {
    bytes.len() == shape.len()
        && bytes.iter().zip(shape).all(|(byte, form)| match form {
            b'0' => byte.is_ascii_digit(),
            _ => byte == form,
        })
}

fn digits(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0, |number, byte| number * 10 + u32::from(byte - b'0'))
}
