//! The initial collection: the five books of the contract, or a file of the operator's.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::sync::Arc;
use std::{iter, mem};

use anyhow::{Context as _, anyhow};
use serde_json::{Map, Value};

use super::in_order::in_order;
use super::record::{self, Written};
use crate::progress::LoadingBar;
use libros_server_query::json::{self, Transcript};
use libros_server_query::{Book, Collection};

const FIVE_BOOKS: &str = include_str!("../../../seeds/initial/books.json");

/// Bytes of a file that are read at a time, besides the rest of the last line.
const BLOCK: usize = 1 << 18;

/// The collection of a new store, and after a reset: books by id.
#[derive(Debug, Clone)]
pub struct InitialBooks(Arc<Vec<Arc<Book>>>);

impl InitialBooks {
    /// The five books. Fails when the embedded text cannot be read as a list of books.
    pub fn five() -> anyhow::Result<Self> {
        const BAD: &str = "the built-in initial books cannot be read";
        // rule: books/initial-five, books/initial-content
        let items: Vec<Value> = serde_json::from_str(FIVE_BOOKS).context(BAD)?;
        let (mut numbered, mut room) = (Numbered::default(), Transcript::default());
        for item in items {
            let read = record::read(json::write(&item).as_bytes(), &mut room);
            read.and_then(|book| numbered.add(book)).map_err(|why| anyhow!("{BAD}: {why}"))?;
        }
        Ok(Self(numbered.into_books().into()))
    }

    /// The books in a file: one JSON object a line; empty lines do not count. A book without an id gets the next one. Fails
    /// when the file cannot be read, and at a line that is not a JSON object, has an unusable id or one already given.
    pub(crate) fn from_file(path: &Path, bar: &LoadingBar) -> anyhow::Result<Self> {
        let unread = || format!("cannot read the books in {}", path.display());
        let file = File::open(path).with_context(unread)?;
        let size = file.metadata().with_context(unread)?.len();
        Self::from_lines(file, size, path, bar)
    }

    fn from_lines(stream: impl Read, size: u64, path: &Path, bar: &LoadingBar) -> anyhow::Result<Self> {
        let path = path.display();
        let mut numbered = Numbered::default();
        let (mut line, mut bytes) = (0, 0);
        let read = |block: io::Result<Vec<u8>>, room: &mut Transcript| {
            let block = block.with_context(|| format!("cannot read the books in {path}"))?;
            let mut start = 0;
            let ends = memchr::memchr_iter(b'\n', &block).map(|at| at + 1).chain([block.len()]);
            let lines = ends.map(|end| &block[mem::replace(&mut start, end)..end]).filter(|line| !line.is_empty());
            let book = |line: &[u8]| (!line.trim_ascii().is_empty()).then(|| record::read(line, room));
            anyhow::Ok((block.len() as u64, lines.map(book).collect::<Vec<_>>()))
        };
        let mut stream = BufReader::new(stream);
        let blocks = iter::from_fn(|| next_block(&mut stream).transpose());
        in_order(blocks, read, |read| {
            let (length, books) = read?;
            for book in books {
                line += 1;
                let Some(book) = book else { continue };
                let book = book.map_err(|why| format!("{why}; each line must be one book, a JSON object"));
                book.and_then(|book| numbered.add(book)).map_err(|why| anyhow!("{path}, line {line}: {why}"))?;
            }
            bytes += length;
            bar.show_read(bytes, size);
            anyhow::Ok(())
        })?;
        bar.show_indexing(numbered.books.len());
        Ok(Self(numbered.into_books().into()))
    }

    /// A new collection of the books. It is not kept, since its columns take more memory than the books.
    pub(crate) fn books(&self) -> Collection {
        self.0.iter().cloned().collect()
    }

    /// The initial book that is stored under this key with exactly this text.
    pub(super) fn stored_as(&self, key: &str, doc: &str) -> Option<Arc<Book>> {
        Some(&self.0[Book::place(&self.0, key.parse().ok()?)?]).filter(|book| book.text() == doc).cloned()
    }
}

/// The next whole lines; `None` at the end.
fn next_block(stream: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut block = Vec::with_capacity(BLOCK + BLOCK / 64);
    stream.take(BLOCK as u64).read_to_end(&mut block)?;
    stream.read_until(b'\n', &mut block)?;
    Ok(Some(block).filter(|block| !block.is_empty()))
}

/// The largest id of an initial book, 2^52: as many ids are left for books that are created.
const ID_MAX: u64 = 1 << 52;

/// Books in the order given, each with its own id.
#[derive(Default)]
struct Numbered {
    books: Vec<Arc<Book>>,
    highest: u64,
    /// All ids so far, once one was not the highest.
    taken: Option<HashSet<u64>>,
}

impl Numbered {
    fn add(&mut self, written: Written) -> Result<(), String> {
        let book = match written {
            Written::Numbered(book) => book,
            Written::Unnumbered(text) => {
                let next = self.highest + 1;
                let mut fields = Map::from_iter([("id".to_owned(), next.into())]);
                if let Ok(Value::Object(sent)) = json::parse(text.json().as_bytes()) {
                    fields.extend(sent);
                }
                Arc::new(Book::new(next, &fields))
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

    fn into_books(mut self) -> Vec<Arc<Book>> {
        if self.taken.is_some() {
            self.books.sort_by_key(|book| book.id());
        }
        self.books
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from_lines(lines: &str) -> Result<InitialBooks, String> {
        let read = InitialBooks::from_lines(lines.as_bytes(), 0, Path::new("books"), &LoadingBar::new());
        read.map_err(|error| error.to_string())
    }

    fn names_line(read: &Result<InitialBooks, String>, line: usize) -> bool {
        read.as_ref().is_err_and(|why| why.starts_with(&format!("books, line {line}: ")))
    }

    #[test]
    fn lines_without_an_id_are_numbered_on() {
        let lines = "{\"id\":7.0}\n\n{\"titulo\":\"a\"}\n";
        let initial = from_lines(lines).expect("two books");
        let books = initial.books();
        let texts: Vec<&str> = books.iter().map(|book| book.text()).collect();
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
            assert!(names_line(&from_lines(text), line), "{text}");
        }
    }

    #[test]
    fn lines_are_counted_and_read_whole_where_buffers_end_within_them() {
        // Several blocks, and a line longer than one.
        let long = "x".repeat(3 * BLOCK);
        let mut lines: String =
            (1..=20_000).map(|id| format!("{{\"id\":{id},\"titulo\":\"a title of some length\"}}\r\n")).collect();
        lines += &format!("\n{{\"titulo\":\"{long}\"}}");
        let initial = from_lines(&lines).expect("books");
        assert_eq!(initial.books().len(), 20_001);
        assert_eq!(initial.books().get(20_001).map(|book| book.text().len()), Some(long.len() + 24));
        assert!(names_line(&from_lines(&(lines + "\n\n{\"id\":1}")), 20_004));
    }
}
