//! Shares the implementation's clock between cases, as a simulation of discrete events does: each waits for a moment, and once all
//! wait, the clock moves to the first of these moments.
//!
//! Never moves the clock while one of the cases runs.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crate::clock;
use crate::http::control::Control;

/// Moments this close together are one.
const TOGETHER_MS: i64 = 150;
/// A case that continues later than this is too late to judge "a second before".
const BLURRED_MS: i64 = 400;

/// The implementation's clock. Its members are threads that run cases, or inputs of one case.
#[derive(Debug)]
pub struct SharedClock {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    started: Instant,
    /// How far the clock was moved since `started`.
    moved_ms: i64,
    /// Members that run or wait; 0 while one case has the clock to itself.
    members: usize,
    /// How many of them run at a time.
    running_max: usize,
    running: usize,
    /// The moment that each waiting member waits for, by its ticket.
    waiting: BTreeMap<u64, i64>,
    tickets: u64,
    /// Why the latest move failed, if it did.
    failure: Option<String>,
}

impl Default for SharedClock {
    fn default() -> Self {
        let state = State {
            started: clock::stopwatch(),
            moved_ms: 0,
            members: 0,
            running_max: 1,
            running: 0,
            waiting: BTreeMap::new(),
            tickets: 0,
            failure: None,
        };
        Self { state: Mutex::new(state), changed: Condvar::new() }
    }
}

impl SharedClock {
    fn locked(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs `work` on so many members at a time, of which `running_max` run at a time. A member that calls it waits outside meanwhile.
    pub fn share(&self, control: &Control, members: usize, running_max: usize, work: impl Fn() + Sync) {
        let mut state = self.locked();
        let is_member = state.members > 0;
        state.members += members;
        if is_member {
            state.leave();
        } else {
            state.running_max = running_max.max(1);
        }
        drop(state);
        self.changed.notify_all();
        std::thread::scope(|scope| {
            for _ in 0..members {
                scope.spawn(|| {
                    let _member = Member { clock: self, control };
                    drop(self.admitted(self.locked()));
                    work();
                });
            }
        });
        if is_member {
            let mut state = self.locked();
            state.members += 1;
            drop(self.admitted(state));
        }
    }

    /// Waits until the clock has moved so many seconds; returns whether it moved too far for edges to be judged.
    ///
    /// # Errors
    /// A sentence, when the control listener did not move it.
    pub fn advance(&self, control: &Control, seconds: f64) -> Result<bool, String> {
        let mut state = self.locked();
        if state.members == 0 {
            drop(state);
            return control.advance(seconds).map(|_| false);
        }
        let wake_ms = state.now_ms() + (seconds * 1_000.0).round() as i64;
        let ticket = state.tickets;
        state.tickets += 1;
        state.waiting.insert(ticket, wake_ms);
        state.running -= 1;
        state.move_on(control);
        self.changed.notify_all();
        while state.waiting.contains_key(&ticket) {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let failure = state.failure.clone();
        let state = self.admitted(state);
        failure.map_or(Ok(state.now_ms() > wake_ms + BLURRED_MS), Err)
    }

    fn admitted<'s>(&'s self, mut state: MutexGuard<'s, State>) -> MutexGuard<'s, State> {
        while state.running >= state.running_max {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.running += 1;
        state
    }
}

/// A running member, until it is dropped.
struct Member<'c> {
    clock: &'c SharedClock,
    control: &'c Control,
}

impl Drop for Member<'_> {
    fn drop(&mut self) {
        let mut state = self.clock.locked();
        state.leave();
        state.move_on(self.control);
        self.clock.changed.notify_all();
    }
}

impl State {
    fn leave(&mut self) {
        self.members -= 1;
        self.running -= 1;
    }

    /// Milliseconds of the target's clock since it was first shared.
    fn now_ms(&self) -> i64 {
        i64::try_from(self.started.elapsed().as_millis()).unwrap_or(i64::MAX) + self.moved_ms
    }

    /// Moves the clock to the first moment waited for, if all members wait.
    fn move_on(&mut self, control: &Control) {
        if self.waiting.len() < self.members {
            return;
        }
        let Some(first) = self.waiting.values().min().copied() else { return };
        let moment = self.waiting.values().copied().filter(|wake| *wake <= first + TOGETHER_MS).max().unwrap_or(first);
        let left_ms = moment - self.now_ms();
        self.failure = None;
        if left_ms > 0 {
            self.failure = control.advance(left_ms as f64 / 1_000.0).err();
            self.moved_ms += left_ms;
        }
        let now = self.now_ms();
        self.waiting.retain(|_, wake| *wake > now);
    }
}
