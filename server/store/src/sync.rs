//! Threads, locks and channels of journal, writer and repository.
//!
//! They import these from here so that `interleavings` can replace them. Decides nothing.

pub(super) use std::sync::atomic::{AtomicU64, Ordering};
pub(super) use std::sync::mpsc::{Receiver, Sender, channel};
pub(super) use std::sync::{Mutex, MutexGuard, PoisonError};
pub(super) use std::thread::{Builder as ThreadBuilder, JoinHandle};

pub(super) use arc_swap::{ArcSwap, Guard};
pub(super) use futures_executor::block_on;
