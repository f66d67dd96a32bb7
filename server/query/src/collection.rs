//! A snapshot of the stored books, in order of id, with the columns that answer lists.
//!
//! A collection is cheap to clone and a clone never changes: readers keep theirs while a writer makes the next one.

use std::ops::Range;
use std::sync::Arc;

use super::book::Book;
use super::part::Part;
use super::parts::{PARALLEL, Parts};
use super::{parallel, scratch};

/// An immutable snapshot of the stored books, in ascending order of id, which is the order of creation. Cloning is O(1); a change touches
/// O(log n) of the books, copies at most one bit for each row of a segment, and leaves every clone unchanged.
#[derive(Debug, Clone, Default)]
pub struct Collection {
    books: imbl::Vector<Arc<Book>>,
    parts: Parts,
}

impl Collection {
    /// How many books there are.
    pub fn len(&self) -> usize {
        self.books.len()
    }

    /// Whether there is no book.
    pub fn is_empty(&self) -> bool {
        self.books.is_empty()
    }

    /// The highest id in use; `None` when there is no book.
    pub fn highest_id(&self) -> Option<u64> {
        self.books.last().map(|book| book.id())
    }

    /// The book with this id.
    pub fn get(&self, id: u64) -> Option<&Arc<Book>> {
        self.books.get(self.position(id).ok()?)
    }

    /// Adds a book, or puts it in the place of the one with its id.
    pub fn insert(&mut self, book: Arc<Book>) {
        match self.position(book.id()) {
            Ok(position) => {
                self.books.set(position, Arc::clone(&book));
                self.parts.remove(book.id());
            }
            Err(position) => self.books.insert(position, Arc::clone(&book)),
        }
        self.parts.add(book);
    }

    /// Removes the book with this id, if there is one.
    pub fn remove(&mut self, id: u64) {
        if let Ok(position) = self.position(id) {
            self.parts.remove(id);
            self.books.remove(position);
        }
    }

    /// The books in ascending order of id.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Book>> {
        self.books.iter()
    }

    pub(super) fn range(&self, positions: Range<usize>) -> impl Iterator<Item = &Arc<Book>> {
        positions.filter_map(|position| self.books.get(position))
    }

    pub(super) fn parts(&self) -> Arc<Vec<Part>> {
        self.parts.current()
    }

    fn position(&self, id: u64) -> Result<usize, usize> {
        let (Some(first), Some(last)) = (self.books.front(), self.books.last()) else { return Err(0) };
        // A new id is the highest one, so most additions go to the end.
        if last.id() < id {
            return Err(self.books.len());
        }
        // If no book before it was removed, the id of a book gives its position.
        let without_gaps = id.checked_sub(first.id()).and_then(|position| usize::try_from(position).ok());
        match without_gaps.filter(|position| self.books.get(*position).is_some_and(|book| book.id() == id)) {
            Some(position) => Ok(position),
            None => self.books.binary_search_by(|book| book.id().cmp(&id)),
        }
    }
}

impl FromIterator<Arc<Book>> for Collection {
    /// Collects books given in any order; of several with one id the last stays.
    fn from_iter<I: IntoIterator<Item = Arc<Book>>>(books: I) -> Collection {
        let mut sorted: Vec<Arc<Book>> = books.into_iter().collect();
        if !sorted.is_sorted_by(|one, next| one.id() < next.id()) {
            // The sort is stable: of several with one id, the last one given stays last.
            sorted.sort_by_key(|book| book.id());
            sorted.reverse();
            sorted.dedup_by_key(|book| book.id());
            sorted.reverse();
        }
        let books = scratch::collect(sorted.len(), sorted.iter().cloned());
        let (books, parts) = parallel::both(books.len() >= PARALLEL, || books.into(), || Parts::of(sorted));
        Collection { books, parts }
    }
}
