//! The list operation as a pure function: books and a raw query in, a page out. The suite's oracle.

pub mod compare;
pub mod converted;
mod defaults;
pub mod filter;
pub mod page;
pub mod paging;
pub mod query;
pub mod sort;
pub mod steps;
pub mod value;

use std::borrow::Cow;

use serde_json::{Map, Value, json};

pub use page::Page;

use query::Query;
use steps::{ListSteps, Stage};

/// Answers the raw query (without `?`) over the books: filters, sort, pagination, field selection, in that order.
///
/// Source: catalogue-service, "List query parameters".
pub fn list<'b>(books: &'b [Value], raw_query: &str, steps: &ListSteps) -> Page<'b> {
    let query = Query::parse(raw_query, steps);
    let (mut page, limit) = (paging::page(query.all("page"), steps), paging::limit(query.all("limit"), steps));
    let mut items: Vec<Cow<'_, Value>> = books.iter().map(Cow::Borrowed).collect();
    let mut kept = books.len() as u64;
    for stage in steps.stages {
        match stage {
            Stage::Filter => {
                filter::filter(&mut items, &query, steps);
                kept = items.len() as u64;
            }
            Stage::Sort => (steps.sort)(&mut items, query.all("sort"), steps),
            Stage::Page => {
                page = (steps.page_within)(page, limit, kept);
                let start = (steps.start)(page, limit).max(0.0) as usize;
                items = items.into_iter().skip(start).take(limit as usize).collect();
            }
            Stage::Select => (steps.select)(&mut items, query.all("fields"), steps),
        }
    }
    Page {
        total: (steps.total)(kept, books.len() as u64, items.len() as u64),
        page,
        limit,
        pages: (steps.pages)(kept, limit),
        has_next: (steps.has_next)(page, limit, kept),
        has_prev: (steps.has_prev)(page, kept),
        datos: items,
    }
}

/// The body that shows a page.
///
/// Source: catalogue-service, "Books", the row GET /libros.
pub fn body(page: &Page<'_>, steps: &ListSteps) -> Value {
    json!({"datos": page.datos, "metadata": {"paginacion": (steps.pagination)(page)}})
}

/// Whether `sort` gives the books that the query keeps one order. If it does not, any order is right.
pub fn have_order(books: &[Value], raw_query: &str, steps: &ListSteps) -> bool {
    let query = Query::parse(raw_query, steps);
    let mut kept: Vec<Cow<'_, Value>> = books.iter().map(Cow::Borrowed).collect();
    filter::filter(&mut kept, &query, steps);
    sort::have_order(kept, query.all("sort"), steps)
}

/// Keeps only the listed fields of each item; all fields if none is listed.
pub fn select(items: &mut [Cow<'_, Value>], values: &[String], steps: &ListSteps) {
    let names = (steps.field_names)(values);
    if !names.is_empty() {
        items.iter_mut().for_each(|item| *item = Cow::Owned(Value::Object((steps.selected)(item, &names))));
    }
}

/// The listed fields that an item has, in the order they are listed.
pub fn selected(item: &Value, names: &[String]) -> Map<String, Value> {
    names.iter().filter_map(|name| Some((name.clone(), item.get(name)?.clone()))).collect()
}

#[cfg(test)]
mod tests;
