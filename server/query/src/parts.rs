//! The columns of a collection that changes: segments that never do, the rows of them that are gone, and their merging.
//!
//! Books that are added wait until they are many, or until a reader asks for columns, and become a segment then; eight segments of
//! like size become one. Small ones are merged by the writer in passing, large ones on a thread of their own while readers and writers
//! go on with what there is. What each write costs is thus spread: every book is put into columns once for each eightfold of the
//! collection.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::thread;

use arc_swap::{ArcSwap, Guard};

use super::bits::Bits;
use super::book::Book;
use super::parallel;
use super::segment::Segment;

/// How many segments of like size are merged into one.
const FANOUT: usize = 8;
/// How many books wait at most to be put into columns.
const WAITING_MAX: usize = 64;
/// The writer itself merges segments of at most this many rows.
const WRITER_ROWS_MAX: usize = 64;
/// While a merge runs, the writer itself merges at most this many rows, so that segments stay few.
const WRITER_ROWS_MAX_BUSY: usize = 4096;
/// A segment is rebuilt once its removed books weigh more than this fraction (1/n) of it.
const GONE: usize = 4;
/// More books are never put into one segment at once: their texts would not fit its offsets.
const SEGMENT_TEXT: usize = 1 << 30;

/// From this many books on, all cores put a collection into columns.
pub(super) const PARALLEL: usize = 20_000;

/// A segment and the rows of it that are gone.
#[derive(Debug, Clone)]
pub(super) struct Part {
    pub(super) segment: Arc<Segment>,
    dead: Arc<Bits>,
    /// How many rows are gone.
    dead_rows: usize,
    /// How much the books weigh that are gone.
    gone: usize,
}

/// The parts of one collection; clones share them until one of them is written to.
#[derive(Debug, Clone, Default)]
pub(super) struct Parts(Arc<Version>);

/// The same books all its life, whose columns may be merged in the meantime.
#[derive(Debug, Default)]
struct Version(ArcSwap<State>);

#[derive(Debug, Clone, Default)]
struct State {
    parts: Arc<Vec<Part>>,
    /// The newest books, which are in no part yet.
    waiting: Vec<Arc<Book>>,
    merge: Option<Arc<Merge>>,
}

#[derive(Debug)]
struct Merge {
    sources: Vec<Part>,
    result: OnceLock<Arc<Segment>>,
    /// Takes the result in once it is there, so that the sources are given back though nothing more is written or read.
    newest: Mutex<Weak<Version>>,
}

impl Part {
    fn new(segment: Arc<Segment>) -> Part {
        Part { dead: Arc::new(Bits::none(segment.len())), segment, dead_rows: 0, gone: 0 }
    }

    /// The rows that are gone, if there are any.
    pub(super) fn dead(&self) -> Option<&Bits> {
        (self.dead_rows > 0).then_some(&*self.dead)
    }

    fn len(&self) -> usize {
        self.segment.len() - self.dead_rows
    }

    fn books(&self) -> impl Iterator<Item = &Arc<Book>> {
        (0..).zip(self.segment.books()).filter(|(row, _)| !self.dead.contains(*row)).map(|(_, book)| book)
    }

    /// How many eightfolds of one row it has.
    fn level(&self) -> u32 {
        self.len().max(1).ilog2() / FANOUT.ilog2()
    }

    fn kill(&mut self, row: u32) {
        Arc::make_mut(&mut self.dead).insert(row);
        self.dead_rows += 1;
        self.gone += self.segment.book(row).weight();
    }

    /// Whether the books that are gone take up more than their share: by weight, since one of them may be as large as all others.
    fn is_due(&self) -> bool {
        self.gone > self.segment.weight / GONE
    }
}

impl Parts {
    /// Puts books into columns; they come in ascending order of id.
    pub(super) fn of(books: Vec<Arc<Book>>) -> Parts {
        let mut parts = Vec::new();
        let mut rest = books;
        while !rest.is_empty() {
            let mut bytes = 0;
            let fitting = rest.iter().take_while(|book| {
                bytes += book.text().len();
                bytes <= SEGMENT_TEXT
            });
            let count = fitting.count().max(1);
            let behind = rest.split_off(count);
            let fitting = std::mem::replace(&mut rest, behind);
            let threads = if count < PARALLEL { 1 } else { parallel::cores() };
            parts.push(Part::new(Arc::new(Segment::new(fitting, threads))));
        }
        let state = State { parts: Arc::new(parts), ..State::default() };
        Parts(Arc::new(Version(ArcSwap::from_pointee(state))))
    }

    /// The books in columns, those that waited among them.
    pub(super) fn current(&self) -> Arc<Vec<Part>> {
        let state = self.0.settled();
        if state.waiting.is_empty() {
            return Arc::clone(&state.parts);
        }
        let mut next = State::clone(&state);
        next.put_into_columns();
        let parts = Arc::clone(&next.parts);
        self.0.0.compare_and_swap(&state, Arc::new(next));
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
            let holding = parts.iter_mut().enumerate().find_map(|(at, part)| {
                let row = part.segment.row(id).filter(|row| !part.dead.contains(*row))?;
                part.kill(row);
                Some((at, part.len()))
            });
            if let Some((at, 0)) = holding {
                parts.remove(at);
            }
        });
    }

    /// Makes the next version; clones keep theirs.
    fn write(&mut self, change: impl FnOnce(&mut State)) {
        let mut state = State::clone(&self.0.settled());
        change(&mut state);
        state.compact();
        self.0 = Arc::new(Version(ArcSwap::from_pointee(state)));
        self.0.await_merge();
    }
}

impl Version {
    /// The state with the merge done that was under way. Several threads may come here at once: all make the same of it.
    fn settled(&self) -> Guard<Arc<State>> {
        let state = self.0.load();
        match &state.merge {
            Some(merge) if merge.result.get().is_some() => {
                let parts = Arc::new(merge.install(&state.parts));
                self.0.store(Arc::new(State { parts, waiting: state.waiting.clone(), merge: None }));
                self.0.load()
            }
            _ => state,
        }
    }

    /// Takes in a finished merge, and begins the next one that is due: writes may have emptied much of its result meanwhile.
    fn tidy(self: &Arc<Self>) {
        let state = Guard::into_inner(self.settled());
        let mut next = State::clone(&state);
        next.compact();
        self.0.compare_and_swap(&state, Arc::new(next));
        self.await_merge();
    }

    /// Lets the merge under way, if there is one, tidy this version once it is done.
    fn await_merge(self: &Arc<Self>) {
        let Some(merge) = self.0.load().merge.clone() else { return };
        *merge.newest() = Arc::downgrade(self);
        // It may have ended before it knew this version.
        if merge.result.get().is_some() {
            self.tidy();
        }
    }
}

impl State {
    /// Makes a part of the books that wait.
    fn put_into_columns(&mut self) {
        let mut books = std::mem::take(&mut self.waiting);
        books.sort_by_key(|book| book.id());
        Arc::make_mut(&mut self.parts).push(Part::new(Arc::new(Segment::new(books, 1))));
    }

    /// Merges segments where they have become too many.
    fn compact(&mut self) {
        while let Some(sources) = due(&self.parts, self.merge.as_deref()) {
            let rows: usize = sources.iter().map(Part::len).sum();
            let rows_max = if self.merge.is_some() { WRITER_ROWS_MAX_BUSY } else { WRITER_ROWS_MAX };
            if rows > rows_max {
                if self.merge.is_none() {
                    self.merge = Merge::start(sources);
                }
                return;
            }
            let merge = Merge::new(sources);
            merge.run();
            self.parts = Arc::new(merge.install(&self.parts));
        }
    }
}

/// The parts to be merged next, those under way aside: all of the lowest level at which there are many, or one of which much is gone.
fn due(parts: &[Part], merge: Option<&Merge>) -> Option<Vec<Part>> {
    let free: Vec<&Part> = parts.iter().filter(|part| !merge.is_some_and(|merge| merge.is_of(part))).collect();
    let highest = free.iter().map(|part| part.level()).max()?;
    let of_level = |level: u32| free.iter().copied().filter(move |part| part.level() == level);
    match (0..=highest).find(|level| of_level(*level).count() >= FANOUT) {
        Some(level) => Some(of_level(level).cloned().collect()),
        None => free.iter().find(|part| part.is_due()).map(|part| vec![Part::clone(part)]),
    }
}

impl Merge {
    fn new(sources: Vec<Part>) -> Merge {
        Merge { sources, result: OnceLock::new(), newest: Mutex::default() }
    }

    /// Merges on a new thread; `None` if the system refuses one: the next write tries again.
    fn start(sources: Vec<Part>) -> Option<Arc<Merge>> {
        let merge = Arc::new(Merge::new(sources));
        let running = Arc::clone(&merge);
        let run = move || {
            running.run();
            let newest = running.newest().upgrade();
            if let Some(version) = newest {
                version.tidy();
            }
        };
        thread::Builder::new().name(String::from("merging")).spawn(run).ok()?;
        Some(merge)
    }

    fn newest(&self) -> MutexGuard<'_, Weak<Version>> {
        self.newest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self) {
        let mut books: Vec<Arc<Book>> = self.sources.iter().flat_map(Part::books).cloned().collect();
        books.sort_by_key(|book| book.id());
        // It is set once only.
        _ = self.result.set(Arc::new(Segment::new(books, 1)));
    }

    fn is_of(&self, part: &Part) -> bool {
        self.sources.iter().any(|source| Arc::ptr_eq(&source.segment, &part.segment))
    }

    /// The parts with the sources replaced by what they were merged into.
    fn install(&self, parts: &[Part]) -> Vec<Part> {
        let Some(segment) = self.result.get() else {
            return parts.to_vec();
        };
        let mut part = Part::new(Arc::clone(segment));
        for source in &self.sources {
            let now = parts.iter().find(|part| Arc::ptr_eq(&source.segment, &part.segment));
            // What has gone since the merge began is gone from its result too; a part may have gone whole.
            let gone: Vec<u32> =
                now.map_or_else(|| (0..source.segment.len() as u32).collect(), |part| part.dead.rows().collect());
            for row in gone.into_iter().filter(|row| !source.dead.contains(*row)) {
                if let Some(row) = segment.row(source.segment.book(row).id()) {
                    part.kill(row);
                }
            }
        }
        let mut installed: Vec<Part> = parts.iter().filter(|part| !self.is_of(part)).cloned().collect();
        if part.len() > 0 {
            installed.insert(0, part);
        }
        installed
    }
}
