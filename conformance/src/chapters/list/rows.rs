//! Rows of the list chapters: labelled books, what is asked of them, and what the list must show. One runner judges them all.

use super::labelled_books::LabelledBooks;
use crate::chapters::prelude::*;

/// Labelled books as a row writes them: `labelled! { "nine": { "n": 9 }, "lacking": {} }`.
macro_rules! labelled {
    ($($label:literal : { $($fields:tt)* }),* $(,)?) => {
        $crate::chapters::list::rows::ListRow::of(
            vec![$(($label, ::serde_json::json!({ $($fields)* }))),*]
        )
    };
}
pub(crate) use labelled;

/// Query and the labels it must show, with spaces between.
type Asked = &'static [(&'static str, &'static str)];

/// What a list must show.
#[derive(Debug)]
enum Shown {
    /// Just these books, in any order.
    Books(&'static str),
    /// Just these books or just those, in any order.
    Either([&'static str; 2]),
    /// Just these books, in this order.
    InOrder(&'static str),
    /// The books of one of these readings, in any order.
    Reading(Asked),
    /// The books of one of these readings, in its order.
    ReadingInOrder(Asked),
    /// Just these items, whole.
    Items(Value),
}

/// Books, and what lists of them must show.
#[derive(Debug)]
pub(crate) struct ListRow {
    books: Vec<(&'static str, Value)>,
    asked: Vec<(&'static str, Shown)>,
}

impl ListRow {
    /// A row that asks nothing yet.
    pub(crate) fn of(books: Vec<(&'static str, Value)>) -> Self {
        Self { books, asked: Vec::new() }
    }

    /// Creates its books, for a case that asks by itself.
    pub(crate) fn created<'t>(&self, cx: &'t CaseContext<'t>) -> Result<LabelledBooks<'t>, CaseError> {
        LabelledBooks::of(cx, &self.books)
    }

    /// Each query shows just these books, in any order.
    pub(crate) fn keeps(mut self, asked: Asked) -> Self {
        self.asked.extend(asked.iter().map(|(query, labels)| (*query, Shown::Books(labels))));
        self
    }

    /// The query shows just these books or just those, in any order.
    pub(crate) fn keeps_either(mut self, query: &'static str, either: [&'static str; 2]) -> Self {
        self.asked.push((query, Shown::Either(either)));
        self
    }

    /// Each query shows just these books, in this order.
    pub(crate) fn orders(mut self, asked: Asked) -> Self {
        self.asked.extend(asked.iter().map(|(query, labels)| (*query, Shown::InOrder(labels))));
        self
    }

    /// The query shows the books of one of these readings, in any order.
    pub(crate) fn reads(mut self, query: &'static str, readings: Asked) -> Self {
        self.asked.push((query, Shown::Reading(readings)));
        self
    }

    /// The query shows the books of one of these readings, in its order.
    pub(crate) fn reads_in_order(mut self, query: &'static str, readings: Asked) -> Self {
        self.asked.push((query, Shown::ReadingInOrder(readings)));
        self
    }

    /// The query shows just these items, whole.
    pub(crate) fn shows(mut self, query: &'static str, items: &Value) -> Self {
        self.asked.push((query, Shown::Items(items.clone())));
        self
    }
}

/// Judges a row: creates its books, asks, and compares.
pub(crate) fn listed(cx: &CaseContext<'_>, row: ListRow) -> CaseResult {
    let books = row.created(cx)?;
    for (query, shown) in row.asked {
        let list = books.ask(query)?;
        match shown {
            Shown::Books(labels) => list.keeps(labels)?,
            Shown::Either(either) => list.keeps_either(either)?,
            Shown::InOrder(labels) => list.orders(labels)?,
            Shown::Reading(readings) => list.reads(readings)?,
            Shown::ReadingInOrder(readings) => list.reads_in_order(readings)?,
            Shown::Items(items) => list.shows_items(&items)?,
        }
    }
    Ok(())
}
