//! The cases of lists that are data, in the `*.toml` files of their chapters: the books of each, and what lists of them must show.

use std::sync::LazyLock;

use indexmap::IndexMap;
use serde::Deserialize;

use super::labelled_books::{LabelledBooks, Listed};
use crate::case::Case;
use crate::chapters::prelude::*;
use crate::chapters::rows::files::{self, Row};

/// By chapter.
const FILES: [(&str, &str); 10] = [
    ("list", include_str!("decoding.toml")),
    ("list", include_str!("conversion.toml")),
    ("list", include_str!("dates.toml")),
    ("list", include_str!("search.toml")),
    ("list", include_str!("equality.toml")),
    ("list", include_str!("bounds.toml")),
    ("list", include_str!("truthiness.toml")),
    ("list", include_str!("sort.toml")),
    ("list", include_str!("fields.toml")),
    ("paging", include_str!("../paging/rows.toml")),
];

/// What lists must show, by query. Several queries that must show the same are one key, with spaces between.
type Asked<T> = IndexMap<String, T>;
/// Readings, each with the labels of its books.
type Readings = Vec<(String, String)>;

/// Books, and what lists of them must show. Labels are written one after the other, with spaces between.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct ListRow {
    /// By label.
    books: IndexMap<String, Value>,
    /// The case that has the same books.
    books_of: Option<String>,
    /// Or that number of books, labelled b01, b02 and so on.
    numbered: usize,
    /// Just these books, in any order.
    keeps: Asked<String>,
    /// Just these books or just those, in any order.
    keeps_either: Asked<[String; 2]>,
    /// Just these books, in this order.
    orders: Asked<String>,
    /// The books of one of these readings, in any order.
    reads: Asked<Readings>,
    /// The books of one of these readings, in its order.
    reads_in_order: Asked<Readings>,
    /// Just these items, whole.
    shows: Asked<Value>,
    /// This value under a key of `metadata.paginacion`.
    paginacion: IndexMap<String, Asked<Value>>,
    /// The value of one of these readings there.
    reads_paginacion: IndexMap<String, Asked<Vec<(String, Value)>>>,
}

static ROWS: LazyLock<Vec<Row<ListRow>>> = LazyLock::new(|| files::rows(&FILES, listed));

/// The cases of all files, each with its entry.
pub(crate) fn cases() -> impl Iterator<Item = (&'static Case, &'static str)> {
    ROWS.iter().map(|row| (&row.case, row.text))
}

fn row(name: &str) -> CaseResult<&'static ListRow> {
    files::find(&ROWS, name, |case| case.name == name).map(|row| &row.content)
}

impl ListRow {
    fn books<'t>(&'static self, cx: &'t CaseContext<'t>) -> Result<LabelledBooks<'t>, CaseError> {
        match (&self.books_of, self.numbered) {
            (Some(name), _) => row(name)?.books(cx),
            (None, 0) => LabelledBooks::of(cx, self.books.clone()),
            (None, count) => LabelledBooks::numbered(cx, count),
        }
    }
}

/// Judges a row: creates its books, asks, and compares.
fn listed(cx: &CaseContext<'_>) -> CaseResult {
    let row = row(cx.name())?;
    let books = row.books(cx)?;
    ask_each(&books, &row.keeps, |list, labels| list.keeps(labels))?;
    ask_each(&books, &row.keeps_either, |list, either| list.keeps_either(either))?;
    ask_each(&books, &row.orders, |list, labels| list.orders(labels))?;
    ask_each(&books, &row.reads, |list, readings| list.reads(readings))?;
    ask_each(&books, &row.reads_in_order, |list, readings| list.reads_in_order(readings))?;
    ask_each(&books, &row.shows, |list, items| list.shows_items(items))?;
    for (key, asked) in &row.paginacion {
        ask_each(&books, asked, |list, want| list.paginates(key, want))?;
    }
    for (key, asked) in &row.reads_paginacion {
        ask_each(&books, asked, |list, readings| list.reads_paginacion(key, readings))?;
    }
    Ok(())
}

fn ask_each<T>(
    books: &LabelledBooks<'_>,
    asked: &Asked<T>,
    judge: impl Fn(&Listed<'_>, &T) -> CaseResult,
) -> CaseResult {
    let mut asked = asked.iter().flat_map(|(queries, wanted)| queries.split(' ').map(move |query| (query, wanted)));
    asked.try_for_each(|(query, wanted)| judge(&books.ask(query)?, wanted))
}
