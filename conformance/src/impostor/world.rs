//! The world that an impostor's interfaces share: the state, locked for one request at a time, the clock, the memory of variations.

use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use libros_conformance_model::message::{Reply, Request};
use libros_conformance_model::state::State;
use serde_json::Value;

/// Answers a request, which has the state to itself.
pub(crate) type Answer<'a> = dyn Fn(&mut Shared, &Request) -> Reply + 'a;

pub(crate) struct World {
    pub(crate) clock: Clock,
    start: State,
    state: Mutex<Shared>,
    /// The state of the second address, if there is one.
    second: Mutex<State>,
}

/// The state that all requests share: the model's own, and what variations remember of earlier requests.
#[derive(Default)]
pub(crate) struct Shared {
    pub(crate) model: State,
    pub(crate) past: Past,
}

#[derive(Default)]
pub(crate) struct Past {
    pub(crate) versions: Vec<(Instant, Vec<Value>)>,
    pub(crate) copy: Option<(i64, Vec<Value>)>,
    pub(crate) highest_id: u64,
    pub(crate) notes: Vec<(String, String)>,
    pub(crate) deleted_entries: Vec<Value>,
    /// The owners of requests, and when these came.
    pub(crate) arrivals: Vec<(String, Instant)>,
}

impl Past {
    pub(crate) fn has(&self, name: &str, value: &str) -> bool {
        self.notes.iter().any(|note| note.0 == name && note.1 == value)
    }

    pub(crate) fn note(&mut self, name: &str, value: &str) {
        self.notes.push((name.to_owned(), value.to_owned()));
    }
}

impl Deref for Shared {
    type Target = State;

    fn deref(&self) -> &State {
        &self.model
    }
}

impl DerefMut for Shared {
    fn deref_mut(&mut self) -> &mut State {
        &mut self.model
    }
}

impl World {
    pub(crate) fn new(start: State) -> Self {
        let state = Shared { model: start.clone(), past: Past::default() };
        Self { clock: Clock::default(), second: Mutex::new(start.clone()), start, state: Mutex::new(state) }
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, Shared> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Locks the state of the second address; callers lock the first before.
    pub(crate) fn second(&self) -> MutexGuard<'_, State> {
        self.second.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn reset(&self) {
        *self.lock() = Shared { model: self.start.clone(), past: Past::default() };
        self.clock.reset();
    }
}

/// The machine's time, moved ahead by the control listener. Milliseconds since 1970.
#[derive(Debug, Default)]
pub(crate) struct Clock(AtomicI64);

impl Clock {
    pub(crate) fn now(&self) -> i64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let machine = i64::try_from(since.as_millis()).unwrap_or(i64::MAX);
        machine.saturating_add(self.0.load(Ordering::SeqCst))
    }

    pub(crate) fn advance(&self, seconds: f64) {
        let millis = (seconds * 1000.0).round() as i64;
        _ = self.0.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |offset| Some(offset.saturating_add(millis)));
    }

    fn reset(&self) {
        self.0.store(0, Ordering::SeqCst);
    }
}
