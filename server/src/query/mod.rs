//! The list operation as a pure function: a collection and a raw query string in, one page out.
//!
//! Knows no HTTP, no clock and no store; cannot fail, whatever the query string holds.
//! Values behave as they do in JavaScript: conversion, loose equality, `<` and `>`, `parseInt`, number text.
//!
//! ```
//! use std::sync::Arc;
//! use libros_server::query::{Book, Collection, ListQuery, list};
//!
//! let fields = serde_json::json!({ "id": 1, "titulo": "Rayuela", "anio": 1963 });
//! let book = Book::new(1, fields.as_object().cloned().unwrap_or_default());
//! let collection = Collection::from_iter([Arc::new(book)]);
//!
//! let page = list(&collection, &ListQuery::parse("q=RAYU&anio=1963.0&fields=titulo"));
//! assert_eq!(page.datos, r#"[{"titulo":"Rayuela"}]"#);
//! assert_eq!((page.total, page.pages), (1, 1));
//! ```

mod bits;
mod book;
mod code_set;
mod codes;
mod collate;
mod collection;
mod column;
mod compare;
mod date;
mod dead;
mod dictionary;
mod dictionary_builder;
mod equal;
mod filter;
mod hits;
mod js_value;
mod merged;
#[cfg(test)]
mod naive;
mod names;
mod number;
mod page;
mod params;
mod parts;
mod query_value;
mod ranked;
#[cfg(test)]
mod same_answers;
#[cfg(test)]
mod scenarios;
mod search;
mod segment;
mod select;
mod sort;
mod texts;
mod unordered;
#[cfg(test)]
mod vectors;

use std::sync::Arc;

pub use book::Book;
pub use collection::Collection;
pub use page::Page;
pub use params::ListQuery;

use parts::Part;
use sort::Found;

/// Answers a list query over one snapshot of the collection: filter, sort, cut the page, select fields.
/// Source: catalogue-service, "List query parameters", order of processing.
pub fn list(collection: &Collection, query: &ListQuery) -> Page {
    if query.filter.keeps_all() && query.sort.is_empty() {
        // Nothing to look for: only the books shown are touched.
        let window = query.page.over(collection.len());
        let shown = collection.range(window.items.clone());
        return Page::new(datos(shown, query), &window);
    }
    let found: Vec<Found<'_>> = collection.parts().iter().map(|part| find(part, query)).collect();
    // rule: list/order-filter-before-page
    let window = query.page.over(found.iter().map(|found| found.hits.len()).sum());
    // rule: list/order-sort-before-page
    let shown = sort::window(found, &query.sort, window.items.clone());
    Page::new(datos(shown, query), &window)
}

fn find<'a>(part: &'a Part, query: &ListQuery) -> Found<'a> {
    let segment = part.segment();
    Found { segment, hits: query.filter.hits(segment).without(part.dead()) }
}

/// The JSON text of the array of books shown.
fn datos<'a>(shown: impl IntoIterator<Item = &'a Arc<Book>>, query: &ListQuery) -> String {
    let mut text = String::from("[");
    for book in shown {
        if text.len() > 1 {
            text.push(',');
        }
        // rule: list/order-fields-last
        query.selection.write_to(&mut text, book);
    }
    text.push(']');
    text
}
