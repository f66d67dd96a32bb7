//! The list operation as a pure function: a collection and a raw query string in, one page out.
//!
//! Knows no HTTP, no clock and no store; cannot fail, whatever the query string holds.
//! Values behave as they do in JavaScript: conversion, loose equality, `<` and `>`, `parseInt`, number text.
//! Stages run in this order: text search, equality, bounds, truthiness, sort, page, field selection.

mod collection;
mod page;
mod params;

pub use collection::{Book, Collection};
pub use page::Page;
pub use params::ListQuery;

/// Answers a list query over one snapshot of the collection.
pub fn list(collection: &Collection, query: &ListQuery) -> Page {
    let window = query.window.over(collection.len());
    let mut datos = String::from("[");
    for book in collection.iter_range(window.items.clone()) {
        if datos.len() > 1 {
            datos.push(',');
        }
        datos.push_str(book.text());
    }
    datos.push(']');
    Page::new(datos, &window)
}
