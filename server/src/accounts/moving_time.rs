//! A time that moves with each use of a record, for all who share the record, and is stored at most once a second. Stores nothing itself.

use std::sync::atomic::{AtomicI64, Ordering};

use serde::{Deserialize, Serialize};

use libros_server_system::clock::Timestamp;

/// How far the time may move before it is stored again.
const UNSAVED_MS: u64 = 1000;

const NONE: i64 = i64::MIN;

/// A time, if there is one, and the last one stored. Uses move it without a lock: of two uses at once, either may come last.
#[derive(Debug, Deserialize, Serialize)]
#[serde(from = "Option<Timestamp>", into = "Option<Timestamp>")]
pub(crate) struct MovingTime {
    moment: AtomicI64,
    last_saved: AtomicI64,
}

impl MovingTime {
    /// A time whose record is being stored with it: it is due again once it has moved by a second.
    pub(crate) fn saved(moment: Timestamp) -> Self {
        Self { moment: AtomicI64::new(moment.millis()), last_saved: AtomicI64::new(moment.millis()) }
    }

    pub(crate) fn get(&self) -> Option<Timestamp> {
        Some(self.moment.load(Ordering::Relaxed)).filter(|&moment| moment != NONE).map(Timestamp)
    }

    /// Moves the time; returns whether the caller must store it, which then counts as done.
    pub(crate) fn move_to(&self, moment: Timestamp) -> bool {
        self.moment.store(moment.millis(), Ordering::Relaxed);
        let saved = self.last_saved.load(Ordering::Relaxed);
        let is_due = saved == NONE || saved.abs_diff(moment.millis()) >= UNSAVED_MS;
        // If several threads find it due, one of them stores it.
        is_due && self.last_saved.compare_exchange(saved, moment.millis(), Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    /// Counts the time as stored, because another process has stored it.
    pub(crate) fn count_as_saved(&self) {
        self.last_saved.store(self.moment.load(Ordering::Relaxed), Ordering::Relaxed);
    }

    pub(crate) fn clear(&self) {
        self.moment.store(NONE, Ordering::Relaxed);
    }
}

impl Clone for MovingTime {
    /// The copy moves independently.
    fn clone(&self) -> Self {
        let copy = |time: &AtomicI64| AtomicI64::new(time.load(Ordering::Relaxed));
        Self { moment: copy(&self.moment), last_saved: copy(&self.last_saved) }
    }
}

/// Loads a time from the store. Its next move is stored, however small.
impl From<Option<Timestamp>> for MovingTime {
    fn from(moment: Option<Timestamp>) -> Self {
        Self { moment: AtomicI64::new(moment.map_or(NONE, Timestamp::millis)), last_saved: AtomicI64::new(NONE) }
    }
}

impl From<MovingTime> for Option<Timestamp> {
    fn from(time: MovingTime) -> Self {
        time.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_store_hears_of_the_first_move_and_then_once_a_second() {
        let time = MovingTime::from(None);
        assert_eq!(time.get(), None);
        let due = [5000, 5001, 5999, 6000, 5500, 4999].map(|ms| time.move_to(Timestamp(ms)));
        assert_eq!(due, [true, false, false, true, false, true]);
        assert_eq!(time.get(), Some(Timestamp(4999)));
    }

    #[test]
    fn a_saved_moment_is_stored_again_only_once_it_has_moved() {
        let time = MovingTime::saved(Timestamp(5000));
        assert_eq!(serde_json::to_string(&time).expect("a text"), "5000");
        assert!(!time.move_to(Timestamp(5999)) && time.move_to(Timestamp(6000)));
        time.clear();
        assert_eq!(serde_json::to_string(&time).expect("a text"), "null");
        let read: MovingTime = serde_json::from_str("5000").expect("a moment");
        assert!(read.move_to(Timestamp(5001)), "the first move after a restart is stored");
    }
}
