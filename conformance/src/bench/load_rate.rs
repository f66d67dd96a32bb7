//! When requests are due: at a steady rate from the start, or as soon as a connection is free.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum LoadRate {
    /// As soon as a connection is free: measures what an implementation can do, not how long a client waits.
    AsFastAsPossible,
    /// Requests a second.
    PerSecond(f64),
}

impl LoadRate {
    /// When a request is due, from the start; `None` if it is due at once.
    pub(super) fn due(self, number: u64) -> Option<Duration> {
        match self {
            Self::AsFastAsPossible => None,
            Self::PerSecond(rate) => Some(Duration::from_secs_f64(number as f64 / rate)),
        }
    }

    /// How many requests are due within this time.
    pub(super) fn count(self, within: Duration) -> u64 {
        match self {
            Self::AsFastAsPossible => u64::MAX,
            Self::PerSecond(rate) => (within.as_secs_f64() * rate).ceil() as u64,
        }
    }

    /// The rate, if it is a number.
    pub(super) fn per_second(self) -> Option<f64> {
        match self {
            Self::AsFastAsPossible => None,
            Self::PerSecond(rate) => Some(rate),
        }
    }
}

impl FromStr for LoadRate {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse::<u32>() {
            _ if text == "max" => Ok(Self::AsFastAsPossible),
            Ok(rate) if rate > 0 => Ok(Self::PerSecond(f64::from(rate))),
            _ => Err("a number from 1 on, or `max`".to_owned()),
        }
    }
}

impl fmt::Display for LoadRate {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AsFastAsPossible => out.write_str("max"),
            Self::PerSecond(rate) => rate.fmt(out),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_due_at_a_steady_rate() {
        let rate = LoadRate::PerSecond(4.0);
        assert_eq!(rate.due(0), Some(Duration::ZERO));
        assert_eq!(rate.due(6), Some(Duration::from_millis(1_500)));
        assert_eq!(rate.count(Duration::from_secs(2)), 8);
        assert_eq!(LoadRate::AsFastAsPossible.due(6), None);
    }

    #[test]
    fn a_rate_is_a_number_or_max() {
        assert_eq!("20".parse(), Ok(LoadRate::PerSecond(20.0)));
        assert_eq!("max".parse(), Ok(LoadRate::AsFastAsPossible));
        assert!(["0", "-1", "fast", ""].iter().all(|text| text.parse::<LoadRate>().is_err()));
    }
}
