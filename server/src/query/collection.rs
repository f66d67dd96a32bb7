//! Books prepared for listing, and the collection that holds one snapshot of them.
//!
//! A collection is cheap to clone and a clone never changes: readers keep theirs while a writer makes the next one.

use std::ops::Range;
use std::sync::Arc;

use serde_json::{Map, Value};

use crate::json;

/// One stored book, prepared: its fields, its JSON text, and its texts folded for search.
///
/// Immutable; a replaced book is a new one.
#[derive(Debug)]
pub struct Book {
    id: u64,
    fields: Box<[Field]>,
    text: Box<str>,
}

#[derive(Debug)]
struct Field {
    name: Box<str>,
    /// Where the field's value stands in the book's JSON text.
    json: Range<usize>,
}

impl Book {
    /// Prepares the book `id`, whose fields (`id` itself among them, where it shall be shown) are returned in the
    /// order given, integer-like names first as in any JavaScript object.
    pub fn new(id: u64, fields: Map<String, Value>) -> Book {
        let mut fields: Vec<(String, Value)> = fields.into_iter().collect();
        fields.sort_by_key(|(name, _)| json::integer_key(name).map_or(u64::MAX, u64::from));
        let mut text = String::from("{");
        let mut prepared = Vec::with_capacity(fields.len());
        for (name, value) in fields {
            if text.len() > 1 {
                text.push(',');
            }
            json::write_text_to(&mut text, &name);
            text.push(':');
            let start = text.len();
            json::write_to(&mut text, &value);
            prepared.push(Field {
                name: name.into_boxed_str(),
                json: start..text.len(),
            });
        }
        text.push('}');
        Book {
            id,
            fields: prepared.into_boxed_slice(),
            text: text.into_boxed_str(),
        }
    }

    /// The number the collection knows the book by.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// The JSON text of the whole book, as `JSON.stringify` prints it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The JSON text of one field's value; `None` where the book lacks the field.
    pub fn field_json(&self, name: &str) -> Option<&str> {
        let field = self.fields.iter().find(|field| *field.name == *name)?;
        Some(&self.text[field.json.clone()])
    }
}

/// One immutable snapshot of the stored books, in ascending order of id, which is the order they were created in.
///
/// Cloning is O(1); a change touches O(log n) of the structure and leaves every clone as it was.
#[derive(Debug, Clone, Default)]
pub struct Collection {
    books: imbl::Vector<Arc<Book>>,
}

impl Collection {
    /// A collection without books.
    pub fn new() -> Collection {
        Collection::default()
    }

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
        self.books.last().map(|book| book.id)
    }

    /// The book with this id.
    pub fn get(&self, id: u64) -> Option<&Arc<Book>> {
        self.books.get(self.position(id).ok()?)
    }

    /// Adds a book, or puts it in the place of the one with its id, which is returned.
    pub fn insert(&mut self, book: Arc<Book>) -> Option<Arc<Book>> {
        match self.position(book.id) {
            Ok(position) => Some(self.books.set(position, book)),
            Err(position) if position == self.books.len() => {
                self.books.push_back(book);
                None
            }
            Err(position) => {
                self.books.insert(position, book);
                None
            }
        }
    }

    /// Takes the book with this id out.
    pub fn remove(&mut self, id: u64) -> Option<Arc<Book>> {
        let position = self.position(id).ok()?;
        Some(self.books.remove(position))
    }

    /// The books in ascending order of id.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Book>> {
        self.books.iter()
    }

    /// The books at these positions, which must exist.
    pub(super) fn iter_range(&self, positions: Range<usize>) -> impl Iterator<Item = &Arc<Book>> {
        positions.filter_map(|position| self.books.get(position))
    }

    fn position(&self, id: u64) -> Result<usize, usize> {
        // Ids are handed out upwards, so most additions go to the end.
        match self.books.last() {
            Some(last) if last.id < id => Err(self.books.len()),
            _ => self.books.binary_search_by(|book| book.id.cmp(&id)),
        }
    }
}

impl FromIterator<Arc<Book>> for Collection {
    /// Collects books given in any order; of several with one id the last stays.
    fn from_iter<I: IntoIterator<Item = Arc<Book>>>(books: I) -> Collection {
        let mut collection = Collection::new();
        for book in books {
            collection.insert(book);
        }
        collection
    }
}
