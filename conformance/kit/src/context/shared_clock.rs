//! Shares the implementation's clock between cases, as a simulation of discrete events does. Each case waits for a span of moments; once
//! all wait, the clock moves to the latest start of a span that lies before the end of every span.
//!
//! Never moves the clock while a case runs, unless its own threads have ended and it has not gone on yet. Computes the time from an earlier
//! reading if the clock runs evenly; else reads it each time.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use crate::clock;
use crate::http::chain;
use crate::http::control::{Control, Reading};
use crate::mutex::locked;

/// A case that continues this long after the end of its span is too late to judge "a second before".
const LATE_MS: i64 = 150;
/// Two clocks that run alike may differ by this much from one reading to the next.
const DRIFT_MS: i64 = 5;
/// How long a reading is used; a stopped clock is noticed after this time.
const FRESH: Duration = Duration::from_secs(1);

/// A span of the implementation's clock, in milliseconds since 1970, or the bounds of a difference of two clocks.
#[derive(Debug, Clone, Copy, Default)]
pub struct Span {
    pub from: i64,
    pub to: i64,
}

impl Span {
    pub fn middle(self) -> i64 {
        i64::midpoint(self.from, self.to)
    }

    fn moved_by(self, ms: i64) -> Self {
        Self { from: self.from + ms, to: self.to + ms }
    }

    /// The intersection, if there is one.
    fn common(self, other: Self) -> Option<Self> {
        let common = Self { from: self.from.max(other.from), to: self.to.min(other.to) };
        (common.from <= common.to).then_some(common)
    }
}

/// A member that waits until the clock is within a span.
#[derive(Debug)]
struct Waiter {
    span: Span,
    thread: Thread,
}

/// The implementation's clock. Its members are threads that run cases, or inputs of one case.
#[derive(Debug)]
pub struct SharedClock {
    state: Mutex<State>,
    /// Signalled when a member stops running.
    admits: Condvar,
}

#[derive(Debug)]
struct State {
    started: Instant,
    /// The bounds of the implementation's clock minus the time since `started`.
    ahead: Option<Span>,
    read: Instant,
    /// Whether the clock has run as this machine's since it was first read.
    is_even: bool,
    /// Whether cases that do not share the clock need it not to move.
    is_held: bool,
    /// Members that run or wait; 0 while one case has the clock to itself.
    members: usize,
    running_max: usize,
    running: usize,
    /// By ticket.
    waiting: BTreeMap<u64, Waiter>,
    tickets: u64,
    /// The longest chain of requests that the members have waited for.
    chain: u32,
    failure: Option<String>,
}

impl Default for SharedClock {
    fn default() -> Self {
        let state = State {
            started: clock::stopwatch(),
            ahead: None,
            read: clock::stopwatch(),
            is_even: true,
            is_held: false,
            members: 0,
            running_max: 1,
            running: 0,
            waiting: BTreeMap::new(),
            tickets: 0,
            chain: 0,
            failure: None,
        };
        Self { state: Mutex::new(state), admits: Condvar::new() }
    }
}

/// A member that left until its own threads end: it is a member again once this is dropped, after a panic too.
struct Away<'c>(&'c SharedClock);

impl Drop for Away<'_> {
    fn drop(&mut self) {
        let mut state = locked(&self.0.state);
        state.members += 1;
        drop(self.0.admitted(state));
    }
}

impl SharedClock {
    /// Runs `work` on `members` threads, at most `running_max` at a time. A calling member leaves until they end.
    pub fn share(&self, control: &Control, members: usize, running_max: usize, work: impl Fn() + Sync) {
        let mut state = locked(&self.state);
        let is_member = state.members > 0;
        state.members += members;
        if is_member {
            state.leave();
        } else {
            state.running_max = running_max.max(1);
        }
        drop(state);
        self.admits.notify_one();
        let _away = is_member.then(|| Away(self));
        chain::on_threads(members, |_| {
            let _member = Member { clock: self, control };
            drop(self.admitted(locked(&self.state)));
            work();
        });
    }

    /// With `is_held`, stops all moves of the clock; without, allows them again.
    pub fn hold(&self, control: &Control, is_held: bool) {
        let mut state = locked(&self.state);
        state.is_held = is_held;
        state.chain = state.chain.max(chain::length());
        state.move_on(control);
    }

    pub fn is_shared(&self) -> bool {
        locked(&self.state).members > 0
    }

    /// The bounds of the implementation's time since 1970. With `asks`, reads it anew for a case that does not share the clock.
    pub fn now(&self, control: &Control, asks: bool) -> Result<Span, String> {
        let mut state = locked(&self.state);
        let asks = asks && state.members == 0;
        if !asks && state.is_even && state.ahead.is_some() && state.read.elapsed() < FRESH {
            return Ok(state.now());
        }
        let reading = control.read()?;
        state.learn(&reading);
        Ok(Span { from: reading.now_ms, to: reading.now_ms })
    }

    /// Calls `act`, which puts the implementation's clock back, and forgets earlier readings.
    pub fn put_back<T>(&self, act: impl FnOnce() -> T) -> T {
        locked(&self.state).ahead = None;
        act()
    }

    /// Waits until the clock has moved by `span_ms`, and by `slack_ms` more at most; `true` if it moved too far to judge edges.
    pub fn advance(&self, control: &Control, span_ms: i64, slack_ms: i64) -> Result<bool, String> {
        let mut state = locked(&self.state);
        if state.members == 0 {
            state.ahead = None;
            return control.advance(span_ms).map(|_| false);
        }
        if state.ahead.is_none() {
            state.learn(&control.read()?);
        }
        let from = state.now().middle() + span_ms;
        let span = Span { from, to: from + slack_ms };
        let ticket = state.tickets;
        state.tickets += 1;
        state.waiting.insert(ticket, Waiter { span, thread: thread::current() });
        state.chain = state.chain.max(chain::length());
        state.running -= 1;
        self.admits.notify_one();
        state.move_on(control);
        while state.waiting.contains_key(&ticket) {
            drop(state);
            thread::park();
            state = locked(&self.state);
        }
        let failure = state.failure.clone();
        chain::waited_for(state.chain);
        let state = self.admitted(state);
        failure.map_or(Ok(state.now().middle() > span.to + LATE_MS), Err)
    }

    fn admitted<'s>(&'s self, mut state: MutexGuard<'s, State>) -> MutexGuard<'s, State> {
        while state.running >= state.running_max {
            state = self.admits.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.running += 1;
        state
    }
}

struct Member<'c> {
    clock: &'c SharedClock,
    control: &'c Control,
}

impl Drop for Member<'_> {
    fn drop(&mut self) {
        let mut state = locked(&self.clock.state);
        state.chain = state.chain.max(chain::length());
        state.leave();
        state.move_on(self.control);
        self.clock.admits.notify_one();
    }
}

impl State {
    fn leave(&mut self) {
        self.members -= 1;
        self.running -= 1;
    }

    fn since_start_ms(&self, moment: Instant) -> i64 {
        i64::try_from(moment.saturating_duration_since(self.started).as_millis()).unwrap_or(i64::MAX)
    }

    fn now(&self) -> Span {
        self.ahead.unwrap_or_default().moved_by(self.since_start_ms(clock::stopwatch()))
    }

    /// Narrows `ahead`. A reading that contradicts the earlier ones shows that the clock does not run as this machine's.
    fn learn(&mut self, reading: &Reading) {
        let [asked, answered] = [reading.asked, reading.answered].map(|moment| self.since_start_ms(moment));
        let seen = Span { from: reading.now_ms - answered - DRIFT_MS, to: reading.now_ms - asked + DRIFT_MS };
        let narrowed = self.ahead.unwrap_or(seen).common(seen);
        self.is_even &= narrowed.is_some();
        self.read = reading.answered;
        self.ahead = narrowed.or(Some(seen));
    }

    /// The latest beginning of a span at which no span has ended; `None` if no member waits.
    fn next_moment(&self) -> Option<i64> {
        let spans = || self.waiting.values().map(|waiter| waiter.span);
        let first_end = spans().map(|span| span.to).min()?;
        spans().map(|span| span.from).filter(|beginning| *beginning <= first_end).max()
    }

    /// Once all members wait, moves the clock to the next moment and wakes those whose span has begun.
    fn move_on(&mut self, control: &Control) {
        if self.is_held || self.waiting.len() < self.members {
            return;
        }
        let Some(moment) = self.next_moment() else { return };
        let left_ms = moment - self.now().middle();
        self.failure = None;
        chain::waited_for(self.chain);
        if left_ms > 0 {
            match control.advance(left_ms) {
                Ok(reading) => {
                    self.ahead = self.ahead.map(|ahead| ahead.moved_by(left_ms));
                    self.learn(&reading);
                }
                Err(why) => self.failure = Some(why),
            }
        }
        self.chain = chain::length();
        let now = if self.failure.is_none() { self.now().middle().max(moment) } else { moment };
        self.waiting.extract_if(.., |_, waiter| waiter.span.from <= now).for_each(|(_, waiter)| waiter.thread.unpark());
    }
}
