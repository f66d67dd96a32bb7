//! Decides whether the documents determine an answer. They do not if readings permit many answers, or if the order of books is open.

use serde_json::Value;

use super::is_of_lists;
use super::query::Query;
use super::shows;
use crate::http::reply::same;
use crate::impostor::readings::{Reading, all as readings};
use libros_conformance_model::list::steps::ListSteps;
use libros_conformance_model::list::{Page, body, have_order, list};

/// Rows of readings; the readings of a row together give every permitted answer.
const COUNTED: [&[&str]; 5] = [
    &["fractions-unparsable"],
    &["bare-bounds-bound-nothing", "bare-bounds-skipped"],
    &["fields-name-the-empty-field"],
    &["sort-names-the-empty-field"],
    &["sort-skips-names-of-minus"],
];

pub(super) fn is_decided(books: &[Value], query: &Query, naive: &Page<'_>, got: &Value) -> bool {
    let text = query.to_string();
    if !have_order(books, &text, &ListSteps::default())
        || is_in_another_order(books, query, &ListSteps::default(), naive, got)
    {
        return false;
    }
    let matters = |reading: &&Reading| reading.rules.iter().any(|rule| is_of_lists(rule)) && may_matter(reading, query);
    let mattering: Vec<&Reading> = readings().filter(matters).collect();
    let read = mattering.iter().map(|reading| (*reading, list(books, &text, &reading.steps().list)));
    let is_sorted = query.named("sort").next().is_some();
    // Equal pages may be chance: if the order is open, another sort shows other books.
    let is_harmless = |(reading, page): &(&Reading, Page<'_>)| {
        page == naive && (!is_sorted || have_order(books, &text, &reading.steps().list))
    };
    let others: Vec<(&Reading, Page<'_>)> = read.filter(|other| !is_harmless(other)).collect();
    // Readings of several rows together may answer differently from each alone.
    let is_counted = |row: &&[&str]| others.iter().all(|(reading, _)| row.contains(&reading.id));
    // One that changes nothing alone may change the answer of another.
    let mut pairs = others.iter().flat_map(|(one, _)| mattering.iter().map(|other| one.steps_with(other).list));
    let permits = |steps: ListSteps| {
        let page = list(books, &text, &steps);
        !have_order(books, &text, &steps) || shows(&page, got) || is_in_another_order(books, query, &steps, &page, got)
    };
    COUNTED.iter().any(is_counted) && !pairs.any(permits)
}

/// Whether a list without sort shows as many books as the page, all kept by the filters: their order is open.
fn is_in_another_order(books: &[Value], query: &Query, steps: &ListSteps, page: &Page<'_>, got: &Value) -> bool {
    if query.named("sort").next().is_some() {
        return false;
    }
    let whole = format!("{}&limit=100", query.without(&["page", "limit"]));
    let mut kept = list(books, &whole, steps).datos;
    let mut shown = body(page, &ListSteps::default());
    shown["datos"] = got["datos"].clone();
    let mut is_kept =
        |item: &Value| kept.iter().position(|book| same(book, item)).map(|at| kept.swap_remove(at)).is_some();
    let items = got["datos"].as_array().map_or(&[][..], Vec::as_slice);
    same(&shown, got) && items.len() == page.datos.len() && items.iter().all(&mut is_kept)
}

/// Whether the query has the parameter that the reading is about; other readings always matter.
fn may_matter(reading: &Reading, query: &Query) -> bool {
    let step = reading.id.split('-').next().unwrap_or_default();
    !["q", "sort", "fields", "limit", "page"].contains(&step) || query.named(step).next().is_some()
}
