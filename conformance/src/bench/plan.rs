//! The options of a load: its rate, time, connections and threads. Sends nothing.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Plan {
    /// Requests a second, or `max`: as fast as they go [default: half of what the warm-up reached]
    ///
    /// At a number of requests a second, each is sent when it is due, whatever the target does, and its latency counts
    /// from then. With `max` every connection sends its next request as soon as the last is answered, as wrk and ab do:
    /// that measures how many answers a second a target can give, not how long a client waits.
    #[arg(long, value_name = "N|max")]
    pub(crate) rate: Option<LoadRate>,
    /// How long each mix is measured
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub(crate) duration: u64,
    /// How long each mix is sent as fast as possible before the measurement; its later half is shown as capacity
    #[arg(long, value_name = "SECONDS", default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub(crate) warm_up: u64,
    /// How many connections
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) connections: u16,
    /// How many threads send [default: half of the processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// How long one exchange may take
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=3600))]
    timeout: u64,
}

impl Plan {
    /// The number of threads, at most one for each connection.
    pub(super) fn threads(&self) -> usize {
        let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        self.threads.map_or((processors / 2).max(1), usize::from).min(self.connections.into())
    }

    pub(super) fn timeout(&self) -> Duration {
        Duration::from_secs(self.timeout)
    }
}

/// Requests a second. Without a number, sends whenever a connection is free: that measures capacity, not how long a client waits.
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
