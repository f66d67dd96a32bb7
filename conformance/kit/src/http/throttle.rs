//! Paces requests: evenly, if the implementation has a rate limit, and one at a time if they create a user of the demonstration interfaces.
//! Measures how long answers take, and says how many requests may be under way. Keeps connections that no case uses.

use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use crate::clock;
use crate::http::chain;
use crate::http::connection::Connection;
use crate::mutex::locked;

/// A user's id is the implementation's clock: of two users created within one millisecond, the second may replace the first.
const BETWEEN_USERS: Duration = Duration::from_millis(3);

/// The number of answers that measure how long answers take.
const ENOUGH: u32 = 20;

#[derive(Debug, Default)]
pub struct Throttle {
    /// Between two requests; `None` if there is no limit.
    gap: Option<Duration>,
    next: Mutex<Option<Instant>>,
    answers: Mutex<Answers>,
    /// When the last request that creates a user was answered, and the chain of requests up to it.
    user_made: Mutex<Option<(Instant, u32)>>,
    /// How many requests were sent that may change the implementation's state.
    changes: AtomicU32,
    /// Open connections that no case uses.
    connections: Mutex<Vec<Connection>>,
}

/// How long answers take, and how many cases may therefore run at a time.
#[derive(Debug, Default)]
struct Answers {
    all: Sample,
    quickest: Option<Duration>,
    /// Those since the number of cases at a time was last decided.
    latest: Sample,
    /// The mean time of those before.
    before: Option<Duration>,
    at_once: usize,
    /// The least and the most cases at a time.
    near: usize,
    far: usize,
}

/// How many answers there were, and the sum of their times.
#[derive(Debug, Default)]
struct Sample {
    count: u32,
    total: Duration,
}

impl Sample {
    fn add(&mut self, within: Duration) {
        self.count = self.count.saturating_add(1);
        self.total += within;
    }
}

impl Answers {
    fn add(&mut self, within: Duration, is_whole: bool) {
        self.quickest = self.quickest.into_iter().chain(is_whole.then_some(within)).min();
        self.all.add(within);
        self.latest.add(within);
        // Enough that most of their requests were sent after the last decision.
        if self.latest.count as usize >= 3 * self.at_once.max(ENOUGH as usize / 2) {
            self.decide();
        }
    }

    /// Doubles the cases at a time, up to two for each millisecond of the quickest answer. Halves them for good where answers take much
    /// longer than the quickest, or longer than before: requests then wait for each other.
    fn decide(&mut self) {
        let quickest = self.quickest.unwrap_or_default();
        let Sample { count, total } = std::mem::take(&mut self.latest);
        let mean = total / count;
        let has_grown = self.before.replace(mean).is_some_and(|before| 2 * mean > 3 * before);
        if mean > 3 * quickest || has_grown && mean > 2 * quickest {
            self.far = self.at_once / 2;
        }
        let away = usize::try_from(2 * quickest.as_millis()).unwrap_or(usize::MAX);
        self.at_once = (self.at_once * 2).min(away).min(self.far).max(self.near);
    }
}

/// The right to create a user: no other case creates one before it is dropped, nor within the milliseconds after.
pub struct UserTurn<'t>(MutexGuard<'t, Option<(Instant, u32)>>);

impl Drop for UserTurn<'_> {
    fn drop(&mut self) {
        *self.0 = Some((clock::stopwatch(), chain::length()));
    }
}

impl Throttle {
    /// Keeps a tenth below `per_minute` requests a minute, since the network bunches them; any number if `None`.
    pub fn new(per_minute: Option<NonZeroU32>) -> Self {
        let gap = per_minute.map(|per_minute| Duration::from_secs(66) / per_minute.get());
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

    /// Notes that no answer came in time: halves the cases at a time for good, never below `near`.
    pub fn was_late(&self) {
        let mut answers = locked(&self.answers);
        answers.far = (answers.at_once / 2).max(answers.near);
        answers.at_once = answers.far;
    }

    /// Notes an answer. Unless it `is_whole`, it does not show how far away the implementation is.
    pub fn answered(&self, within: Duration, is_whole: bool) {
        locked(&self.answers).add(within, is_whole);
    }

    pub fn pace(&self) -> Option<Duration> {
        let answers = locked(&self.answers);
        (answers.all.count >= ENOUGH).then(|| answers.all.total / answers.all.count)
    }

    /// The shortest time of an answer, once there are enough of them: how far away the implementation is.
    pub fn quickest(&self) -> Option<Duration> {
        let answers = locked(&self.answers);
        answers.quickest.filter(|_| answers.all.count >= ENOUGH)
    }

    /// Allows `near` cases at a time, and up to `far` if the implementation is far away.
    pub fn allow(&self, near: usize, far: usize) {
        let mut answers = locked(&self.answers);
        (answers.near, answers.far, answers.at_once) = (near, far, near);
    }

    /// How many cases may run at a time, by the answers so far.
    pub fn at_once(&self) -> usize {
        locked(&self.answers).at_once.max(1)
    }

    pub fn connections(&self) -> MutexGuard<'_, Vec<Connection>> {
        locked(&self.connections)
    }

    /// Notes that a user was made out of turn.
    pub fn note_user(&self) {
        drop(UserTurn(locked(&self.user_made)));
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
        for (means_ms, decided) in [([50, 60, 60, 60], [16, 32, 48, 48]), ([50, 60, 120, 60], [16, 32, 16, 16])] {
            let throttle = Throttle::default();
            throttle.allow(8, 48);
            let at_once = means_ms.map(|mean_ms| {
                (0..3 * throttle.at_once().max(10))
                    .for_each(|_| throttle.answered(Duration::from_millis(mean_ms), true));
                throttle.at_once()
            });
            assert_eq!(at_once, decided);
            (0..3).for_each(|_| throttle.was_late());
            assert_eq!(throttle.at_once(), 8);
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
