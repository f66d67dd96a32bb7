//! The collection as readers and writers hold it: readers an immutable snapshot that is durable, writers the latest
//! state under a lock.
//!
//! A write is applied to the latest state, queued for the disk in that order, and shown to readers once it is there.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arc_swap::{ArcSwap, Guard};

use super::initial::Initial;
use super::record::{self, Unreadable};
use crate::catalogue::Failure;
use crate::query::{Book, Collection};
use crate::store::{Change, Confirmation, Journal, Row};

/// One decided change to one book.
#[derive(Debug, Clone)]
pub(super) enum Edit {
    /// A book is added, or put in the place of the one with its id.
    Put(Arc<Book>),
    /// A book is taken out.
    Remove(Arc<Book>),
}

/// The collection, for many readers, and writers one after the other.
#[derive(Debug)]
pub struct Shelf {
    published: ArcSwap<Collection>,
    ahead: Mutex<Ahead>,
}

/// What is decided but not yet durable.
#[derive(Debug)]
struct Ahead {
    /// The published collection with every step in `queued` applied.
    latest: Collection,
    /// Steps on their way to the disk, oldest first.
    queued: VecDeque<Queued>,
}

#[derive(Debug)]
struct Queued {
    step: Step,
    /// The collection with this step and all before it applied.
    after: Collection,
}

#[derive(Debug)]
enum Step {
    Edit(Edit),
    Restart(Collection),
}

impl Shelf {
    /// A shelf that holds what is already durable.
    #[must_use]
    pub fn new(books: Collection) -> Self {
        Self {
            published: ArcSwap::from_pointee(books.clone()),
            ahead: Mutex::new(Ahead { latest: books, queued: VecDeque::new() }),
        }
    }

    /// The collection a store held.
    ///
    /// # Errors
    /// When one of the rows is no book: the collection then cannot be read.
    pub fn read(rows: &[Row]) -> Result<Collection, Unreadable> {
        rows.iter().map(record::from_row).collect()
    }

    /// The collection as it is on disk; never changes in the reader's hands.
    // rule: storage/between-requests
    pub(super) fn published(&self) -> Guard<Arc<Collection>> {
        self.published.load()
    }

    /// Lets `decide` see the latest state and queues the edit it decides on.
    ///
    /// Returns the book concerned, and what resolves once the edit is durable and readers see it.
    ///
    /// # Errors
    /// What `decide` refuses; nothing has changed then.
    // One after the other: ids are never given twice, and no write undoes another.
    // rule: books/concurrent-creates, storage/no-lost-update
    pub(super) fn edit(
        self: &Arc<Self>,
        journal: &Journal,
        decide: impl FnOnce(&Collection) -> Result<Edit, Failure>,
    ) -> Result<(Arc<Book>, Confirmation), Failure> {
        let mut ahead = self.ahead();
        let edit = decide(&ahead.latest)?;
        let (book, change) = match &edit {
            Edit::Put(book) => (Arc::clone(book), record::put(book)),
            Edit::Remove(book) => (Arc::clone(book), record::remove(book)),
        };
        let confirmation = self.queue(&mut ahead, Step::Edit(edit), vec![change], journal);
        Ok((book, confirmation))
    }

    /// Puts the initial collection in the place of everything.
    pub(super) fn restart(self: &Arc<Self>, initial: &Initial, journal: &Journal) -> Confirmation {
        let changes = initial.changes();
        let step = Step::Restart(initial.books().clone());
        self.queue(&mut self.ahead(), step, changes, journal)
    }

    fn queue(self: &Arc<Self>, ahead: &mut Ahead, step: Step, changes: Vec<Change>, journal: &Journal) -> Confirmation {
        step.apply(&mut ahead.latest);
        ahead.queued.push_back(Queued { step, after: ahead.latest.clone() });
        let shelf = Arc::clone(self);
        journal.submit_then(changes, move |durable| shelf.settle(durable))
    }

    /// The oldest queued step is durable, or has failed. Called once for each, in their order.
    fn settle(&self, durable: bool) {
        let mut ahead = self.ahead();
        let Some(queued) = ahead.queued.pop_front() else {
            return;
        };
        if durable {
            // The very collection that the writer made: its columns are not made twice.
            self.published.store(Arc::new(queued.after));
        } else {
            // What was decided after the failed step stands, as far as it goes without it.
            let mut books = Collection::clone(&self.published.load());
            for queued in &mut ahead.queued {
                queued.step.apply(&mut books);
                queued.after = books.clone();
            }
            ahead.latest = books;
        }
    }

    fn ahead(&self) -> MutexGuard<'_, Ahead> {
        self.ahead.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Step {
    fn apply(&self, books: &mut Collection) {
        match self {
            // rule: books/collection-order
            Self::Edit(Edit::Put(book)) => {
                books.insert(Arc::clone(book));
            }
            Self::Edit(Edit::Remove(book)) => {
                books.remove(book.id());
            }
            Self::Restart(initial) => *books = initial.clone(),
        }
    }
}

/// The book with this id; a negative one is nobody's.
pub(super) fn find(books: &Collection, id: i64) -> Option<&Arc<Book>> {
    books.get(u64::try_from(id).ok()?)
}
