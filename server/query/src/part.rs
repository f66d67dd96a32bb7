//! A part of a collection: a segment, which never changes, and the rows of it that are gone.

use std::sync::Arc;

use super::bits::Bits;
use super::book::Book;
use super::segment::Segment;

/// A part is rebuilt once its removed books weigh more than this fraction (1/n) of it.
const GONE: usize = 4;

#[derive(Debug, Clone)]
pub(super) struct Part {
    pub(super) segment: Arc<Segment>,
    dead: Arc<Bits>,
    dead_rows: usize,
    /// How much the books weigh that are gone.
    gone: usize,
}

impl Part {
    /// A part that has all books, which come in ascending order of id. Puts them into columns on this many threads.
    pub(super) fn of(books: Vec<Arc<Book>>, threads: usize) -> Part {
        let dead = Arc::new(Bits::none(books.len()));
        Part { segment: Arc::new(Segment::new(books, threads)), dead, dead_rows: 0, gone: 0 }
    }

    pub(super) fn dead(&self) -> Option<&Bits> {
        (self.dead_rows > 0).then_some(&*self.dead)
    }

    pub(super) fn len(&self) -> usize {
        self.segment.len() - self.dead_rows
    }

    pub(super) fn books(&self) -> impl Iterator<Item = &Arc<Book>> {
        (0..).zip(self.segment.books()).filter(|(row, _)| !self.dead.contains(*row)).map(|(_, book)| book)
    }

    /// Takes the book with this id out; returns whether it was there.
    pub(super) fn remove(&mut self, id: u64) -> bool {
        let row = self.segment.row(id).filter(|row| !self.dead.contains(*row));
        if let Some(row) = row {
            Arc::make_mut(&mut self.dead).insert(row);
            self.dead_rows += 1;
            self.gone += self.segment.book(row).weight();
        }
        row.is_some()
    }

    /// Whether `earlier` was once this part.
    pub(super) fn was(&self, earlier: &Part) -> bool {
        Arc::ptr_eq(&self.segment, &earlier.segment)
    }

    /// The books that have gone since this part was `earlier`.
    pub(super) fn gone_since(&self, earlier: &Part) -> impl Iterator<Item = &Arc<Book>> {
        self.dead.rows().filter(|row| !earlier.dead.contains(*row)).map(|row| self.segment.book(row))
    }

    /// Whether to rebuild it: by the weight of the books that are gone, since one of them may be as large as all others.
    pub(super) fn is_due(&self) -> bool {
        self.gone > self.segment.weight / GONE
    }
}
