//! Some of the collection's books in columns, one for each field name. Immutable.

use std::sync::Arc;

use hashbrown::HashMap;

use super::book::{Book, FieldName};
use super::column::{Column, ColumnBuilder};
use super::js_value::JsValue;
use super::parallel;

/// Books in ascending order of id; a book's place among them is its row.
#[derive(Debug)]
pub(super) struct Segment {
    books: Box<[Arc<Book>]>,
    columns: Vec<Column>,
    by_name: HashMap<FieldName, u32>,
    /// The columns that hold texts, those of few distinct ones first.
    searched: Vec<u32>,
}

impl Segment {
    /// Puts books into columns on this thread; they come in ascending order of id.
    pub(super) fn new(books: Vec<Arc<Book>>) -> Segment {
        Segment::on_threads(books, 1)
    }

    /// The same, each of so many threads making some of the columns.
    pub(super) fn on_threads(books: Vec<Arc<Book>>, threads: usize) -> Segment {
        let mut shares = parallel::each(threads, |share| Builder::gather(&books, share, threads)).into_iter();
        let (by_name, mut made) = shares.next().unwrap_or_default();
        for (_, share) in shares {
            for (column, other) in made.iter_mut().zip(share) {
                *column = column.take().or(other);
            }
        }
        let columns: Vec<Column> = made.into_iter().flatten().collect();
        let texts = |column: &u32| columns[*column as usize].dictionary().texts().len();
        let mut searched: Vec<u32> = (0..columns.len() as u32).filter(|column| texts(column) > 0).collect();
        searched.sort_by_key(texts);
        Segment { books: books.into_boxed_slice(), columns, by_name, searched }
    }

    /// How many rows there are.
    pub(super) fn len(&self) -> usize {
        self.books.len()
    }

    pub(super) fn book(&self, row: u32) -> &Arc<Book> {
        &self.books[row as usize]
    }

    pub(super) fn books(&self) -> &[Arc<Book>] {
        &self.books
    }

    /// The row of the book with this id.
    pub(super) fn row(&self, id: u64) -> Option<u32> {
        let (first, last) = (self.books.first()?.id(), self.books.last()?.id());
        if id < first || last < id {
            return None;
        }
        // Ids without gaps are found at once.
        let guess = usize::try_from(id - first).unwrap_or(usize::MAX);
        if self.books.get(guess).is_some_and(|book| book.id() == id) {
            return Some(guess as u32);
        }
        self.books.binary_search_by_key(&id, |book| book.id()).ok().map(|row| row as u32)
    }

    pub(super) fn column(&self, name: &FieldName) -> Option<&Column> {
        self.by_name.get(name).map(|column| &self.columns[*column as usize])
    }

    /// The columns that a text search looks through, those of few distinct texts first.
    pub(super) fn searched(&self) -> impl Iterator<Item = &Column> {
        self.searched.iter().map(|column| &self.columns[*column as usize])
    }
}

#[derive(Default)]
struct Builder {
    columns: Vec<ColumnBuilder>,
    names: Vec<FieldName>,
    by_name: HashMap<FieldName, u32>,
    /// The column of each entry of the last book: the next one tends to have the same fields in the same order.
    last: Vec<u32>,
}

/// Where each name's column stands, and those columns that were made.
type Made = (HashMap<FieldName, u32>, Vec<Option<Column>>);

impl Builder {
    /// Makes every column whose number leaves this share over when divided by `threads`.
    fn gather(books: &[Arc<Book>], share: usize, threads: usize) -> Made {
        let mut builder = Builder::default();
        for (row, book) in (0..).zip(books) {
            for (place, entry) in book.entries().enumerate() {
                let column = builder.column(place, entry) as usize;
                if column % threads == share {
                    let value = &entry[builder.names[column].json().len()..];
                    builder.columns[column].push(row, &JsValue::read(value));
                }
            }
        }
        let finish =
            |(number, column): (usize, ColumnBuilder)| (number % threads == share).then(|| column.finish(books.len()));
        (builder.by_name, builder.columns.into_iter().enumerate().map(finish).collect())
    }

    fn column(&mut self, place: usize, entry: &str) -> u32 {
        if let Some(last) = self.last.get(place)
            && entry.starts_with(self.names[*last as usize].json())
        {
            return *last;
        }
        let name = FieldName::of_entry(entry);
        let column = *self.by_name.entry(name).or_insert_with_key(|name| {
            self.columns.push(ColumnBuilder::default());
            self.names.push(name.clone());
            self.names.len() as u32 - 1
        });
        self.last.resize(self.last.len().max(place + 1), column);
        self.last[place] = column;
        column
    }
}
