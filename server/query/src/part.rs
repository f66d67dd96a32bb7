//! A part of a collection: a segment, which never changes, and the rows that were removed from it.

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
    /// The weight of the removed books.
    gone: usize,
}

impl Part {
    /// Puts books, given in ascending order of id, into columns, on this many threads.
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

    /// Removes the book with this id; returns whether there was one.
    pub(super) fn remove(&mut self, id: u64) -> bool {
        let row = self.segment.row(id).filter(|row| !self.dead.contains(*row));
        if let Some(row) = row {
            Arc::make_mut(&mut self.dead).insert(row);
            self.dead_rows += 1;
            self.gone += self.segment.book(row).weight();
        }
        row.is_some()
    }

    /// Whether `earlier` is an older version of this part.
    pub(super) fn was(&self, earlier: &Part) -> bool {
        Arc::ptr_eq(&self.segment, &earlier.segment)
    }

    /// The books removed since the version `earlier`.
    pub(super) fn gone_since(&self, earlier: &Part) -> impl Iterator<Item = &Arc<Book>> {
        self.dead.rows().filter(|row| !earlier.dead.contains(*row)).map(|row| self.segment.book(row))
    }

    /// Whether to rebuild it. The weight of the removed books decides, since one may be as large as all others.
    pub(super) fn is_due(&self) -> bool {
        self.gone > self.segment.weight / GONE
    }
}
