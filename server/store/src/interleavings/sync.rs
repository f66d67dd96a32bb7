//! As `store::sync`, of which every step is one that `shuttle` may interrupt.

use std::sync::Arc;

use shuttle::thread::yield_now;

pub(super) use shuttle::future::block_on;
pub(super) use shuttle::sync::atomic::{AtomicU64, Ordering};
pub(super) use shuttle::sync::{Mutex, MutexGuard};
pub(super) use shuttle::thread::{Builder as ThreadBuilder, JoinHandle};
pub(super) use std::sync::PoisonError;

pub(super) use super::channel::{Receiver, Sender, channel};

pub(super) use arc_swap::Guard;

/// The real one: a load and a store are one step each, and others may come before it.
#[derive(Debug)]
pub(super) struct ArcSwap<S>(arc_swap::ArcSwap<S>);

impl<S> ArcSwap<S> {
    pub(super) fn from_pointee(value: S) -> Self {
        Self(arc_swap::ArcSwap::from_pointee(value))
    }

    pub(super) fn load(&self) -> Guard<Arc<S>> {
        yield_now();
        self.0.load()
    }

    pub(super) fn store(&self, value: Arc<S>) {
        yield_now();
        self.0.store(value);
    }
}
