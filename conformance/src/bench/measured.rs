//! The results of a load, counted as it runs. Sends nothing.

use std::collections::BTreeMap;
use std::io;
use std::time::Duration;

use hdrhistogram::Histogram;

/// Longest latency recorded, in microseconds; three digits of each are kept.
const LATENCY_US_MAX: u64 = 600_000_000;

pub(super) struct Measured {
    /// Requests with the status that the mix wants.
    pub(super) answers: u64,
    pub(super) errors: BTreeMap<String, u64>,
    /// Requests that were due but not sent before the end. Each counts with the time it had waited by then.
    pub(super) unsent: u64,
    pub(super) latencies: Histogram<u64>,
    pub(super) lasted: Duration,
    /// Idle time of all threads together.
    pub(super) waited: Duration,
    pub(super) created: Vec<u64>,
}

impl Measured {
    pub(super) fn new() -> io::Result<Self> {
        let latencies = Histogram::new_with_bounds(1, LATENCY_US_MAX, 3).map_err(io::Error::other)?;
        let (errors, created, lasted, waited) = (BTreeMap::new(), Vec::new(), Duration::ZERO, Duration::ZERO);
        Ok(Self { answers: 0, errors, unsent: 0, latencies, lasted, waited, created })
    }

    pub(super) fn per_second(&self) -> f64 {
        self.answers as f64 / self.lasted.as_secs_f64().max(1e-9)
    }

    /// Counts one request with its latency and the id of a created book, or its error.
    pub(super) fn take(&mut self, latency: Duration, answered: Result<Option<u64>, String>) {
        self.record(latency);
        match answered {
            Ok(created) => {
                self.answers += 1;
                self.created.extend(created);
            }
            Err(error) => *self.errors.entry(error).or_default() += 1,
        }
    }

    /// Counts one request that was due and never sent.
    pub(super) fn take_unsent(&mut self, latency: Duration) {
        self.record(latency);
        self.unsent += 1;
    }

    /// Adds the counts of another thread.
    pub(super) fn add(&mut self, other: Self) -> io::Result<()> {
        self.answers += other.answers;
        for (error, count) in other.errors {
            *self.errors.entry(error).or_default() += count;
        }
        self.unsent += other.unsent;
        self.waited += other.waited;
        self.created.extend(other.created);
        self.latencies.add(other.latencies).map_err(io::Error::other)
    }

    fn record(&mut self, latency: Duration) {
        self.latencies.saturating_record(u64::try_from(latency.as_micros()).unwrap_or(u64::MAX).max(1));
    }
}
