//! Books that others wrote, on their way into a collection: read from lines, and numbered.
//!
//! Makes no values of a line where its text alone will do. Knows nothing of files.

use std::collections::HashSet;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::record;
use libros_server_query::json::{self, Transcript};
use libros_server_query::{Book, BookText};

/// The largest id that a book may bring along, 2^52: as many are left for those that are created.
const ID_MAX: u64 = 1 << 52;

/// A book that may still lack its number.
pub(super) enum Draft {
    Numbered(Arc<Book>),
    Unnumbered(Map<String, Value>),
}

impl Draft {
    /// Reads a line; `room` is worked in.
    pub(super) fn read(line: &[u8], room: &mut Transcript) -> Result<Self, String> {
        // Most lines need no values made of them.
        if let Ok(line) = std::str::from_utf8(line)
            && let Some(text) = BookText::transcribed(line, room)
            && let Some(id) = text.field_json("id").and_then(|id| json::parse(id.as_bytes()).ok())
        {
            let id = record::id_from(&id).map_err(|why| why.to_string())?;
            return Ok(Self::numbered(id, text));
        }
        match json::parse(line) {
            Ok(Value::Object(fields)) => Self::of(fields),
            Ok(_) => Err("not a JSON object".to_owned()),
            Err(error) => Err(error.to_string()),
        }
    }

    pub(super) fn of(fields: Map<String, Value>) -> Result<Self, String> {
        Ok(match record::id_of(&fields).map_err(|why| why.to_string())? {
            Some(id) => Self::numbered(id, BookText::of(&fields)),
            None => Self::Unnumbered(fields),
        })
    }

    fn numbered(id: u64, text: BookText) -> Self {
        Self::Numbered(Arc::new(Book::with_text(id, text)))
    }
}

/// Books in the order given, each with its own number.
#[derive(Default)]
pub(super) struct Numbered {
    books: Vec<Arc<Book>>,
    highest: u64,
    /// All numbers, once one has come that is not above all before it.
    taken: Option<HashSet<u64>>,
}

impl Numbered {
    pub(super) fn add(&mut self, draft: Draft) -> Result<(), String> {
        let book = match draft {
            Draft::Numbered(book) => book,
            Draft::Unnumbered(mut fields) => {
                let next = self.highest + 1;
                fields.shift_insert(0, "id".to_owned(), next.into());
                Arc::new(Book::new(next, fields))
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
        self.books.push(book);
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
