//! The results of a load, counted as it runs. Sends nothing.

use std::collections::BTreeMap;
use std::io;
use std::time::Duration;

use hdrhistogram::Histogram;

const LATENCY_US_MAX: u64 = 600_000_000;
/// The slices of time into which latencies are sorted.
pub(super) const SLICES: usize = 60;

pub(super) struct Measured {
    pub(super) answers: u64,
    pub(super) errors: BTreeMap<String, u64>,
    /// Requests that were due but not sent before the end. Each counts with the time it had waited by then.
    pub(super) unsent: u64,
    /// Microseconds, to three digits.
    pub(super) latencies: Histogram<u64>,
    /// The same to two digits, by the slice of time in which the request ended.
    pub(super) slices: Vec<Histogram<u64>>,
    slice: Duration,
    pub(super) lasted: Duration,
    pub(super) waited: Duration,
    pub(super) created: Vec<u64>,
}

impl Measured {
    /// An empty measurement of a load that lasts this long.
    pub(super) fn new(lasting: Duration) -> io::Result<Self> {
        let histogram = |digits| Histogram::new_with_bounds(1, LATENCY_US_MAX, digits).map_err(io::Error::other);
        Ok(Self {
            answers: 0,
            errors: BTreeMap::new(),
            unsent: 0,
            latencies: histogram(3)?,
            slices: vec![histogram(2)?; SLICES],
            slice: lasting / SLICES as u32,
            lasted: Duration::ZERO,
            waited: Duration::ZERO,
            created: Vec::new(),
        })
    }

    /// Answers a second in the later half: in the first, the implementation warms up.
    pub(super) fn per_second_warm(&self) -> f64 {
        let later: u64 = self.slices[SLICES / 2..].iter().map(Histogram::len).sum();
        let all: u64 = self.slices.iter().map(Histogram::len).sum();
        2.0 * self.per_second() * later as f64 / all.max(1) as f64
    }

    pub(super) fn per_second(&self) -> f64 {
        self.answers as f64 / self.lasted.as_secs_f64().max(1e-9)
    }

    /// Counts one request that ended at `now`, with its latency and the id of a created book, or its error.
    pub(super) fn take(&mut self, now: Duration, latency: Duration, answered: Result<Option<u64>, String>) {
        self.record(now, latency);
        match answered {
            Ok(created) => {
                self.answers += 1;
                self.created.extend(created);
            }
            Err(error) => *self.errors.entry(error).or_default() += 1,
        }
    }

    pub(super) fn take_unsent(&mut self, now: Duration, latency: Duration) {
        self.record(now, latency);
        self.unsent += 1;
    }

    pub(super) fn add(&mut self, other: Self) -> io::Result<()> {
        self.answers += other.answers;
        for (error, count) in other.errors {
            *self.errors.entry(error).or_default() += count;
        }
        self.unsent += other.unsent;
        self.waited += other.waited;
        self.created.extend(other.created);
        let slices = self.slices.iter_mut().zip(other.slices);
        let (all, mut slices) = (self.latencies.add(other.latencies), slices.map(|(own, other)| own.add(other)));
        all.and_then(|()| slices.try_for_each(|added| added)).map_err(io::Error::other)
    }

    fn record(&mut self, now: Duration, latency: Duration) {
        let us = u64::try_from(latency.as_micros()).unwrap_or(u64::MAX).max(1);
        self.latencies.saturating_record(us);
        let slice = now.as_nanos() / self.slice.as_nanos().max(1);
        self.slices[usize::try_from(slice).unwrap_or(SLICES).min(SLICES - 1)].saturating_record(us);
    }
}
