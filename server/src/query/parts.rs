//! The columns of a collection that changes: segments that never do, the rows of them that are gone, and their merging.
//!
//! A book that is added becomes a segment of one row; eight segments of like size become one. Small ones are merged by the writer
//! in passing, large ones on a thread of their own while readers and writers go on with what there is. What each write costs is
//! thus spread: every book is put into columns once for each eightfold of the collection.

use std::sync::{Arc, OnceLock};
use std::thread;

use super::book::Book;
use super::dead::Dead;
use super::parallel;
use super::segment::Segment;

/// So many segments of like size are merged into one.
const FANOUT: usize = 8;
/// Segments of up to so many rows are merged by the writer itself.
const WRITER_ROWS_MAX: usize = 64;
/// While a merge runs, the writer merges up to so many rows itself, so that segments stay few whatever is written.
const WRITER_ROWS_MAX_BUSY: usize = 4096;
/// More books are never put into one segment at once: their texts would not fit its offsets.
const SEGMENT_TEXT: usize = 1 << 30;

/// From so many books on, a collection is put into columns by all cores.
const PARALLEL: usize = 20_000;

/// A segment and the rows of it that are gone.
#[derive(Debug, Clone)]
pub(super) struct Part {
    segment: Arc<Segment>,
    dead: Dead,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Parts {
    parts: Arc<Vec<Part>>,
    merge: Option<Arc<Merge>>,
    /// The parts with the merge done that was under way.
    merged: OnceLock<Arc<Vec<Part>>>,
}

/// A merge under way.
#[derive(Debug)]
struct Merge {
    sources: Vec<Part>,
    result: OnceLock<Arc<Segment>>,
}

impl Part {
    fn new(segment: Segment) -> Part {
        Part { segment: Arc::new(segment), dead: Dead::default() }
    }

    pub(super) fn segment(&self) -> &Segment {
        &self.segment
    }

    pub(super) fn dead(&self) -> &Dead {
        &self.dead
    }

    fn len(&self) -> usize {
        self.segment.len() - self.dead.count()
    }

    fn books(&self) -> impl Iterator<Item = &Arc<Book>> {
        (0..).zip(self.segment.books()).filter(|(row, _)| !self.dead.contains(*row)).map(|(_, book)| book)
    }

    /// How many eightfolds of one row it has.
    fn level(&self) -> u32 {
        self.len().max(1).ilog2() / FANOUT.ilog2()
    }

    fn is_mostly_dead(&self) -> bool {
        self.dead.count() > self.segment.len() / 2
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
            parts.push(Part::new(Segment::on_threads(fitting, threads)));
        }
        Parts { parts: Arc::new(parts), ..Parts::default() }
    }

    /// What readers look through.
    pub(super) fn current(&self) -> &[Part] {
        match &self.merge {
            Some(merge) if merge.result.get().is_some() => {
                self.merged.get_or_init(|| Arc::new(merge.install(&self.parts)))
            }
            _ => &self.parts,
        }
    }

    pub(super) fn add(&mut self, book: Arc<Book>) {
        let parts = self.writable();
        parts.push(Part::new(Segment::new(vec![book])));
        self.compact();
    }

    pub(super) fn remove(&mut self, id: u64) {
        let parts = self.writable();
        let holding = parts.iter_mut().enumerate().find_map(|(at, part)| {
            let row = part.segment.row(id).filter(|row| !part.dead.contains(*row))?;
            part.dead.insert(row, part.segment.len());
            Some((at, part.len()))
        });
        if let Some((at, 0)) = holding {
            parts.remove(at);
        }
        self.compact();
    }

    /// The parts as of now, to be changed.
    fn writable(&mut self) -> &mut Vec<Part> {
        if let Some(merge) = self.merge.take_if(|merge| merge.result.get().is_some()) {
            self.parts = self.merged.take().unwrap_or_else(|| Arc::new(merge.install(&self.parts)));
        }
        // What was made for readers of this version does not hold for the next.
        self.merged = OnceLock::new();
        Arc::make_mut(&mut self.parts)
    }

    /// Merges what has become many.
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
            let merge = Merge { sources, result: OnceLock::new() };
            merge.run();
            self.parts = Arc::new(merge.install(&self.parts));
        }
    }
}

/// The parts to be merged next, those under way aside: all of the lowest level at which there are many, or one mostly gone.
fn due(parts: &[Part], merge: Option<&Merge>) -> Option<Vec<Part>> {
    let free: Vec<&Part> = parts.iter().filter(|part| !merge.is_some_and(|merge| merge.is_of(part))).collect();
    let highest = free.iter().map(|part| part.level()).max()?;
    let of_level = |level: u32| free.iter().copied().filter(move |part| part.level() == level);
    match (0..=highest).find(|level| of_level(*level).count() >= FANOUT) {
        Some(level) => Some(of_level(level).cloned().collect()),
        None => free.iter().find(|part| part.is_mostly_dead()).map(|part| vec![Part::clone(part)]),
    }
}

impl Merge {
    /// Merges on a thread of its own; `None` where the system gives none: the next write tries again.
    fn start(sources: Vec<Part>) -> Option<Arc<Merge>> {
        let merge = Arc::new(Merge { sources, result: OnceLock::new() });
        let running = Arc::clone(&merge);
        thread::Builder::new().name(String::from("merging")).spawn(move || running.run()).ok()?;
        Some(merge)
    }

    fn run(&self) {
        let mut books: Vec<Arc<Book>> = self.sources.iter().flat_map(Part::books).cloned().collect();
        books.sort_by_key(|book| book.id());
        // It is set once only.
        _ = self.result.set(Arc::new(Segment::new(books)));
    }

    fn is_of(&self, part: &Part) -> bool {
        self.sources.iter().any(|source| Arc::ptr_eq(&source.segment, &part.segment))
    }

    /// The parts with the sources replaced by what they were merged into.
    fn install(&self, parts: &[Part]) -> Vec<Part> {
        let Some(segment) = self.result.get() else {
            return parts.to_vec();
        };
        let mut dead = Dead::default();
        for source in &self.sources {
            let now = parts.iter().find(|part| Arc::ptr_eq(&source.segment, &part.segment));
            // What has gone since the merge began is gone from its result too; a part may have gone whole.
            let gone: Vec<u32> =
                now.map_or_else(|| (0..source.segment.len() as u32).collect(), |part| part.dead.rows().collect());
            for row in gone.into_iter().filter(|row| !source.dead.contains(*row)) {
                if let Some(row) = segment.row(source.segment.book(row).id()) {
                    dead.insert(row, segment.len());
                }
            }
        }
        let mut installed: Vec<Part> = parts.iter().filter(|part| !self.is_of(part)).cloned().collect();
        if dead.count() < segment.len() {
            installed.insert(0, Part { segment: Arc::clone(segment), dead });
        }
        installed
    }
}
