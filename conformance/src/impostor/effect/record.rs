//! The record of a book, changed once the model has written it. Changes nothing itself.

use libros_conformance_model::message::{Reply, Request};
use libros_conformance_model::state::State;
use serde_json::{Map, Value};

use super::catalogue::{id_of, of_books};
use crate::impostor::world::{Answer, Shared};

pub(crate) type Record = Map<String, Value>;

pub(crate) type RecordChange = fn(&mut Record, &Write<'_>);

pub(crate) struct Write<'a> {
    pub(crate) sent: &'a Record,
    /// The book replaced; null on create.
    pub(crate) old: &'a Value,
    /// Whether a user wrote, rather than an API client.
    pub(crate) by_user: bool,
    pub(crate) now: i64,
    pub(crate) time_field: &'static str,
}

/// Answers, and changes the written book, in the state and in the reply.
pub(crate) fn change_record(state: &mut Shared, request: &Request, answer: &Answer<'_>, change: RecordChange) -> Reply {
    let old = id_of(request).and_then(|id| state.place(id)).map(|place| state.books[place].clone());
    let mut reply = answer(state, request);
    if !of_books(request) || !matches!(reply.status, 200 | 201) {
        return reply;
    }
    let id = reply.json_body()["id"].clone();
    if let Some(book) = state.books.iter_mut().find(|book| book["id"] == id) {
        let sent = request.json_body().as_object().cloned().unwrap_or_default();
        let write = Write {
            sent: &sent,
            old: &old.unwrap_or_default(),
            by_user: request.header("x-api-key").is_none_or(|key| key.is_empty()),
            now: request.now,
            time_field: if request.method == "POST" { "fechaCreacion" } else { "fechaActualizacion" },
        };
        book.as_object_mut().into_iter().for_each(|record| change(record, &write));
        reply.edit(|shown| *shown = book.clone());
    }
    reply
}

pub(crate) fn sort_fields(state: &mut State) {
    state.books.iter_mut().for_each(Value::sort_all_objects);
}

/// Sorts the fields of the written book, in the state and in the reply.
pub(crate) fn show_sorted(state: &mut Shared, request: &Request, reply: &mut Reply) {
    if of_books(request) && matches!(request.method.as_str(), "POST" | "PUT") && reply.status < 300 {
        reply.edit(Value::sort_all_objects);
        sort_fields(state);
    }
}

pub(crate) fn add_nulls(book: &mut Record, names: &[&str]) {
    for name in names {
        book.entry(*name).or_insert(Value::Null);
    }
}

pub(crate) fn set(book: &mut Record, name: &str, value: impl Into<Value>) {
    book.insert(name.to_owned(), value.into());
}
