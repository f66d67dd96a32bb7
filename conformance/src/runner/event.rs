//! The events of a run, from which progress is shown.

use std::time::Duration;

use crate::runner::outcome::CaseOutcome;

#[derive(Debug)]
pub enum Event<'a> {
    RunStarted {
        cases: usize,
    },
    CaseStarted {
        id: &'a str,
    },
    CaseEnded(&'a CaseOutcome),
    /// The time since the run began; comes many times a second.
    Elapsed(Duration),
    Forecast(&'a str),
    RunEnded,
}

/// Hears the events of a run; called from several threads.
pub trait Listener: Sync {
    fn hear(&self, event: &Event<'_>);
}

impl Listener for () {
    fn hear(&self, _: &Event<'_>) {}
}
