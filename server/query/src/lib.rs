//! The list operation as a pure function: a collection and a raw query string in, one page out.
//!
//! Knows no HTTP, no clock and no store; cannot fail, whatever the query string holds.
//! Values behave as they do in JavaScript: conversion, loose equality, `<` and `>`, `parseInt`, number text.
//!
//! # How it is laid out
//! A [`Collection`] holds its books twice over: in order of id, each as its finished JSON text ([`Book`]), and in *segments* that
//! never change (`segment`). A segment has a *column* for each field name (`column`): the distinct values in the order that sorts
//! them (`dictionary`), each row's code in one, two or four bytes (`codes`), and the rows of each code, which are at once
//! posting lists and the sorted order. Books are free-form, so a field that few have keeps codes for these alone, and a value's
//! class (numeric, text, composite) is a range of codes. Where a segment has many names, fields that few have get no column at all
//! (`rare`): a query that names one has it made (`view`).
//!
//! # Why
//! Most fields repeat their values. A condition is therefore not put to books but to a dictionary, where it is a lookup or a
//! bisection and becomes a set of codes; a text search passes over each distinct text once, a third of the bytes that the books
//! have; sorting by locale is done when a segment is built, and a query compares numbers within a segment. No index is made for
//! expected queries: they may name any field, and none has to be declared.
//!
//! # What a query costs
//! `n` books, `h` of them kept; a page of `p` books after `s` others; `d` distinct values and `t` bytes of texts in the fields read.
//!
//! | query | reads |
//! |---|---|
//! | no condition, no sort | `p` books: log n each |
//! | a field that no book has | nothing |
//! | equality, is_, bound by number or date | log d, then the `h` rows of the smallest condition; above n/16 the codes of n rows, one to four bytes each |
//! | bound by text | all `d` texts |
//! | `q` | `t` bytes at the speed of memmem, 10 to 20 ns a text found, then `h` rows; where conditions leave few books, the texts of these |
//! | sort by one field, all books | log d + `p` |
//! | sort by one field, `h` books | the smaller of `h` and (s + p) n/h |
//! | sort by several | as by the first; then the rows that share a value with the first or last book shown, by the next field |
//! | sort where fields are missing or classes mix | h log h comparisons: the order is not total, so no page of it can be cut out |
//!
//! New books become a segment once they are many or a query needs them, and eight segments of similar size become one (`parts`). So each
//! book is put into columns once for each eightfold growth of the collection, mostly on a separate thread. Readers keep the version they
//! began with. A query works on each segment and merges the page by value: a deep sorted page of a collection that has just grown
//! costs more by the books not yet merged. Each row has a bit that marks it as removed; a removal copies those of its segment.
//!
//! ```
//! use std::sync::Arc;
//! use libros_server_query::{Book, Collection, ListQuery, list};
//!
//! let fields = serde_json::json!({ "id": 1, "titulo": "Rayuela", "anio": 1963 });
//! let book = Book::new(1, fields.as_object().expect("an object"));
//! let collection = Collection::from_iter([Arc::new(book)]);
//!
//! let page = list(&collection, &ListQuery::parse("q=RAYU&anio=1963.0&fields=titulo"));
//! assert_eq!(page.datos, r#"[{"titulo":"Rayuela"}]"#);
//! assert_eq!((page.total, page.pages), (1, 1));
//! ```

mod bits;
mod book;
mod cased_texts;
mod codes;
mod collate;
mod collection;
mod column;
mod compare;
mod date;
mod dictionary;
mod dictionary_builder;
mod equal;
mod filter;
mod hits;
mod js_value;
pub mod json;
mod key_order;
mod merge;
mod merged;
mod number;
mod page;
mod parallel;
mod params;
mod part;
mod parts;
mod query_value;
mod ranked;
mod rare;
mod scratch;
mod search;
mod segment;
mod select;
mod sort;
mod sort_key;
mod texts;
mod unordered;
#[cfg(test)]
mod vectors;
mod view;

use std::sync::Arc;

pub use book::{Book, BookText};
pub use collection::Collection;
pub use js_value::is_truthy;
pub use number::leading_integer;
pub use page::Page;
pub use params::ListQuery;

use view::{Found, View};

/// Answers a list query over one snapshot of the collection: filter, sort, cut the page, select fields.
/// Source: catalogue-service, "List query parameters", order of processing.
pub fn list(collection: &Collection, query: &ListQuery) -> Page {
    if query.filter.keeps_all() && query.sort.is_empty() {
        // Without filter and sort only the books shown are read.
        let (items, page) = query.page.over(collection.len());
        return Page { datos: datos(collection.range(items), query), ..page };
    }
    let parts = collection.parts();
    let views: Vec<View<'_>> = parts.iter().map(|part| View::new(&part.segment, query.fields())).collect();
    let found = parts.iter().zip(&views).map(|(part, segment)| {
        let hits = query.filter.hits(segment).without(part.dead());
        Found { segment, hits }
    });
    let found: Vec<Found<'_>> = found.collect();
    // rule: list/order-filter-before-page
    let (items, page) = query.page.over(found.iter().map(|found| found.hits.len()).sum());
    // rule: list/order-sort-before-page
    let shown = sort::window(found, &query.sort, items);
    Page { datos: datos(shown, query), ..page }
}

fn datos<'a>(shown: impl IntoIterator<Item = &'a Arc<Book>>, query: &ListQuery) -> String {
    let mut text = String::from("[");
    // rule: list/order-fields-last
    json::write_separated(&mut text, shown, |text, book| query.selection.write_to(text, book));
    text.push(']');
    text
}
