//! The history that clients saw: each operation with its time and outcome, each book with its versions. Sends nothing.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use libros_conformance_kit::worded;

use crate::mutex::locked;
use crate::oracle::linearizability::{Effect, OPERATIONS_MAX, Operation};
use crate::{clock, random};

worded! {
    /// How an operation ended, as far as its client knows.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) enum Outcome by word {
        /// The answer says that it was done.
        Confirmed = "confirmed",
        /// It was not done: no connection, or too many requests.
        Refused = "refused",
        /// No answer, or a 5xx: it may have been done, or may still be.
        Unknown = "unknown",
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Event {
    pub(crate) node: usize,
    pub(crate) is_create: bool,
    pub(crate) sent_us: u64,
    pub(crate) ended_us: u64,
    pub(crate) outcome: Outcome,
}

/// A confirmed book: the version it was created with, and what was seen of it.
#[derive(Debug)]
pub(crate) struct Book {
    pub(crate) first: u32,
    pub(crate) operations: Vec<Operation>,
}

worded! {
    /// A promise of the cluster, in a sentence.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) enum Promise by sentence {
        Order = "what is answered of a book fits one order, and no confirmed write is lost",
        Ids = "no id is given twice, no book is created twice",
        Accounts = "an e-mail is registered once; users and sessions are known on every replica",
        Codes = "a once-only code is accepted once",
        Answers = "a right request is answered as such, or with 5xx",
        Liveness = "creates go on after a fault",
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Finding {
    pub(crate) promise: Promise,
    pub(crate) text: String,
    pub(crate) from_us: u64,
    pub(crate) to_us: u64,
}

#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) events: Vec<Event>,
    pub(crate) books: BTreeMap<u64, Book>,
    pub(crate) findings: Vec<Finding>,
    /// Once-only codes that were sent to several replicas at once.
    pub(crate) codes: usize,
    /// Books that clients replace and read, by turns.
    pub(super) registers: BTreeMap<usize, u64>,
}

/// The history of an attack, which threads share.
#[derive(Debug)]
pub(crate) struct History {
    started: Instant,
    /// Milliseconds since 1970 when it began.
    pub(crate) started_at_ms: i64,
    /// A part of all titles, so that books of this run are known.
    pub(crate) marker: String,
    versions: AtomicU32,
    seen: Mutex<Seen>,
}

impl History {
    pub(crate) fn new() -> Self {
        Self {
            started: clock::stopwatch(),
            started_at_ms: clock::unix_ms(),
            marker: format!("nemesis-{}", random::nonce()),
            versions: AtomicU32::new(1),
            seen: Mutex::default(),
        }
    }

    pub(crate) fn now_us(&self) -> u64 {
        microseconds(self.started.elapsed())
    }

    pub(crate) fn next_version(&self) -> u32 {
        self.versions.fetch_add(1, Ordering::Relaxed)
    }

    pub(crate) fn title(&self, version: u32) -> String {
        format!("{} {version}", self.marker)
    }

    pub(crate) fn version_in(&self, title: &str) -> Option<u32> {
        title.strip_prefix(&self.marker)?.trim_start().parse().ok()
    }

    pub(crate) fn seen(&self) -> MutexGuard<'_, Seen> {
        locked(&self.seen)
    }

    /// Notes a broken promise, seen from `from_us` until now.
    pub(crate) fn find(&self, promise: Promise, text: String, from_us: u64) {
        let to_us = self.now_us();
        self.seen().findings.push(Finding { promise, text, from_us, to_us });
    }

    pub(crate) fn created(&self, id: u64, first: u32, from_us: u64) {
        let mut seen = self.seen();
        // A service may give the id of a deleted book again.
        let is_deleted = |book: &Book| book.operations.iter().any(|operation| operation.effect == Effect::Removed);
        if let Some(before) = seen.books.get(&id).filter(|book| !is_deleted(book)) {
            let text = format!("the id {id} was given twice: to version {} and to version {first}", before.first);
            drop(seen);
            return self.find(Promise::Ids, text, from_us);
        }
        seen.books.insert(id, Book { first, operations: Vec::new() });
    }

    pub(crate) fn operated(&self, id: u64, operation: Operation) {
        if let Some(book) = self.seen().books.get_mut(&id) {
            book.operations.push(operation);
        }
    }

    /// The register at this place and its count of operations; `None` if a new one must be made. Has room for `reserve` more.
    pub(crate) fn register(&self, place: usize, reserve: usize) -> Option<(u64, usize)> {
        let seen = self.seen();
        let id = *seen.registers.get(&place)?;
        let operations = &seen.books.get(&id)?.operations;
        let is_gone = |operation: &Operation| matches!(operation.effect, Effect::Removed | Effect::Missed);
        let is_usable = operations.len() + reserve < OPERATIONS_MAX && !operations.iter().any(is_gone);
        is_usable.then_some((id, operations.len()))
    }
}

pub(crate) fn microseconds(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}
