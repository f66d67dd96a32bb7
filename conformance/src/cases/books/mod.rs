//! Cases of the chapter books: fields, ids, create, read, replace, delete and refused methods.

use serde_json::Value;

use crate::case::Case;
use crate::expect::{Reply, brief};

mod authorship;
mod create;
mod delete;
mod fields;
mod fresh;
mod ids;
mod methods;
mod path_id;
mod path_id_open;
mod read;
mod replace;
mod times;

/// The tables of the chapter.
pub const TABLES: &[&[Case]] = &[
    create::CASES,
    fields::CASES,
    times::CASES,
    authorship::CASES,
    ids::CASES,
    read::CASES,
    replace::CASES,
    delete::CASES,
    path_id::CASES,
    path_id_open::CASES,
    methods::CASES,
    fresh::CASES,
];

/// Whether an answer is a list of books.
pub(super) fn is_list(reply: &Reply) -> bool {
    reply.status() == 200 && reply.at("/datos").is_some_and(|datos| datos.is_array())
}

/// Whether an answer is the book of that id.
pub(super) fn is_book(reply: &Reply, id: u64) -> bool {
    reply.status() == 200 && reply.at("/id").and_then(|id| id.as_u64()) == Some(id)
}

/// Status and body of an answer, for messages.
pub(super) fn told(reply: &Reply) -> String {
    format!("{} {}", reply.status(), brief(&reply.received().text()))
}

/// The ids of books, in their order; what has no whole number as id is left out.
pub(super) fn ids(books: &[Value]) -> Vec<u64> {
    let id = |book: &Value| book.get("id").and_then(Value::as_u64);
    books.iter().filter_map(id).collect()
}
