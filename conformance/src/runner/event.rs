//! The events of a run, as it goes on: what progress is told from.

use std::time::Duration;

use crate::runner::outcome::CaseOutcome;

/// Something that happened.
#[derive(Debug)]
pub enum Event<'a> {
    /// The run begins, with so many cases.
    Started {
        /// Cases selected.
        cases: usize,
    },
    /// A case begins.
    Began {
        /// Its id.
        id: &'a str,
    },
    /// A case ended.
    Ended(&'a CaseOutcome),
    /// So much time has passed since the run began; told many times a second.
    Passed(Duration),
    /// How long the run will take, in a sentence.
    Forecast(&'a str),
    /// The run is over.
    Finished,
}

/// Hears the events of a run; called from several threads.
pub trait Listener: Sync {
    /// Hears an event.
    fn hear(&self, event: &Event<'_>);
}

/// Hears nothing.
#[derive(Debug, Clone, Copy)]
pub struct NullListener;

impl Listener for NullListener {
    fn hear(&self, _: &Event<'_>) {}
}
