//! Paces requests: evenly, if the implementation has a rate limit, and one at a time if they create a user of the
//! demonstration interfaces. Measures how long answers take.

use std::num::NonZeroU32;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::clock;

/// The id of a user is the implementation's clock in milliseconds: of two users created within one millisecond, the
/// second may replace the first.
const BETWEEN_USERS: Duration = Duration::from_millis(3);

/// Answers after which their times are known.
const ENOUGH: u32 = 20;

/// Shared by all cases of a run.
#[derive(Debug, Default)]
pub struct Throttle {
    /// Between two requests; `None` if there is no limit.
    gap: Option<Duration>,
    next: Mutex<Option<Instant>>,
    /// Number of answers, their total time, and the shortest.
    answered: Mutex<(u32, Duration, Option<Duration>)>,
    /// When the last request that creates a user was answered.
    user_made: Mutex<Option<Instant>>,
}

/// The right to create a user: no other case creates one before it is dropped, nor within the milliseconds after.
pub struct UserTurn<'t>(MutexGuard<'t, Option<Instant>>);

impl Drop for UserTurn<'_> {
    fn drop(&mut self) {
        *self.0 = Some(clock::stopwatch());
    }
}

impl Throttle {
    /// Allows `per_minute` requests a minute, any number if `None`.
    pub fn new(per_minute: Option<NonZeroU32>) -> Self {
        let gap = per_minute.map(|per_minute| Duration::from_secs(60) / per_minute.get());
        Self { gap, ..Self::default() }
    }

    pub fn wait(&self) {
        if let Some(gap) = self.gap {
            let turn = self.turn(clock::stopwatch(), gap);
            std::thread::sleep(turn.saturating_duration_since(clock::stopwatch()));
        }
    }

    pub fn answered(&self, within: Duration) {
        let mut answered = self.answered.lock().unwrap_or_else(PoisonError::into_inner);
        let quickest = answered.2.map_or(within, |quickest| quickest.min(within));
        *answered = (answered.0.saturating_add(1), answered.1 + within, Some(quickest));
    }

    /// The mean time of an answer, once there are enough.
    pub fn pace(&self) -> Option<Duration> {
        let (count, whole, _) = *self.answered.lock().unwrap_or_else(PoisonError::into_inner);
        (count >= ENOUGH).then(|| whole / count)
    }

    /// The shortest time of an answer, once there are enough: how far away the implementation is.
    pub fn quickest(&self) -> Option<Duration> {
        let (count, _, quickest) = *self.answered.lock().unwrap_or_else(PoisonError::into_inner);
        quickest.filter(|_| count >= ENOUGH)
    }

    pub fn user_turn(&self) -> UserTurn<'_> {
        let made = self.user_made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(made) = *made {
            std::thread::sleep((made + BETWEEN_USERS).saturating_duration_since(clock::stopwatch()));
        }
        UserTurn(made)
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
