//! Legal variation: uses every freedom of the documents at once, chosen by a seed. A case that fails here asks for more than the documents.

mod habits;
mod platform;
mod reply_forms;

#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use libros_conformance_model::message::{Reply, Request};
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

use crate::impostor::readings::all as readings;
pub(crate) use habits::effects as habit_effects;
pub use platform::Platform;

pub(crate) struct Vary {
    seed: u64,
    answered: AtomicU64,
}

impl Vary {
    pub(crate) fn new(seed: u64) -> Self {
        Self { seed, answered: AtomicU64::new(0) }
    }

    /// The permitted readings that are in force under a seed: about half of all.
    pub(crate) fn chosen(seed: u64) -> Vec<&'static str> {
        let mut dice = StdRng::seed_from_u64(seed);
        readings().map(|reading| reading.id).filter(|_| dice.random_ratio(1, 2)).collect()
    }

    /// The reply in another form, and whether the connection may be kept.
    pub(crate) fn apply(&self, request: &Request, reply: &mut Reply) -> bool {
        let turn = self.answered.fetch_add(1, Ordering::Relaxed);
        let mut dice = StdRng::seed_from_u64(self.seed.rotate_left(32) ^ turn);
        thread::sleep(Duration::from_millis(dice.random_range(0..6)));
        let keep = !dice.random_ratio(1, 4);
        reply_forms::texts(self.seed, request, reply);
        reply_forms::body(&mut dice, reply);
        reply_forms::headers(&mut dice, request, reply, keep);
        keep
    }
}
