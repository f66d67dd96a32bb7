//! Books that others wrote, on their way into a collection: read from lines, each processor its share, and numbered.
//!
//! Makes no values of a line where its text alone will do. Knows nothing of files.

use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread;

use serde_json::{Map, Value};

use super::record;
use libros_server_query::json::{self, Transcript};
use libros_server_query::{Book, BookText};

/// The largest id that a book may bring along, 2^52: as many are left for those that are created.
const ID_MAX: u64 = 1 << 52;

/// A book that may still lack its number.
pub(super) enum Draft {
    Numbered(u64, BookText),
    Unnumbered(Map<String, Value>),
}

impl Draft {
    fn read(line: &[u8], room: &mut Transcript) -> Result<Self, String> {
        // Most lines need no values made of them.
        if let Some(text) = BookText::transcribed(line, room)
            && let Some(id) = text.field_json("id").and_then(|id| json::parse(id.as_bytes()).ok())
        {
            let id = record::id_from(&id).map_err(|why| why.to_string())?;
            return Ok(Self::Numbered(id, text));
        }
        match json::parse(line) {
            Ok(Value::Object(fields)) => Self::of(fields),
            Ok(_) => Err("not a JSON object".to_owned()),
            Err(error) => Err(error.to_string()),
        }
    }

    pub(super) fn of(fields: Map<String, Value>) -> Result<Self, String> {
        Ok(match record::id_of(&fields).map_err(|why| why.to_string())? {
            Some(id) => Self::Numbered(id, BookText::of(&fields)),
            None => Self::Unnumbered(fields),
        })
    }
}

/// The drafts of all lines, in order; nothing for an empty line. Each processor reads its share.
pub(super) fn drafts(lines: &[u8]) -> Vec<Option<Result<Draft, String>>> {
    let shares = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let read = |share: &[u8]| {
        let mut room = Transcript::default();
        let mut draft = |line: &[u8]| (!line.trim_ascii().is_empty()).then(|| Draft::read(line, &mut room));
        share.split_inclusive(|byte| *byte == b'\n').map(&mut draft).collect::<Vec<_>>()
    };
    thread::scope(|scope| {
        let mut rest = lines;
        let mut started = Vec::new();
        for left in (1..=shares).rev() {
            // A share ends behind a line end.
            let middle = rest.len() / left;
            let end = rest[middle..].iter().position(|byte| *byte == b'\n');
            let (share, behind) = rest.split_at(end.map_or(rest.len(), |end| middle + end + 1));
            rest = behind;
            started.push(scope.spawn(move || read(share)));
        }
        let join = |thread: thread::ScopedJoinHandle<'_, _>| thread.join().unwrap_or_else(|panic| resume_unwind(panic));
        started.into_iter().flat_map(join).collect()
    })
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
        let (id, text) = match draft {
            Draft::Numbered(id, text) => (id, text),
            Draft::Unnumbered(mut fields) => {
                let next = self.highest + 1;
                fields.shift_insert(0, "id".to_owned(), next.into());
                (next, BookText::of(&fields))
            }
        };
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
        self.books.push(Arc::new(Book::with_text(id, text)));
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
