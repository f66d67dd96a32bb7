//! Books of the collection in columns, one for each field name that is not rare. Immutable.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use hashbrown::{HashMap, HashSet};

use super::book::{Book, FieldName};
use super::column::{Column, ColumnBuilder};
use super::js_value::JsValue;
use super::parallel;
use super::rare::{Rare, RareBuilder, frequent_names};

/// The number of fields that get a column even if few books have them: the first in the books.
const ALWAYS: usize = 64;

/// Books in ascending order of id; a book's place among them is its row.
#[derive(Debug)]
pub(super) struct Segment {
    books: Box<[Arc<Book>]>,
    columns: Box<[Column]>,
    by_name: HashMap<FieldName, u32>,
    /// The columns that hold texts, those of few distinct ones first.
    searched: Box<[u32]>,
    /// The fields without a column.
    pub(super) rare: Rare,
    pub(super) weight: usize,
}

impl Segment {
    /// Puts books, given in ascending order of id, into columns; each of `threads` threads builds some of the columns.
    pub(super) fn new(books: Vec<Arc<Book>>, threads: usize) -> Segment {
        let (frequent, gathered) = (OnceLock::new(), Mutex::default());
        let gather = |share| Builder::new(&books, &frequent, share, threads).gather(&gathered);
        let mut shares = parallel::each(threads, gather).into_iter();
        let Made { by_name, mut columns, rare, weight } = shares.next().unwrap_or_default();
        columns.extend(shares.flat_map(|share| share.columns));
        columns.sort_unstable_by_key(|(number, _)| *number);
        let columns: Box<[Column]> = columns.into_iter().map(|(_, column)| column).collect();
        let texts = |column: &u32| columns[*column as usize].dictionary.texts().len();
        let mut searched: Vec<u32> = (0..columns.len() as u32).filter(|column| texts(column) > 0).collect();
        searched.sort_by_key(texts);
        Segment { books: books.into(), columns, by_name, searched: searched.into(), rare, weight }
    }

    pub(super) fn len(&self) -> usize {
        self.books.len()
    }

    pub(super) fn book(&self, row: u32) -> &Arc<Book> {
        &self.books[row as usize]
    }

    pub(super) fn books(&self) -> &[Arc<Book>] {
        &self.books
    }

    pub(super) fn row(&self, id: u64) -> Option<u32> {
        Book::place(&self.books, id).map(|row| row as u32)
    }

    pub(super) fn column(&self, name: &FieldName) -> Option<&Column> {
        self.by_name.get(name).map(|column| &self.columns[*column as usize])
    }

    /// Makes the column of a field that has none; `None` if no book has the field.
    pub(super) fn make_column(&self, name: &FieldName) -> Option<Column> {
        let may_be_rare = !self.rare.places.is_empty() && !self.by_name.contains_key(name);
        may_be_rare.then(|| self.rare.column(name, &self.books)).flatten()
    }

    /// The columns that a text search looks through, those of few distinct texts first.
    pub(super) fn searched(&self) -> impl Iterator<Item = &Column> {
        self.searched.iter().map(|column| &self.columns[*column as usize])
    }
}

struct Builder<'a> {
    books: &'a [Arc<Book>],
    /// The columns whose number modulo `threads` is `share` are this builder's.
    share: usize,
    threads: usize,
    /// Names that many books have: counted once names become many.
    frequent: &'a OnceLock<HashSet<FieldName>>,
    columns: Vec<ColumnBuilder>,
    /// The rows and values still to be pushed to each column.
    pending: Vec<Vec<(u32, &'a str)>>,
    names: Vec<FieldName>,
    by_name: HashMap<FieldName, u32>,
    /// The column of each entry of the last book: the next one tends to have the same fields in the same order.
    last: Vec<u32>,
}

/// The columns that one thread has made.
#[derive(Default)]
struct Made {
    /// The position of each name's column.
    by_name: HashMap<FieldName, u32>,
    columns: Vec<(usize, Column)>,
    rare: Rare,
    weight: usize,
}

/// Columns with all their values, by number; threads that have time finish them, one at a time.
type Gathered = Mutex<Vec<(usize, ColumnBuilder)>>;

/// Books pushed at a time, column by column: the processor then fetches the data of several look-ups at once.
const TOGETHER: u32 = 128;

/// Stands for the number of a missing column.
const NONE: u32 = u32::MAX;

impl<'a> Builder<'a> {
    fn new(books: &'a [Arc<Book>], frequent: &'a OnceLock<HashSet<FieldName>>, share: usize, threads: usize) -> Self {
        let (columns, pending, names, by_name, last) = Default::default();
        Builder { books, share, threads, frequent, columns, pending, names, by_name, last }
    }

    /// Gathers its columns, and in share 0 the rare fields. Then finishes columns of any share.
    fn gather(mut self, gathered: &Gathered) -> Made {
        let (mut rare, mut weight) = (RareBuilder::default(), 0);
        for (row, book) in (0..).zip(self.books) {
            weight += book.weight();
            let mut start = 1;
            for (place, entry) in book.entries().enumerate() {
                let column = self.column(place, entry);
                if column == NONE {
                    if self.share == 0 {
                        rare.push(row, start, entry);
                    }
                } else if self.is_own(column as usize) {
                    let value = &entry[self.names[column as usize].json().len()..];
                    self.pending[column as usize].push((row, value));
                }
                start += entry.len() + 1;
            }
            if row % TOGETHER == TOGETHER - 1 {
                self.push_pending();
            }
        }
        self.push_pending();
        let rows = self.books.len();
        let (share, threads) = (self.share, self.threads);
        lock(gathered).extend(self.columns.into_iter().enumerate().skip(share).step_by(threads));
        let mut columns = Vec::new();
        loop {
            let mut left = lock(gathered);
            let Some(most) = (0..left.len()).max_by_key(|at| left[*at].1.work()) else { break };
            let (number, column) = left.swap_remove(most);
            drop(left);
            columns.push((number, column.finish(rows, threads)));
        }
        Made { by_name: self.by_name, columns, rare: rare.finish(), weight }
    }

    fn is_own(&self, column: usize) -> bool {
        column % self.threads == self.share
    }

    fn push_pending(&mut self) {
        for (column, pending) in self.columns.iter_mut().zip(&mut self.pending) {
            pending.drain(..).for_each(|(row, value)| column.push(row, &JsValue::read(value)));
        }
    }

    fn column(&mut self, place: usize, entry: &str) -> u32 {
        if let Some(last) = self.last.get(place)
            && let Some(name) = self.names.get(*last as usize)
            && entry.starts_with(name.json())
        {
            return *last;
        }
        let name = FieldName::in_entry(entry);
        let column = self.by_name.get(name).copied().unwrap_or_else(|| self.add(name));
        if column != NONE {
            self.last.resize(self.last.len().max(place + 1), NONE);
            self.last[place] = column;
        }
        column
    }

    fn add(&mut self, name: &str) -> u32 {
        let number = self.names.len();
        if number >= ALWAYS && !self.frequent.get_or_init(|| frequent_names(self.books)).contains(name) {
            return NONE;
        }
        let name = FieldName::of_json(name);
        self.columns.push(ColumnBuilder::new(if self.is_own(number) { self.books.len() } else { 0 }));
        self.pending.push(Vec::new());
        self.names.push(name.clone());
        self.by_name.insert(name, number as u32);
        number as u32
    }
}

fn lock(gathered: &Gathered) -> MutexGuard<'_, Vec<(usize, ColumnBuilder)>> {
    gathered.lock().unwrap_or_else(PoisonError::into_inner)
}
