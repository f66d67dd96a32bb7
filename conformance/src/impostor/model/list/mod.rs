//! The list operation as a pure function: books and a raw query in, a page out. The suite's oracle.

mod compare;
mod filter;
mod paging;
pub(crate) mod query;
mod shown;
mod sort;
mod value;

use std::borrow::Cow;

use serde_json::{Map, Value};

pub use shown::body;
pub use value::{Converted, convert, iso_date};

use crate::impostor::faults::Faults;
use query::Query;

/// What a list answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    /// The page's items, after field selection.
    pub datos: Vec<Value>,
    /// Items after filtering.
    pub total: u64,
    /// Page asked for, at least 1; a JavaScript number, since a page may be huge.
    pub page: f64,
    /// Items per page, 1 to 100.
    pub limit: u64,
    /// Total divided by limit, rounded up.
    pub pages: u64,
    /// Whether a later item exists.
    pub has_next: bool,
    /// Whether the page is greater than 1.
    pub has_prev: bool,
}

/// Answers the raw query (without `?`) over the books: filters, sort, pagination, field selection, in that order.
///
/// Source: catalogue-service, "List query parameters".
pub fn list(books: &[Value], raw_query: &str, faults: &Faults) -> Page {
    let query = Query::parse(raw_query, faults);
    let mut found: Vec<Cow<'_, Value>> = books.iter().map(Cow::Borrowed).collect();
    if faults.on("pages-before-filtering") {
        found.truncate(paging::limit(&query, faults) as usize);
    }
    if faults.on("selects-before-filtering") {
        select(&mut found, query.all("fields"), faults);
    }
    filter::filter(&mut found, &query, faults);
    if faults.on("selects-before-sorting") {
        select(&mut found, query.all("fields"), faults);
    }
    let total = if faults.on("total-before-filtering") { books.len() } else { found.len() } as u64;
    let (page, limit) = (paging::page(&query, faults), paging::limit(&query, faults));
    let last = total.div_ceil(limit).max(1) as f64;
    let page = if faults.reads("page-clamped-to-the-last") { page.min(last) } else { page };
    let start = paging::start(page, limit, faults);
    if !faults.on("sorts-after-paging") {
        sort::sort(&mut found, query.all("sort"), faults);
    }
    let mut datos: Vec<Cow<'_, Value>> = found.into_iter().skip(start.max(0.0) as usize).take(limit as usize).collect();
    if faults.on("sorts-after-paging") {
        sort::sort(&mut datos, query.all("sort"), faults);
    }
    select(&mut datos, query.all("fields"), faults);
    let datos: Vec<Value> = datos.into_iter().map(Cow::into_owned).collect();
    let (total, pages) = paging::counts(total, limit, &datos, faults);
    Page {
        total,
        page,
        limit,
        pages,
        has_next: paging::has_next(page, limit, total, faults),
        has_prev: paging::has_prev(page, total, faults),
        datos,
    }
}

/// Whether the books that a query keeps have an order by its `sort`; where they have none, any order is right.
pub fn have_order(books: &[Value], raw_query: &str) -> bool {
    let faults = Faults::none();
    let query = Query::parse(raw_query, &faults);
    let mut kept: Vec<Cow<'_, Value>> = books.iter().map(Cow::Borrowed).collect();
    filter::filter(&mut kept, &query, &faults);
    sort::have_order(kept, query.all("sort"))
}

/// Leaves each item only the listed fields that it has, in the order of the parameter.
fn select(items: &mut [Cow<'_, Value>], values: &[String], faults: &Faults) {
    let values =
        if faults.on("fields-repeated-last-wins") { &values[values.len().saturating_sub(1)..] } else { values };
    let stops = faults.on("fields-stop-at-empty-name");
    let mut names: Vec<&str> = values
        .iter()
        .flat_map(|value| value.split(','))
        .take_while(|name| !(stops && name.is_empty()))
        .filter(|name| !name.is_empty())
        .collect();
    let nothing = !values.is_empty() && faults.reads("empty-fields-select-nothing");
    if names.is_empty() && !nothing || faults.on("fields-ignored") {
        return;
    }
    if faults.on("fields-first-only") {
        names.truncate(1);
    }
    if faults.on("fields-always-id") && !names.contains(&"id") {
        names.insert(0, "id");
    }
    for item in items {
        let mut kept = Map::new();
        for name in &names {
            let name = if faults.reads("names-trimmed") { name.trim() } else { name };
            match item.get(name) {
                Some(Value::Null) if faults.on("fields-drop-null") => {}
                Some(field) => _ = kept.insert(name.to_owned(), field.clone()),
                None if faults.on("fields-missing-as-null") => {
                    _ = kept.insert(name.to_owned(), Value::Null);
                }
                None => {}
            }
        }
        if faults.reads("fields-in-book-order") {
            kept = item.as_object().cloned().unwrap_or_default();
            kept.retain(|name, _| names.contains(&name.as_str()));
        }
        *item = Cow::Owned(Value::Object(kept));
    }
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod vectors;
