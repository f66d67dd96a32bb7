//! Cases of lists that are data, in the `*.toml` files of their chapters: the books of each, and the lists that they must give.

use std::sync::LazyLock;

use indexmap::IndexMap;
use serde::Deserialize;

use super::files::{self, Row};
use super::scope::{Lists, Scope};
use crate::case::Case;
use crate::chapters::list::labelled_books::{LabelledBooks, Listed};
use crate::chapters::prelude::*;

/// What lists must show, by query. Several queries that must show the same are one key, with spaces between.
type Asked<T> = IndexMap<String, T>;
/// Readings, each with what is shown under it, the first that holds being noted.
type Readings<T> = Vec<(String, T)>;

/// Books, and what lists of them must show. Labels come in order, separated by spaces; an asterisk means all books, in any order.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct ListRow {
    /// By label.
    books: IndexMap<String, Value>,
    /// The case that has the same books.
    books_of: Option<String>,
    /// Or that number of books, labelled b01, b02 and so on.
    numbered: usize,
    /// What the readings are of, where the rule is read of several things.
    of: String,
    /// Just these books, in any order.
    keeps: Asked<String>,
    /// Just these books or just those, in any order.
    keeps_either: Asked<[String; 2]>,
    /// Just these books, in this order.
    orders: Asked<String>,
    /// The books of one of these readings, in any order.
    reads: Asked<Readings<String>>,
    /// As `reads`, of queries that one reading explains together.
    reads_alike: Asked<Readings<String>>,
    /// The books of one of these readings, in its order.
    reads_in_order: Asked<Readings<String>>,
    /// Just these items, whole.
    shows: Asked<Value>,
    /// The items of one of these readings, whole.
    reads_items: Asked<Readings<Value>>,
    /// This value under a key of `metadata.paginacion`.
    paginacion: IndexMap<String, Asked<Value>>,
    /// The value of one of these readings there.
    reads_paginacion: IndexMap<String, Asked<Readings<Value>>>,
}

static ROWS: LazyLock<Vec<Row<ListRow>>> = LazyLock::new(|| files::rows(files::LISTS, listed));

/// The cases of all files, each with the text of its file.
pub(crate) fn cases() -> impl Iterator<Item = (&'static Case, &'static str)> {
    ROWS.iter().map(|row| (&row.case, row.file))
}

impl ListRow {
    fn books<'t>(&self, cx: &'t CaseContext<'t>, scope: &Scope<'_>, case: &Case) -> CaseResult<LabelledBooks<'t>> {
        match (&self.books_of, self.numbered) {
            (Some(name), _) => files::find(&ROWS, name, case)?.content.books(cx, scope, case),
            (None, 0) => {
                let books = self.books.iter().map(|(label, fields)| Ok((label, scope.value(fields)?)));
                LabelledBooks::of(cx, books.collect::<CaseResult<Vec<_>>>()?)
            }
            (None, count) => LabelledBooks::numbered(cx, count),
        }
    }
}

/// Judges a row: creates its books, asks, and compares.
fn listed(cx: &CaseContext<'_>) -> CaseResult {
    let Row { case, content: row, .. } = files::of(&ROWS, cx)?;
    let (lists, of) = (Lists::new(), row.of.as_str());
    let scope = Scope::new(cx, Interface::Catalogue, &lists);
    let books = row.books(cx, &scope, case)?;
    ask_each(&books, &row.keeps, |list, labels| list.keeps(labels))?;
    ask_each(&books, &row.keeps_either, |list, either| list.keeps_either(either))?;
    ask_each(&books, &row.orders, |list, labels| list.orders(labels))?;
    ask_each(&books, &row.reads, |list, readings| list.reads_of(of, readings))?;
    read_alike(cx, &books, &row.reads_alike)?;
    ask_each(&books, &row.reads_in_order, |list, readings| list.reads_in_order(of, readings))?;
    ask_each(&books, &row.shows, |list, items| list.shows_items(&scope.value(items)?))?;
    ask_each(&books, &row.reads_items, |list, readings| list.reads_items(of, readings))?;
    for (key, asked) in &row.paginacion {
        ask_each(&books, asked, |list, want| list.paginates(key, want))?;
    }
    for (key, asked) in &row.reads_paginacion {
        ask_each(&books, asked, |list, readings| list.reads_paginacion(of, key, readings))?;
    }
    Ok(())
}

/// Notes the first reading that holds for all queries.
fn read_alike(cx: &CaseContext<'_>, books: &LabelledBooks<'_>, asked: &Asked<Readings<String>>) -> CaseResult {
    let (mut seen, mut got) = (IndexMap::new(), Vec::new());
    for (query, readings) in asked {
        let list = books.ask(query)?;
        let holds = |id| readings.iter().any(|(of, labels)| of == id && list.is_any_order_of(labels));
        for (id, _) in readings {
            *seen.entry(id.as_str()).or_insert(true) &= holds(id);
        }
        got.push(list.got());
    }
    if seen.is_empty() { Ok(()) } else { cx.observe(&Vec::from_iter(seen), got.join("; ")) }
}

fn ask_each<T>(
    books: &LabelledBooks<'_>,
    asked: &Asked<T>,
    judge: impl Fn(&Listed<'_>, &T) -> CaseResult,
) -> CaseResult {
    let mut asked = asked.iter().flat_map(|(queries, wanted)| queries.split(' ').map(move |query| (query, wanted)));
    asked.try_for_each(|(query, wanted)| judge(&books.ask(query)?, wanted))
}
