//! The collection as readers and writers hold it, and how its records are stored and read back.
//!
//! Which version readers see, and what waits for which commit, is decided in `libros_server_store`.

use std::convert::Infallible;
use std::iter;
use std::ops::Deref;
use std::sync::Arc;

use arc_swap::Guard;

use super::in_order::in_order;
use super::initial::Initial;
use super::record;
use crate::response::failure::Failure;
use libros_server_query::json::Transcript;
use libros_server_query::{Book, Collection};
use libros_server_store::{
    Change, Changes, Decided, Follower, Journal, Kind, NotDurable, Repository, Row, State, Unreadable,
};

/// So many rows are read by one processor in one go.
const PIECE: usize = 4096;

#[derive(Debug, Clone)]
pub(super) enum Edit {
    /// A book is added, or put in the place of the one with its id.
    Put(Arc<Book>),
    Remove(Arc<Book>),
}

/// The collection, as the state of its repository.
#[derive(Debug, Clone, Default)]
pub(super) struct BookState(Collection);

impl Deref for BookState {
    type Target = Collection;

    fn deref(&self) -> &Collection {
        &self.0
    }
}

/// The collection, for many readers, and writers one after the other.
#[derive(Debug)]
pub(crate) struct BookRepository(Arc<Repository<BookState>>);

impl BookRepository {
    /// A repository over durable books.
    pub(crate) fn new(books: Collection, journal: &Journal) -> Self {
        Self(Arc::new(Repository::new(BookState(books), journal.clone())))
    }

    /// The collection of a store; adds to `unreadable` the rows that are no book. Books unchanged since the start share their memory.
    pub(crate) fn read(rows: Vec<Row>, initial: &Initial, unreadable: &mut Vec<Unreadable>) -> Collection {
        let mut books = Vec::with_capacity(rows.len());
        let mut rows = rows.into_iter();
        let pieces =
            iter::from_fn(|| Some(rows.by_ref().take(PIECE).collect::<Vec<_>>()).filter(|piece| !piece.is_empty()));
        let read = |piece: Vec<Row>| {
            let mut room = Transcript::default();
            piece.into_iter().map(|row| read_row(row, initial, &mut room)).collect::<Vec<_>>()
        };
        let Ok(()) = in_order(pieces, read, |read| {
            for book in read {
                match book {
                    Ok(book) => books.push(book),
                    // A row that is no book is not read as one, and of no book at all the collection is empty.
                    // rule: storage/not-a-list-is-empty
                    Err(row) => unreadable.push(row),
                }
            }
            Ok::<(), Infallible>(())
        });
        books.into_iter().collect()
    }

    /// The collection as it is on disk; never changes in the reader's hands.
    pub(super) fn published(&self) -> Guard<Arc<BookState>> {
        self.0.published()
    }

    /// Lets `decide` see the latest state, and waits until the edit it decides on is durable and readers see it; returns the book
    /// concerned. Fails with what `decide` refuses; nothing has changed then.
    pub(super) async fn transact(
        &self,
        mut decide: impl FnMut(&Collection) -> Result<Edit, Failure>,
    ) -> Result<Arc<Book>, Failure> {
        // One after the other: ids are never given twice.
        // rule: books/concurrent-creates
        let decided = self.0.transact(|books, changes| {
            // rule: books/refused-write-no-trace
            let edit = decide(books)?;
            Ok(edit.apply(&mut books.0, changes))
        });
        decided.await.map_err(|not_durable| Failure::BooksBroken(not_durable.to_string()))?
    }

    /// Stores the collection that this was made of, where nothing was stored.
    pub(crate) fn seed(&self) -> Decided<()> {
        self.0.decide(|books, changes| put_all(books, changes))
    }

    /// Puts the initial collection in the place of everything, for all replicas. Fails when the disk refuses; nothing has changed
    /// then.
    pub(super) async fn reset(&self, initial: &Initial) -> Result<(), NotDurable> {
        let initial = initial.books();
        let put = |books: &mut BookState, changes: &mut Changes| {
            books.0.clone_from(&initial);
            put_all(books, changes);
        };
        self.0.transact(put).await
    }

    /// What takes in the books that other replicas write.
    pub(crate) fn follower(&self) -> Arc<dyn Follower> {
        self.0.clone()
    }
}

fn read_row(Row { key, doc }: Row, initial: &Initial, room: &mut Transcript) -> Result<Arc<Book>, Unreadable> {
    if let Some(book) = initial.stored_as(&key, &doc) {
        return Ok(book);
    }
    let book = record::from_stored(&key, doc, room);
    book.map_err(|why| Unreadable { kind: Kind::BOOKS, key, why: why.to_string() })
}

fn put_all(books: &Collection, changes: &mut Changes) {
    // The clearing says that there is a collection, even when it is empty.
    changes.clear(Kind::BOOKS);
    books.iter().for_each(|book| record::put(book, changes));
}

impl State for BookState {
    fn take_in(&mut self, change: &Change) -> Result<bool, String> {
        match change {
            Change::Put { kind: Kind::BOOKS, key, doc } => {
                let book = record::from_stored(key, doc.to_string(), &mut Transcript::default());
                self.0.insert(book.map_err(|why| format!("book {key}: {why}"))?);
            }
            Change::Remove { kind: Kind::BOOKS, key } => {
                self.0.remove(key.parse().map_err(|_| format!("book {key}: not an id"))?);
            }
            Change::Clear { kind: Kind::BOOKS } => *self = Self::default(),
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl Edit {
    fn apply(self, books: &mut Collection, changes: &mut Changes) -> Arc<Book> {
        match self {
            Self::Put(book) => {
                record::put(&book, changes);
                // rule: books/collection-order
                books.insert(Arc::clone(&book));
                book
            }
            Self::Remove(book) => {
                record::remove(&book, changes);
                books.remove(book.id());
                book
            }
        }
    }
}

/// The book with this id; no book has a negative one.
pub(super) fn find(books: &Collection, id: i64) -> Option<&Arc<Book>> {
    books.get(u64::try_from(id).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_book_that_is_stored_as_it_was_initially_is_held_once() {
        let initial = Initial::five().expect("five books");
        let first = initial.books().get(1).expect("a book").clone();
        let row = |id: u64, doc: &str| Row { key: id.to_string(), doc: doc.to_owned() };
        let rows = vec![row(1, first.text()), row(2, r#"{"id":2}"#), row(9, r#"{"id":9}"#)];
        let books = BookRepository::read(rows, &initial, &mut Vec::new());
        assert!(books.get(1).is_some_and(|book| Arc::ptr_eq(book, &first)));
        let texts: Vec<&str> = books.iter().skip(1).map(|book| book.text()).collect();
        assert_eq!(texts, [r#"{"id":2}"#, r#"{"id":9}"#]);
    }
}
