//! The columns of a collection that changes, in parts that are merged as they become many.
//!
//! New books wait until they are many, or until a reader needs columns, and then become a part. Eight parts of similar size become
//! one: the writer merges small parts, a separate thread large ones, while readers and writers use the old parts. So each book is
//! put into columns once for each eightfold growth of the collection.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::{mem, thread};

use arc_swap::{ArcSwap, Guard};

use super::book::Book;
use super::merge::Merge;
use super::parallel;
use super::part::Part;

/// The number of parts of similar size that are merged into one.
const FANOUT: usize = 8;
/// Most books that wait to be put into columns.
const WAITING_MAX: usize = 64;
/// The writer itself merges parts of at most this many rows.
const WRITER_ROWS_MAX: usize = 64;
/// While a merge runs, the writer itself merges at most this many rows, so that parts stay few.
const WRITER_ROWS_MAX_BUSY: usize = 4096;
/// Most bytes of books in a part that is made or merged: a segment's offsets are 32 bits, and a list as text is up to six times as long.
const PART_TEXT: usize = 1 << 29;

/// Fewest books that all cores put into columns.
pub(super) const PARALLEL: usize = 20_000;

/// The parts of one collection; clones share them until one of them is written to.
#[derive(Debug, Clone, Default)]
pub(super) struct Parts(Arc<Version>);

/// A version of the collection: its books never change, but its parts may be merged.
#[derive(Debug, Default)]
struct Version(ArcSwap<State>);

#[derive(Debug, Clone, Default)]
struct State {
    parts: Arc<Vec<Part>>,
    /// The newest books, which are in no part yet.
    waiting: Vec<Arc<Book>>,
    merging: Option<Arc<Merging>>,
}

/// A merge on a thread of its own.
#[derive(Debug)]
struct Merging {
    merge: Merge,
    is_started: AtomicBool,
    /// The version that installs the result. It frees the sources, even without a later read or write.
    newest: Mutex<Weak<Version>>,
}

impl Parts {
    /// Puts books, given in ascending order of id, into columns.
    pub(super) fn of(books: Vec<Arc<Book>>) -> Parts {
        let mut parts = Vec::new();
        let mut rest = books;
        while !rest.is_empty() {
            let mut bytes = 0;
            let fitting = rest.iter().take_while(|book| {
                bytes += book.text().len();
                bytes <= PART_TEXT
            });
            let count = fitting.count().max(1);
            let behind = rest.split_off(count);
            let threads = if count < PARALLEL { 1 } else { parallel::cores() };
            parts.push(Part::of(mem::replace(&mut rest, behind), threads));
        }
        Parts(Version::new(State { parts: Arc::new(parts), ..State::default() }))
    }

    /// All books in columns, including those that waited.
    pub(super) fn current(&self) -> Arc<Vec<Part>> {
        let state = self.0.settled();
        if state.waiting.is_empty() {
            return Arc::clone(&state.parts);
        }
        let mut next = State::clone(&state);
        next.put_into_columns();
        let parts = Arc::clone(&next.parts);
        self.0.replace(&state, next);
        parts
    }

    pub(super) fn add(&mut self, book: Arc<Book>) {
        self.write(|state| {
            state.waiting.push(book);
            if state.waiting.len() >= WAITING_MAX {
                state.put_into_columns();
            }
        });
    }

    pub(super) fn remove(&mut self, id: u64) {
        self.write(|state| {
            if let Some(at) = state.waiting.iter().position(|book| book.id() == id) {
                state.waiting.remove(at);
                return;
            }
            let parts = Arc::make_mut(&mut state.parts);
            if let Some(at) = parts.iter_mut().position(|part| part.remove(id))
                && parts[at].len() == 0
            {
                parts.remove(at);
            }
        });
    }

    /// Makes the next version; clones keep theirs.
    fn write(&mut self, change: impl FnOnce(&mut State)) {
        let mut state = State::clone(&self.0.settled());
        change(&mut state);
        state.compact();
        self.0 = Version::new(state);
        self.0.go_on_merging();
    }
}

impl Version {
    fn new(state: State) -> Arc<Version> {
        Arc::new(Version(ArcSwap::from_pointee(state)))
    }

    /// The state, with a merge that is done installed.
    fn settled(&self) -> Guard<Arc<State>> {
        loop {
            let state = self.0.load();
            let Some(merging) = state.merging.as_ref().filter(|merging| merging.merge.is_done()) else { return state };
            let parts = Arc::new(merging.merge.install(&state.parts));
            self.replace(&state, State { parts, waiting: state.waiting.clone(), merging: None });
        }
    }

    /// Replaces `seen` by `next`; returns false, and changes nothing, if another thread replaced it first.
    fn replace(&self, seen: &Arc<State>, next: State) -> bool {
        Arc::ptr_eq(&self.0.compare_and_swap(seen, Arc::new(next)), seen)
    }

    /// Installs a merge that is done, and begins the next one: writes may have emptied much of the result meanwhile.
    fn tidy(self: &Arc<Self>) {
        loop {
            let state = self.settled();
            let mut next = State::clone(&state);
            next.compact();
            if self.replace(&state, next) {
                return self.go_on_merging();
            }
        }
    }

    /// Makes the merge of this version, if there is one, tidy this version at its end; starts the merge unless it was started.
    fn go_on_merging(self: &Arc<Self>) {
        let Some(merging) = self.0.load().merging.clone() else { return };
        *merging.newest() = Arc::downgrade(self);
        if merging.merge.is_done() {
            // It may have ended before it knew this version.
            self.tidy();
        } else {
            merging.start();
        }
    }
}

impl State {
    /// Makes a part of the books that wait.
    fn put_into_columns(&mut self) {
        let mut books = mem::take(&mut self.waiting);
        books.sort_by_key(|book| book.id());
        Arc::make_mut(&mut self.parts).push(Part::of(books, 1));
    }

    /// Merges parts where they have become too many; leaves a large merge to be started.
    fn compact(&mut self) {
        while let Some(sources) = self.due() {
            let rows: usize = sources.iter().map(Part::len).sum();
            let rows_max = if self.merging.is_some() { WRITER_ROWS_MAX_BUSY } else { WRITER_ROWS_MAX };
            let merge = Merge::new(sources);
            if rows > rows_max {
                self.merging.get_or_insert_with(|| Arc::new(Merging::new(merge)));
                return;
            }
            merge.run();
            self.parts = Arc::new(merge.install(&self.parts));
        }
    }

    /// The parts to merge next, except those being merged: all of the lowest level that is full, or one from which much was removed.
    fn due(&self) -> Option<Vec<Part>> {
        let is_free = |part: &&Part| !self.merging.as_ref().is_some_and(|merging| merging.merge.is_of(part));
        let free: Vec<&Part> = self.parts.iter().filter(is_free).collect();
        let highest = free.iter().map(|part| level(part)).max()?;
        // Heavier parts stay as they are.
        let is_light = |part: &&Part| part.segment.weight <= PART_TEXT / FANOUT;
        let of_level = |wanted: u32| free.iter().copied().filter(is_light).filter(move |part| level(part) == wanted);
        match (0..=highest).find(|level| of_level(*level).count() >= FANOUT) {
            Some(level) => Some(of_level(level).cloned().collect()),
            None => free.iter().find(|part| part.is_due()).map(|part| vec![Part::clone(part)]),
        }
    }
}

/// The logarithm of a part's rows to the base eight.
fn level(part: &Part) -> u32 {
    part.len().max(1).ilog2() / FANOUT.ilog2()
}

impl Merging {
    fn new(merge: Merge) -> Merging {
        Merging { merge, is_started: AtomicBool::new(false), newest: Mutex::default() }
    }

    /// Merges on a new thread, once. If the system refuses a thread, the next write tries again.
    fn start(self: &Arc<Self>) {
        if self.is_started.swap(true, Ordering::Relaxed) {
            return;
        }
        let merging = Arc::clone(self);
        let run = move || {
            merging.merge.run();
            let newest = merging.newest().upgrade();
            if let Some(version) = newest {
                version.tidy();
            }
        };
        if thread::Builder::new().name(String::from("merging")).spawn(run).is_err() {
            self.is_started.store(false, Ordering::Relaxed);
        }
    }

    fn newest(&self) -> MutexGuard<'_, Weak<Version>> {
        self.newest.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_merge_that_begins_while_another_is_installed_is_kept() {
        let parts = Vec::from([1, 2].map(|id| Part::of(vec![Arc::new(Book::new(id, &serde_json::Map::new()))], 1)));
        let merging = |sources: &[Part]| Some(Arc::new(Merging::new(Merge::new(sources.to_vec()))));
        let done = merging(&parts).inspect(|merging| merging.merge.run());
        let version = Version::new(State { parts: Arc::new(parts), merging: done, ..State::default() });
        let seen = version.0.load_full();
        // Another thread is faster, and begins the next merge.
        let installed = State::clone(&version.settled());
        assert_eq!(installed.parts.len(), 1);
        let next = State { merging: merging(&installed.parts), ..installed };
        assert!(version.replace(&version.0.load_full(), next));
        assert!(!version.replace(&seen, State::default()));
        assert!(version.settled().merging.is_some());
    }
}
