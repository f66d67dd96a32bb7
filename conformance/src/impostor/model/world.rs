//! What all interfaces of one impostor share: the state under one lock, the clock, the faults.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use super::clock::Clock;
use super::state::State;
use crate::impostor::faults::Faults;

/// One impostor's world.
pub(crate) struct World {
    pub(crate) faults: Faults,
    pub(crate) clock: Clock,
    state: Mutex<State>,
}

impl World {
    /// A fresh world.
    pub(crate) fn new(faults: Faults) -> Self {
        let state = Mutex::new(State::initial(&faults));
        Self { faults, clock: Clock::default(), state }
    }

    /// The state, for this thread alone.
    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets others in between a read and the write that follows it, if the fault is on: a race.
    pub(crate) fn yield_if<'a>(&'a self, fault: &str, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        if !self.faults.on(fault) {
            return state;
        }
        drop(state);
        thread::sleep(Duration::from_millis(20));
        self.lock()
    }

    /// Back to the initial state and the machine's time.
    pub(crate) fn reset(&self) {
        *self.lock() = State::initial(&self.faults);
        self.clock.reset();
    }
}
