//! How fast requests may follow one another where the target enforces a rate limit: evenly, never in a burst.

use std::num::NonZeroU32;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::clock;

/// Turns for requests, shared by all cases of a run.
#[derive(Debug, Default)]
pub struct Throttle {
    /// Between two requests; `None` where the target takes any number.
    gap: Option<Duration>,
    /// When the next request may be sent.
    next: Mutex<Option<Instant>>,
}

impl Throttle {
    /// At most so many requests a minute, if the target says how many it takes.
    pub(crate) fn new(per_minute: Option<NonZeroU32>) -> Self {
        let gap = per_minute.map(|per_minute| Duration::from_secs(60) / per_minute.get());
        Self { gap, next: Mutex::default() }
    }

    /// Waits for this request's turn.
    pub(crate) fn wait(&self) {
        if let Some(gap) = self.gap {
            let turn = self.turn(clock::stopwatch(), gap);
            std::thread::sleep(turn.saturating_duration_since(clock::stopwatch()));
        }
    }

    /// When a request that is ready now may be sent.
    fn turn(&self, now: Instant, gap: Duration) -> Instant {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let turn = next.map_or(now, |next| next.max(now));
        *next = Some(turn + gap);
        turn
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_that_are_ready_at_once_are_sent_one_gap_after_another() {
        let (throttle, now, gap) = (Throttle::default(), clock::stopwatch(), Duration::from_millis(10));
        let turns: Vec<Duration> = (0..3).map(|_| throttle.turn(now, gap) - now).collect();
        assert_eq!(turns, [0, 10, 20].map(Duration::from_millis));
    }

    #[test]
    fn a_pause_is_not_made_up_for() {
        let (throttle, now, gap) = (Throttle::default(), clock::stopwatch(), Duration::from_millis(10));
        throttle.turn(now, gap);
        let later = now + Duration::from_secs(1);
        let turns: Vec<Duration> = (0..2).map(|_| throttle.turn(later, gap) - later).collect();
        assert_eq!(turns, [0, 10].map(Duration::from_millis));
    }
}
