//! What all interfaces of one impostor share: the state under one lock, the clock, the policy.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use super::clock::Clock;
use super::initial;
use super::state::State;
use crate::impostor::policy::Policy;
use crate::impostor::policy::auth::Lock;

/// One impostor's world.
pub(crate) struct World {
    pub(crate) policy: Policy,
    pub(crate) clock: Clock,
    state: Mutex<State>,
}

impl World {
    /// A fresh world.
    pub(crate) fn new(policy: Policy) -> Self {
        let state = Mutex::new(initial::state(&policy));
        Self { policy, clock: Clock::default(), state }
    }

    /// The state, for this thread alone.
    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The state for the write that follows a read: still held, or after others came in between, which is a race.
    pub(crate) fn for_write<'a>(&'a self, lock: Lock, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        match lock {
            Lock::Whole => state,
            Lock::ReleasedBetween => {
                drop(state);
                thread::sleep(Duration::from_millis(20));
                self.lock()
            }
        }
    }

    /// Back to the initial state and the machine's time.
    pub(crate) fn reset(&self) {
        *self.lock() = initial::state(&self.policy);
        self.clock.reset();
    }
}
