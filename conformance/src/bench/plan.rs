//! How to send, and for how long.

use std::time::Duration;

use crate::bench::load_rate::LoadRate;

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
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    timeout: u64,
}

impl Plan {
    /// At most as many as connections.
    pub(super) fn threads(&self) -> usize {
        let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        self.threads.map_or((processors / 2).max(1), usize::from).min(self.connections.into())
    }

    pub(super) fn timeout(&self) -> Duration {
        Duration::from_secs(self.timeout)
    }
}
