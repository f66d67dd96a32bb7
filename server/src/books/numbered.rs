//! Books that others wrote, on their way into a collection: each gets its number. Knows nothing of files.

use std::collections::HashSet;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::record::Written;
use libros_server_query::{Book, json};

/// The largest id that a book may bring along, 2^52: as many are left for those that are created.
const ID_MAX: u64 = 1 << 52;

/// Books in the order given, each with its own number.
#[derive(Default)]
pub(super) struct Numbered {
    books: Vec<Arc<Book>>,
    highest: u64,
    /// All numbers, once one has come that is not above all before it.
    taken: Option<HashSet<u64>>,
}

impl Numbered {
    pub(super) fn add(&mut self, written: Written) -> Result<(), String> {
        let book = match written {
            Written { id: Some(id), text } => Book::with_text(id, text),
            Written { id: None, text } => {
                let next = self.highest + 1;
                let mut fields = Map::from_iter([("id".to_owned(), next.into())]);
                if let Ok(Value::Object(sent)) = json::parse(text.json().as_bytes()) {
                    fields.extend(sent);
                }
                Book::new(next, fields)
            }
        };
        let id = book.id();
        if id > ID_MAX {
            return Err(format!("the id {id} is above 2^52"));
        }
        if id <= self.highest || self.taken.is_some() {
            let books = &self.books;
            let taken = self.taken.get_or_insert_with(|| books.iter().map(|book| book.id()).collect());
            if !taken.insert(id) {
                return Err(format!("the id {id} is given twice"));
            }
        }
        self.highest = self.highest.max(id);
        self.books.push(Arc::new(book));
        Ok(())
    }

    pub(super) fn count(&self) -> usize {
        self.books.len()
    }

    pub(super) fn into_books(mut self) -> Vec<Arc<Book>> {
        self.books.sort_by_key(|book| book.id());
        self.books
    }
}
