//! What a stored book consists of: the fields sent, and what the service sets itself.

use serde_json::{Map, Value, json};

use super::super::clock::iso;
use super::principal::Principal;
use super::request_context::RequestContext;
use crate::impostor::policy::Write;

/// A new book: the fields sent, its id, fechaCreacion and creadoPor.
pub(crate) fn created(cx: &RequestContext<'_>, sent: &Map<String, Value>, id: u64, principal: &Principal) -> Value {
    let write = Write {
        sent,
        old: &Value::Null,
        by_user: principal.email.is_some(),
        now: cx.now(),
        time_field: "fechaCreacion",
    };
    let mut book = sent.clone();
    book.insert("id".to_owned(), json!(id));
    book.insert("fechaCreacion".to_owned(), json!(iso(write.now)));
    book.insert("creadoPor".to_owned(), json!(principal.name));
    cx.policy().books.create.changes.iter().for_each(|change| change(&mut book, &write));
    in_own_order(cx, book)
}

/// A replaced book: the fields sent, its id and fechaCreacion, fechaActualizacion and actualizadoPor.
pub(crate) fn replaced(
    cx: &RequestContext<'_>,
    old: &Value,
    sent: &Map<String, Value>,
    principal: &Principal,
) -> Value {
    let write =
        Write { sent, old, by_user: principal.email.is_some(), now: cx.now(), time_field: "fechaActualizacion" };
    let mut book = sent.clone();
    book.insert("id".to_owned(), old["id"].clone());
    match old.get("fechaCreacion") {
        Some(created) => _ = book.insert("fechaCreacion".to_owned(), created.clone()),
        None => _ = book.shift_remove("fechaCreacion"),
    }
    book.insert("fechaActualizacion".to_owned(), json!(iso(write.now)));
    book.insert("actualizadoPor".to_owned(), json!(principal.name));
    cx.policy().books.replace.changes.iter().for_each(|change| change(&mut book, &write));
    in_own_order(cx, book)
}

fn in_own_order(cx: &RequestContext<'_>, book: Map<String, Value>) -> Value {
    let mut book = Value::Object(book);
    if cx.policy().books.fields_by_name {
        book.sort_all_objects();
    }
    book
}
