//! Paces requests: evenly, if the implementation has a rate limit, and one at a time if they create a user of the
//! demonstration interfaces. Measures how long answers take, and says how many requests may be under way. Keeps connections that no case
//! uses.

use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock};
use std::time::{Duration, Instant};

use crate::clock;
use crate::http::chain;
use crate::http::connection::Connection;
use crate::mutex::locked;

/// The id of a user is the implementation's clock in milliseconds: of two users created within one millisecond, the
/// second may replace the first.
const BETWEEN_USERS: Duration = Duration::from_millis(3);

/// Answers needed to know how long they take.
const ENOUGH: u32 = 20;

#[derive(Debug, Default)]
pub struct Throttle {
    /// Between two requests; `None` if there is no limit.
    gap: Option<Duration>,
    next: Mutex<Option<Instant>>,
    /// Number of answers, their total time, and the shortest.
    answered: Mutex<(u32, Duration, Option<Duration>)>,
    /// When the last request that creates a user was answered, and the chain of requests up to it.
    user_made: Mutex<Option<(Instant, u32)>>,
    /// How many requests were sent that may change the implementation's state.
    changes: AtomicU32,
    /// How many cases may run at a time, nearby and far away.
    jobs: OnceLock<(usize, usize)>,
    /// Open connections that no case uses.
    connections: Mutex<Vec<Connection>>,
}

/// The right to create a user: no other case creates one before it is dropped, nor within the milliseconds after.
pub struct UserTurn<'t>(MutexGuard<'t, Option<(Instant, u32)>>);

impl Drop for UserTurn<'_> {
    fn drop(&mut self) {
        *self.0 = Some((clock::stopwatch(), chain::length()));
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

    /// Notes that a request was sent; unless it `reads`, it may change something.
    pub fn begun(&self, reads: bool) {
        self.changes.fetch_add(u32::from(!reads), Ordering::Relaxed);
    }

    pub fn changes(&self) -> u32 {
        self.changes.load(Ordering::Relaxed)
    }

    /// Notes an answer. One that was too long to read `whole` says nothing about how far away the implementation is.
    pub fn answered(&self, within: Duration, whole: bool) {
        let mut answered = locked(&self.answered);
        let quickest = answered.2.into_iter().chain(whole.then_some(within)).min();
        *answered = (answered.0.saturating_add(1), answered.1 + within, quickest);
    }

    pub fn pace(&self) -> Option<Duration> {
        let (count, whole, _) = *locked(&self.answered);
        (count >= ENOUGH).then(|| whole / count)
    }

    /// The shortest time of an answer, once there are enough of them: how far away the implementation is.
    pub fn quickest(&self) -> Option<Duration> {
        let (count, _, quickest) = *locked(&self.answered);
        quickest.filter(|_| count >= ENOUGH)
    }

    /// Allows `near` cases at a time; if the implementation is far away, one for each millisecond of its quickest answer, up to `far`.
    pub fn allow(&self, near: usize, far: usize) {
        _ = self.jobs.set((near, far));
    }

    /// How many cases may run at a time, by the answers so far. An implementation whose answers take three times the quickest one lets
    /// requests wait for each other: more of them would not be answered in time.
    pub fn at_once(&self) -> usize {
        let (near, far) = self.jobs.get().copied().unwrap_or((1, 1));
        if self.pace().zip(self.quickest()).is_some_and(|(pace, quickest)| pace > 3 * quickest) {
            return near;
        }
        let quickest_ms = self.quickest().map_or(0, |quickest| quickest.as_millis());
        usize::try_from(quickest_ms).unwrap_or(usize::MAX).min(far).max(near)
    }

    pub fn connections(&self) -> MutexGuard<'_, Vec<Connection>> {
        locked(&self.connections)
    }

    pub fn user_turn(&self) -> UserTurn<'_> {
        let made = locked(&self.user_made);
        if let Some((made, chain)) = *made {
            chain::waited_for(chain);
            std::thread::sleep((made + BETWEEN_USERS).saturating_duration_since(clock::stopwatch()));
        }
        UserTurn(made)
    }

    fn turn(&self, now: Instant, gap: Duration) -> Instant {
        let mut next = locked(&self.next);
        let turn = next.map_or(now, |next| next.max(now));
        *next = Some(turn + gap);
        turn
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_cases_run_at_a_time_far_away_but_not_where_requests_wait_for_each_other() {
        for (slowest_ms, at_once) in [(60, 48), (4_800, 8)] {
            let throttle = Throttle::default();
            throttle.allow(8, 48);
            (0..ENOUGH)
                .for_each(|nth| throttle.answered(Duration::from_millis(if nth == 0 { 50 } else { slowest_ms }), true));
            assert_eq!(throttle.at_once(), at_once);
        }
    }

    #[test]
    fn requests_that_are_ready_at_once_are_sent_one_gap_after_another_and_no_pause_is_made_up_for() {
        let (throttle, now, gap) = (Throttle::default(), clock::stopwatch(), Duration::from_millis(10));
        for pause in [Duration::ZERO, Duration::from_secs(1)] {
            let ready = now + pause;
            let turns: Vec<Duration> = (0..3).map(|_| throttle.turn(ready, gap) - ready).collect();
            assert_eq!(turns, [0, 10, 20].map(Duration::from_millis));
        }
    }
}
