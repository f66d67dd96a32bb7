//! The initial collection: the five books of the contract, or a file of the operator's.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Map, Value};

use super::record;
use crate::json;
use crate::query::{Book, Collection};

const FIVE_BOOKS: &str = include_str!("../../../seeds/initial/books.json");

/// What the service holds before anybody has written, and after a reset.
#[derive(Debug, Clone)]
pub struct Initial {
    books: Collection,
}

/// An initial collection that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BadBooks {
    /// The file cannot be read.
    #[error("cannot read the books in {}: {source}", path.display())]
    Unread {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A line of it is no book.
    #[error("{}, line {line}: {why}; each line must be one book, a JSON object", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
    /// The built-in books are no list of books.
    #[error("the built-in initial books cannot be read: {0}")]
    BuiltIn(String),
}

impl Initial {
    /// The five books.
    ///
    /// # Errors
    /// When the embedded text is no list of books.
    // rule: books/initial-five, books/initial-content
    pub fn five() -> Result<Self, BadBooks> {
        let bad = |why: &str| BadBooks::BuiltIn(why.to_owned());
        let Ok(Value::Array(items)) = json::parse(FIVE_BOOKS.as_bytes()) else {
            return Err(bad("not a JSON list"));
        };
        let mut books = Collection::new();
        for item in items {
            let Value::Object(fields) = item else {
                return Err(bad("not a JSON object"));
            };
            add(&mut books, fields).map_err(|why| bad(&why))?;
        }
        Ok(Self { books })
    }

    /// The books in a file: one JSON object a line; empty lines do not count. A book without an id gets the next one.
    ///
    /// # Errors
    /// When the file cannot be read, or a line is no JSON object, has an unusable id or one already given.
    pub fn from_file(path: &Path) -> Result<Self, BadBooks> {
        let text =
            std::fs::read_to_string(path).map_err(|source| BadBooks::Unread { path: path.to_owned(), source })?;
        Self::from_lines(&text).map_err(|(line, why)| BadBooks::Line { path: path.to_owned(), line, why })
    }

    fn from_lines(text: &str) -> Result<Self, (usize, String)> {
        let mut books = Collection::new();
        for (index, line) in text.lines().enumerate() {
            let at = |why: String| (index + 1, why);
            if line.trim().is_empty() {
                continue;
            }
            match json::parse(line.as_bytes()) {
                Ok(Value::Object(fields)) => add(&mut books, fields).map_err(at)?,
                Ok(_) => return Err(at("not a JSON object".to_owned())),
                Err(error) => return Err(at(error.to_string())),
            }
        }
        Ok(Self { books })
    }

    /// The books themselves.
    #[must_use]
    pub fn books(&self) -> &Collection {
        &self.books
    }
}

/// The largest id that a book may bring along, 2^52: as many are left for those that are created.
const ID_MAX: u64 = 1 << 52;

fn add(books: &mut Collection, mut fields: Map<String, Value>) -> Result<(), String> {
    let id = match record::id_of(&fields).map_err(|why| why.to_string())? {
        Some(id) if id > ID_MAX => return Err(format!("the id {id} is above 2^52")),
        Some(id) => id,
        None => {
            let next = books.highest_id().unwrap_or(0) + 1;
            fields.shift_insert(0, "id".to_owned(), next.into());
            next
        }
    };
    match books.insert(Arc::new(Book::new(id, fields))) {
        None => Ok(()),
        Some(_) => Err(format!("the id {id} is given twice")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_five_books_have_the_ids_1_to_5_and_what_every_book_needs() {
        let initial = Initial::five().expect("the embedded books");
        let ids: Vec<u64> = initial.books().iter().map(|book| book.id()).collect();
        assert_eq!(ids, [1, 2, 3, 4, 5]);
        for book in initial.books().iter() {
            for field in ["titulo", "autor", "fechaPublicacion", "fechaCreacion"] {
                let text = book.field_json(field);
                assert!(text.is_some_and(|text| text.len() > 2), "{field}");
            }
            assert_eq!(book.field_json("creadoPor"), Some("null"));
        }
    }

    #[test]
    fn lines_without_an_id_are_numbered_on() {
        let lines = "{\"id\":7.0}\n\n{\"titulo\":\"a\"}\n";
        let initial = Initial::from_lines(lines).expect("two books");
        let texts: Vec<&str> = initial.books().iter().map(|book| book.text()).collect();
        assert_eq!(texts, [r#"{"id":7}"#, r#"{"id":8,"titulo":"a"}"#]);
    }

    #[test]
    fn a_bad_line_is_named() {
        for (text, line) in [
            ("{}\nx", 2),
            ("[]", 1),
            ("{\"id\":1}\n{\"id\":1}", 2),
            ("{\"id\":0}", 1),
            ("{\"id\":1.5}", 1),
            ("{\"id\":9007199254740992}", 1),
            ("{\"id\":4503599627370497}", 1),
            ("{\"id\":\"1\"}", 1),
        ] {
            assert_eq!(Initial::from_lines(text).expect_err(text).0, line, "{text}");
        }
    }
}
