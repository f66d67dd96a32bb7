//! Creating, replacing and deleting a book.

use serde_json::json;

use super::body::fields;
use super::book_fields::check_required;
use super::failure::{Failure, Outcome};
use super::guard::Principal;
use super::request_context::RequestContext;
use crate::clock::iso;

/// POST /libros: the fields sent, and those that the service sets, at the end of the collection.
pub(crate) fn create(cx: &mut RequestContext<'_>, principal: &Principal) -> Outcome {
    let mut book = fields(cx)?;
    check_required(cx, &book)?;
    let ids: Vec<u64> = cx.state.books.iter().filter_map(|book| book["id"].as_f64()).map(|id| id as u64).collect();
    book.insert("id".to_owned(), json!((cx.steps.books.next_id)(&ids)));
    book.insert("fechaCreacion".to_owned(), json!(iso(cx.now())));
    book.insert("creadoPor".to_owned(), json!(principal.name));
    cx.state.books.push(book.clone().into());
    Ok(cx.reply(201).body(&book.into()).build())
}

/// PUT /libros/<id>: the fields sent, and those that the service sets; id and fechaCreacion stay.
pub(crate) fn replace(cx: &mut RequestContext<'_>, id: f64, principal: &Principal) -> Outcome {
    let at = cx.state.place(id).ok_or_else(Failure::unknown_book)?;
    let mut book = fields(cx)?;
    let old = &cx.state.books[at];
    book.insert("id".to_owned(), old["id"].clone());
    match old.get("fechaCreacion") {
        Some(created) => _ = book.insert("fechaCreacion".to_owned(), created.clone()),
        None => _ = book.shift_remove("fechaCreacion"),
    }
    book.insert("fechaActualizacion".to_owned(), json!(iso(cx.now())));
    book.insert("actualizadoPor".to_owned(), json!(principal.name));
    cx.state.books[at] = book.clone().into();
    Ok(cx.reply(200).body(&book.into()).build())
}

/// DELETE /libros/<id>
pub(crate) fn delete(cx: &mut RequestContext<'_>, id: f64) -> Outcome {
    let at = cx.state.place(id).ok_or_else(Failure::unknown_book)?;
    cx.state.books.remove(at);
    Ok(cx.reply(204).build())
}

/// The id of a new book: the highest existing id plus 1; 1 when there is none.
pub fn next_id(ids: &[u64]) -> u64 {
    ids.iter().max().map_or(1, |highest| highest + 1)
}
