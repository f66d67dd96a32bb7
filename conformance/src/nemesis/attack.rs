//! The state that clients, faults and judge of an attack share. Sends nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use crate::clock;
use crate::http::throttle::Throttle;
use crate::implementation::profile::{Address, Nemesis, Target};
use crate::nemesis::history::History;

/// Between two looks at what is waited for.
pub(super) const LOOK: Duration = Duration::from_millis(20);
pub(super) const NO_WRITER: usize = usize::MAX;

pub(crate) struct Attack<'a> {
    pub(super) target: &'a Target,
    pub(super) nemesis: &'a Nemesis,
    pub(super) seed: u64,
    pub(super) stop: &'a AtomicBool,
    pub(super) replicas: Vec<Address>,
    pub(super) nodes: Vec<String>,
    pub(super) throttle: Arc<Throttle>,
    pub(super) history: History,
    pub(super) is_over: AtomicBool,
    /// The only replica that clients write to, or [`NO_WRITER`].
    pub(super) writer: AtomicUsize,
}

impl<'a> Attack<'a> {
    /// An attack that has not begun; it ends early once `stop` is set.
    pub(crate) fn new(target: &'a Target, nemesis: &'a Nemesis, seed: u64, stop: &'a AtomicBool) -> Self {
        let replicas = target.catalogue_addresses();
        let urls = || replicas.iter().map(Address::url).collect();
        Self {
            target,
            nemesis,
            seed,
            stop,
            nodes: if nemesis.nodes.is_empty() { urls() } else { nemesis.nodes.clone() },
            replicas,
            throttle: Arc::new(Throttle::new(target.per_minute)),
            history: History::new(),
            is_over: false.into(),
            writer: NO_WRITER.into(),
        }
    }

    pub(super) fn is_interrupted(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    pub(super) fn writer(&self) -> Option<usize> {
        Some(self.writer.load(Ordering::Relaxed)).filter(|writer| *writer != NO_WRITER)
    }

    /// Waits this long, less if the run is interrupted.
    pub(super) fn rest(&self, time: Duration) {
        let started = clock::stopwatch();
        while started.elapsed() < time && !self.is_interrupted() {
            std::thread::sleep(LOOK);
        }
    }
}
