//! What a run tells while it goes on, to whoever listens: progress on a terminal, nothing in a pipe.

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
    /// The run is over.
    Finished,
}

/// Somebody who listens; called from several threads.
pub trait Listener: Sync {
    /// Is told of an event.
    fn hear(&self, event: &Event<'_>);
}

/// Nobody.
#[derive(Debug, Clone, Copy)]
pub struct Silence;

impl Listener for Silence {
    fn hear(&self, _: &Event<'_>) {}
}
