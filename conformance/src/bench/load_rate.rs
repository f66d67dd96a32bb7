//! When requests are due: at a steady rate from the start, or as soon as a connection is free.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// Requests a second; without a number as soon as a connection is free, which measures what an implementation can do, not
/// how long a client waits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct LoadRate(pub(crate) Option<f64>);

impl LoadRate {
    pub(crate) const AS_FAST_AS_POSSIBLE: Self = Self(None);

    /// When a request is due, from the start; `None` if it is due at once.
    pub(super) fn due(self, number: u64) -> Option<Duration> {
        self.0.map(|rate| Duration::from_secs_f64(number as f64 / rate))
    }

    pub(super) fn count(self, within: Duration) -> u64 {
        self.0.map_or(u64::MAX, |rate| (within.as_secs_f64() * rate).ceil() as u64)
    }
}

impl FromStr for LoadRate {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse::<u32>() {
            _ if text == "max" => Ok(Self::AS_FAST_AS_POSSIBLE),
            Ok(rate) if rate > 0 => Ok(Self(Some(rate.into()))),
            _ => Err("a number from 1 on, or `max`".to_owned()),
        }
    }
}

impl fmt::Display for LoadRate {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            None => out.write_str("max"),
            Some(rate) => rate.fmt(out),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_due_at_a_rate_from_1_on_or_at_once() {
        let rate: LoadRate = "4".parse().unwrap();
        assert_eq!((rate.due(0), rate.due(6)), (Some(Duration::ZERO), Some(Duration::from_millis(1_500))));
        assert_eq!(rate.count(Duration::from_secs(2)), 8);
        assert_eq!("max".parse::<LoadRate>().unwrap().due(6), None);
        assert!(["0", "-1", "fast", ""].iter().all(|text| text.parse::<LoadRate>().is_err()));
    }
}
