//! Times: reading those of an answer, and holding them against the target's clock.

use serde_json::Value;

use crate::case::Stop;
use crate::now;
use crate::trial::Trial;

impl Trial<'_> {
    /// How far from the target's clock a time of "now" may be, in milliseconds: less where the clock can be asked.
    pub fn tolerance_ms(&self) -> i64 {
        if self.setting().control.is_some() { 2_000 } else { 5_000 }
    }

    /// Whether a time is that of the moment between `before` (in the target's time, unix milliseconds) and now.
    ///
    /// # Errors
    /// As [`Trial::target_now`].
    pub fn is_now(&self, time_ms: i64, before: i64) -> Result<bool, Stop> {
        let after = self.target_now()?;
        let slack = self.tolerance_ms();
        Ok((before - slack..=after + slack).contains(&time_ms))
    }

    /// Lets so much time pass that two moments cannot share a timestamp, even on a coarse clock.
    pub fn let_a_moment_pass(&self) {
        const MOMENT_MS: i64 = 20;
        let start = now::unix_ms();
        while (start..start + MOMENT_MS).contains(&now::unix_ms()) {
            std::thread::yield_now();
        }
    }
}

/// The time a JSON text tells in any ISO 8601 form, as unix milliseconds, for cases that judge the time and not its form.
///
/// # Errors
/// [`Stop::Blocked`] when it tells none.
pub fn time_in(what: &str, value: Option<&Value>) -> Result<i64, Stop> {
    let text = value.and_then(Value::as_str).unwrap_or_default();
    now::parse_any_iso(text).ok_or_else(|| Stop::Blocked {
        step: format!("reading {what}"),
        why: match value {
            Some(value) => format!("want a time, got {value}"),
            None => "want a time, got nothing".into(),
        },
    })
}
