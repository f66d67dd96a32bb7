//! Time and randomness, as handlers are given them; replicas share the time. Reads no wall time.

use std::sync::Arc;

use libros_server_store::{Change, Changes, Follower, Journal, Kind, Loaded, NotDurable, Repository, State};
use libros_server_system::clock::{Clock, OutOfRange};
use libros_server_system::entropy::Entropy;

/// Clones share the clock and the randomness.
#[derive(Debug, Clone)]
pub(crate) struct Context {
    pub(crate) clock: Clock,
    pub(crate) entropy: Entropy,
}

/// The key of the stored offset.
const KEY: &str = "ahead_us";

/// The clock of replicas: how far it was moved ahead is stored, so that all of them show the same time.
#[derive(Debug)]
pub(crate) struct SharedClock(Arc<Repository<Offset>>);

/// How far the clock is ahead. The clock shows the published offset.
#[derive(Debug, Clone)]
struct Offset {
    ahead_us: i64,
    clock: Clock,
}

impl SharedClock {
    /// Reads the stored offset, which `clock` follows from now on.
    pub(crate) fn load(loaded: &mut Loaded, clock: &Clock, journal: &Journal) -> Self {
        let stored = loaded.take(Kind::CLOCK).and_then(|rows| rows.first()?.doc.parse().ok());
        let offset = Offset { ahead_us: stored.unwrap_or(0), clock: clock.clone() };
        offset.on_publish();
        Self(Arc::new(Repository::new(offset, journal.clone())))
    }

    /// Moves the clock `seconds` ahead. Fails if the store refuses, and as [`Clock::advance`] does.
    pub(crate) async fn advance(&self, seconds: f64) -> Result<Result<(), OutOfRange>, NotDurable> {
        let decided = self.0.transact(|offset, changes| {
            offset.set(offset.clock.ahead_by(offset.ahead_us, seconds)?, changes);
            Ok(())
        });
        decided.await
    }

    /// Sets the offset to zero. Fails if the store refuses.
    pub(crate) async fn reset(&self) -> Result<(), NotDurable> {
        self.0.transact(|offset, changes| offset.set(0, changes)).await
    }

    pub(crate) fn follower(&self) -> Arc<dyn Follower> {
        self.0.clone()
    }
}

impl Offset {
    fn set(&mut self, ahead_us: i64, changes: &mut Changes) {
        self.ahead_us = ahead_us;
        changes.put(Kind::CLOCK, KEY.to_owned(), ahead_us.to_string());
    }
}

impl State for Offset {
    fn take_in(&mut self, change: &Change) -> Result<bool, String> {
        match change {
            Change::Put { kind: Kind::CLOCK, doc, .. } => {
                self.ahead_us = doc.parse().map_err(|_| format!("the clock: {doc:?} is not a number"))?;
            }
            Change::Clear { kind: Kind::CLOCK } => self.ahead_us = 0,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn on_publish(&self) {
        self.clock.set_ahead(self.ahead_us);
    }
}
