//! A time that moves with every use, as far as the store has heard of it: once a second, not at each use. Never tells by itself.

use crate::clock::Timestamp;

/// How far the time may move before the store hears of it.
const UNTOLD_MS: u64 = 1000;

/// The time that the store was told last; none before the first time, and after a restart.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Told(Option<Timestamp>);

impl Told {
    /// The store is being told of this time.
    #[must_use]
    pub(super) fn of(time: Timestamp) -> Self {
        Self(Some(time))
    }

    /// Whether to tell the store of this time; then it counts as told.
    pub(super) fn tell(&mut self, time: Timestamp) -> bool {
        let is_due = self.0.is_none_or(|told| told.millis().abs_diff(time.millis()) >= UNTOLD_MS);
        if is_due {
            self.0 = Some(time);
        }
        is_due
    }
}
