//! Replaces `store::sync` in tests: `shuttle` may interrupt a thread at each of these operations.

use std::ops::Deref;
use std::sync::Arc;

use shuttle::sync::mpsc;
use shuttle::thread::yield_now;

pub(super) use shuttle::future::block_on;
pub(super) use shuttle::sync::atomic::{AtomicU64, Ordering};
pub(super) use shuttle::sync::{Mutex, MutexGuard};
pub(super) use shuttle::thread::{Builder as ThreadBuilder, JoinHandle};
pub(super) use std::sync::PoisonError;

pub(super) use arc_swap::Guard;
pub(super) use mpsc::Sender;

/// Drops waiting messages when it is dropped, as the receiver of `std` does and that of `shuttle` does not: a stopping journal relies on it.
pub(super) struct Receiver<T>(mpsc::Receiver<T>);

pub(super) fn channel<T>() -> (Sender<T>, Receiver<T>) {
    let (sender, receiver) = mpsc::channel();
    (sender, Receiver(receiver))
}

impl<T> Deref for Receiver<T> {
    type Target = mpsc::Receiver<T>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<T> Drop for Receiver<T> {
    fn drop(&mut self) {
        while !std::thread::panicking() && self.0.try_recv().is_ok() {}
    }
}

/// The real one. A load and a store are one step each; other threads may run before it.
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
