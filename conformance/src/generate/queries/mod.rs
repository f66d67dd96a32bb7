//! Generated lists: books and query strings drawn from a seed, judged against the impostor's naive list.
//!
//! The books are drawn so that the values asked for occur; the questions so that every step of a list is asked for, alone and
//! together. What the documents leave open is either left out of the questions, or any permitted answer counts. Sends nothing.

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

use serde_json::{Value, json};

use crate::contract::violation::Place;
use crate::http::reply::same;
use crate::impostor::model::list::{Page, body, list};
use crate::impostor::policy::Policy;

pub use attribution::{LOOSE_RULES, RULES};
pub use draw::{Domain, Queries, queries};
pub use query::{Parameter, Query};
pub use resemblance::{is_of_lists, resembling_fault};
pub use sample_books::{MARKER, sample_books};

/// A list's answer that no reading of the documents permits.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// The rule of the first step that cannot have gone as the naive list goes.
    pub rule: &'static str,
    /// Where in the answer.
    pub place: Place,
    /// What the naive list answers there.
    pub want: Value,
    /// What came.
    pub got: Value,
}

/// Check the body of a list against what the naive list answers for these books; `None` where it is permitted, or where the
/// documents leave the answer open.
pub fn differ(books: &[Value], query: &Query, got: &Value) -> Option<Difference> {
    let naive = list(books, &query.to_string(), &Policy::default());
    if shows(&naive, got) || !ambiguity::is_decided(books, query, &naive, got) {
        return None;
    }
    let naive_body = body(&naive, &Policy::default());
    let (place, want, got_there) = first_difference(&naive_body, got);
    Some(Difference { rule: attribution::rule(books, query, &naive_body, got), place, want, got: got_there })
}

/// As [`differ`], for a question of a domain: loose questions judge loose equality and truthiness alone, since the other questions
/// judge the rest.
pub fn differ_in(domain: Domain, books: &[Value], query: &Query, got: &Value) -> Option<Difference> {
    let found = differ(books, query, got);
    found.filter(|found| domain != Domain::Loose || LOOSE_RULES.contains(&found.rule))
}

/// Whether a body shows that page, whatever the order of its keys.
fn shows(page: &Page, got: &Value) -> bool {
    same(&body(page, &Policy::default()), got)
}

/// The first place at which two bodies differ, what should stand there and what does.
fn first_difference(want: &Value, got: &Value) -> (Place, Value, Value) {
    let keys =
        ["page", "limit", "total", "pages", "hasNext", "hasPrev"].map(|key| format!("/metadata/paginacion/{key}"));
    for pointer in ["/datos".to_owned()].into_iter().chain(keys) {
        let at = |body: &Value| body.pointer(&pointer).cloned().unwrap_or_default();
        let (want, got) = (at(want), at(got));
        if !same(&want, &got) {
            return (Place::body(pointer), brought_to(&want, &got), brought_to(&got, &want));
        }
    }
    let keys = |body: &Value| json!({ "metadata": body["metadata"] });
    (Place::BODY, keys(want), keys(got))
}

/// Of two lists of books that differ in their ids, the ids; else the value as it is.
fn brought_to(value: &Value, other: &Value) -> Value {
    let ids = |value: &Value| -> Option<Vec<Value>> {
        value.as_array()?.iter().map(|book| book.get("id").cloned()).collect()
    };
    match (ids(value), ids(other)) {
        (Some(own), Some(others)) if own != others => json!({ "ids": own }),
        _ => value.clone(),
    }
}
