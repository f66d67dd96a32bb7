//! When requests are due: at a steady rate from the start, whatever the target does.
//!
//! Timers of an event loop are coarse (a millisecond); a thread that sleeps is exact to some fifty microseconds.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::Semaphore;

/// How fast requests are sent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum LoadRate {
    /// As soon as a connection is free: says what a target can do, not how long a client waits.
    AsFastAsPossible,
    /// So many a second.
    PerSecond(f64),
}

impl LoadRate {
    /// When a request is due, counted from the start; `None` where it is due at once.
    pub(super) fn due(self, number: u64) -> Option<Duration> {
        match self {
            Self::AsFastAsPossible => None,
            Self::PerSecond(rate) => Some(Duration::from_secs_f64(number as f64 / rate)),
        }
    }

    /// How many requests are due within so long.
    pub(super) fn count(self, within: Duration) -> u64 {
        match self {
            Self::AsFastAsPossible => u64::MAX,
            Self::PerSecond(rate) => (within.as_secs_f64() * rate).ceil() as u64,
        }
    }
}

/// Lets requests go as they become due, until `count` have gone or it is stopped; then wakes every connection once more, so that
/// it sees the end.
pub(super) fn release(
    due: &Arc<Semaphore>,
    rate: LoadRate,
    count: u64,
    connections: usize,
    started: Instant,
    stop: &Arc<AtomicBool>,
) {
    const PAUSE_MIN: Duration = Duration::from_micros(20);
    let LoadRate::PerSecond(_) = rate else { return };
    let (due, stop) = (Arc::clone(due), Arc::clone(stop));
    thread::spawn(move || {
        let mut released = 0;
        while released < count && !stop.load(Ordering::Relaxed) {
            let now_due = rate.count(started.elapsed()).min(count);
            if now_due > released {
                due.add_permits(usize::try_from(now_due - released).unwrap_or(usize::MAX));
                released = now_due;
            }
            let next = rate.due(released).unwrap_or_default();
            thread::sleep(next.saturating_sub(started.elapsed()).max(PAUSE_MIN));
        }
        due.add_permits(connections);
    });
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
}
