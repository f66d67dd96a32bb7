//! Generated lists: draws books and query strings from a seed and compares answers with the impostor's naive list.
//!
//! The drawn books contain the values that queries ask for, and the queries use every step of a list, alone and together. Where the
//! documents leave an answer open, the query is left out or any permitted answer is accepted. Sends nothing.

mod ambiguity;
mod attribution;
mod base_queries;
mod draw;
mod query;
mod resemblance;
mod sample_books;
#[cfg(test)]
mod tests;
mod vocabulary;

use serde_json::{Map, Value, json};

use crate::contract::violation::Place;
use crate::http::reply::same;
use libros_conformance_model::list::steps::ListSteps;
use libros_conformance_model::list::{Page, body, list};

pub use attribution::{LOOSE_RULES, RULES};
pub use draw::{Domain, Queries, queries};
pub(crate) use query::filtered_field;
pub use query::{Parameter, Query};
pub use resemblance::{is_of_lists, resembling_fault};
pub use sample_books::{MARKER, sample_books};

/// A list that no reading of the documents permits.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Difference {
    /// Of the first step that contradicts the answer.
    pub(crate) rule: &'static str,
    pub(crate) place: Place,
    pub(crate) want: Value,
    pub(crate) got: Value,
}

/// Compares a list with the naive list of these books; `None` if it is permitted or the documents leave it open.
pub(crate) fn differ(books: &[Value], query: &Query, got: &Value) -> Option<Difference> {
    let naive = list(books, &query.to_string(), &ListSteps::default());
    if shows(&naive, got) || !ambiguity::is_decided(books, query, &naive, got) {
        return None;
    }
    let naive_body = body(&naive, &ListSteps::default());
    let (place, want, got_there) = first_difference(&naive_body, got, &query.fields());
    Some(Difference { rule: attribution::rule(books, query, &naive_body, got), place, want, got: got_there })
}

/// As [`differ`], for a query of a domain: loose queries judge only loose equality and truthiness, since the other queries judge the rest.
pub(crate) fn differ_in(domain: Domain, books: &[Value], query: &Query, got: &Value) -> Option<Difference> {
    let found = differ(books, query, got);
    found.filter(|found| domain != Domain::Loose || LOOSE_RULES.contains(&found.rule))
}

pub(crate) fn naive_body(books: &[Value], query: &Query, steps: &ListSteps) -> Value {
    body(&list(books, &query.to_string(), steps), steps)
}

fn shows(page: &Page<'_>, got: &Value) -> bool {
    // Most pages show other books: comparing those first spares making the body.
    let items = got["datos"].as_array().map_or(&[][..], Vec::as_slice);
    let is_alike = items.len() == page.datos.len() && page.datos.iter().zip(items).all(|(book, item)| same(book, item));
    is_alike && same(&body(page, &ListSteps::default()), got)
}

/// The first difference of two bodies: the place and both values there.
fn first_difference(want: &Value, got: &Value, asked: &[&str]) -> (Place, Value, Value) {
    let keys =
        ["page", "limit", "total", "pages", "hasNext", "hasPrev"].map(|key| format!("/metadata/paginacion/{key}"));
    for pointer in ["/datos".to_owned()].into_iter().chain(keys) {
        let at = |body: &Value| body.pointer(&pointer).cloned().unwrap_or_default();
        let (want, got) = (at(want), at(got));
        if !same(&want, &got) {
            return (Place::body(pointer), brought_to(&want, &got, asked), brought_to(&got, &want, asked));
        }
    }
    let keys = |body: &Value| json!({ "metadata": body["metadata"] });
    (Place::BODY, keys(want), keys(got))
}

/// The ids of a list of books if they differ from the other list's, and what it alone has of the fields asked for; else the value itself.
fn brought_to(value: &Value, other: &Value, asked: &[&str]) -> Value {
    let ids = |value: &Value| -> Option<Vec<Value>> {
        value.as_array()?.iter().map(|book| book.get("id").cloned()).collect()
    };
    match (ids(value), ids(other)) {
        (Some(own), Some(others)) if own != others => {
            let alone = value.as_array().into_iter().flatten().filter(|book| !others.contains(&book["id"]));
            let part = |book: &Value| -> Value {
                let fields =
                    ["id"].iter().chain(asked).filter_map(|name| Some(((*name).to_owned(), book.get(*name)?.clone())));
                fields.collect::<Map<_, _>>().into()
            };
            let alone: Vec<Value> = alone.map(part).collect();
            if alone.is_empty() { json!({ "ids": own }) } else { json!({ "only_here": alone, "ids": own }) }
        }
        _ => value.clone(),
    }
}
