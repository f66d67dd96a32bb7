//! Parses durations of options: `90`, `90s`, `10m`, `1h`.

use std::time::Duration;

/// Parses a duration of at least a second.
pub(super) fn time_span(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let seconds_a_unit = match &text[digits.len()..] {
        "" | "s" => 1,
        "m" | "min" => 60,
        "h" => 3600,
        unit => return Err(format!("`{unit}` is no unit of time; write 90s, 10m or 1h")),
    };
    let count = digits.parse::<u64>().ok().and_then(|count| count.checked_mul(seconds_a_unit));
    let seconds = count.filter(|seconds| *seconds > 0).ok_or("want a number and a unit: 90s, 10m or 1h")?;
    Ok(Duration::from_secs(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_has_a_unit_or_is_in_seconds() {
        let seconds = |text: &str| time_span(text).map(|span| span.as_secs());
        assert_eq!(["90", "90s", "10m", "1h"].map(seconds), [Ok(90), Ok(90), Ok(600), Ok(3600)]);
        for text in ["", "m", "0", "-1m", "1d", "1.5m", "99999999999999999999"] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }
}
