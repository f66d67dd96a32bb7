//! The collection as the state of its repository, and how its records are stored and read back. `libros_server_store` decides
//! which version readers see, and which answer waits for which commit.

use std::convert::Infallible;
use std::iter;
use std::ops::Deref;
use std::sync::Arc;

use super::in_order::in_order;
use super::initial::InitialBooks;
use super::record;
use libros_server_query::json::Transcript;
use libros_server_query::{Book, Collection};
use libros_server_store::{Change, Changes, Kind, Row, State, Unreadable};

/// Rows that a processor reads at a time.
const PIECE: usize = 4096;

#[derive(Debug, Clone, Default)]
pub(super) struct BookState(pub(super) Collection);

impl Deref for BookState {
    type Target = Collection;

    fn deref(&self) -> &Collection {
        &self.0
    }
}

/// Reads the collection of a store; adds the rows that are not books to `unreadable`. Shares unchanged books with `initial`.
pub(crate) fn read(rows: Vec<Row>, initial: &InitialBooks, unreadable: &mut Vec<Unreadable>) -> Collection {
    let mut books = Vec::with_capacity(rows.len());
    let read_row = |Row { key, doc }: Row, buffer: &mut Transcript| match initial.stored_as(&key, &doc) {
        Some(book) => Ok(book),
        None => record::from_stored(&key, &doc, buffer).map_err(|why| Unreadable { kind: Kind::BOOKS, key, why }),
    };
    let read_piece = |piece: Vec<Row>, buffer: &mut Transcript| {
        piece.into_iter().map(|row| read_row(row, buffer)).collect::<Vec<_>>()
    };
    let mut rows = rows.into_iter();
    let pieces =
        iter::from_fn(|| Some(rows.by_ref().take(PIECE).collect()).filter(|piece: &Vec<Row>| !piece.is_empty()));
    let Ok(()) = in_order(pieces, read_piece, |outcomes| {
        for outcome in outcomes {
            match outcome {
                Ok(book) => books.push(book),
                // If no row is a book, the collection is empty.
                // rule: storage/not-a-list-is-empty
                Err(row) => unreadable.push(row),
            }
        }
        Ok::<(), Infallible>(())
    });
    books.into_iter().collect()
}

impl BookState {
    /// Adds a book, or replaces the one with its id.
    pub(super) fn put(&mut self, book: &Arc<Book>, changes: &mut Changes) {
        note(book, changes);
        // rule: books/collection-order
        self.0.insert(Arc::clone(book));
    }

    pub(super) fn remove(&mut self, book: &Book, changes: &mut Changes) {
        changes.remove(Kind::BOOKS, book.id().to_string());
        self.0.remove(book.id());
    }

    /// Adds changes that replace everything in the store by these books.
    pub(super) fn put_all(&self, changes: &mut Changes) {
        // Clearing also records that there is a collection, even an empty one.
        changes.clear(Kind::BOOKS);
        self.iter().for_each(|book| note(book, changes));
    }
}

impl State for BookState {
    fn take_in(&mut self, change: &Change) -> Result<bool, String> {
        match change {
            Change::Put { kind: Kind::BOOKS, key, doc } => {
                let book = record::from_stored(key, doc, &mut Transcript::default());
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

fn note(book: &Arc<Book>, changes: &mut Changes) {
    changes.put(Kind::BOOKS, book.id().to_string(), Arc::<Book>::clone(book));
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
        let initial = InitialBooks::five().expect("five books");
        let first = initial.books().get(1).expect("a book").clone();
        let row = |id: u64, doc: &str| Row { key: id.to_string(), doc: doc.to_owned() };
        let rows = vec![row(1, first.text()), row(2, r#"{"id":2}"#), row(9, r#"{"id":9}"#)];
        let books = read(rows, &initial, &mut Vec::new());
        assert!(books.get(1).is_some_and(|book| Arc::ptr_eq(book, &first)));
        let texts: Vec<&str> = books.iter().skip(1).map(|book| book.text()).collect();
        assert_eq!(texts, [r#"{"id":2}"#, r#"{"id":9}"#]);
    }
}
