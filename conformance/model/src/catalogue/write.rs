//! Creating, replacing and deleting a book.

use serde_json::{Map, Value, json};

use super::body::fields;
use super::failure::{Failure, Outcome};
use super::principal::Principal;
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

/// titulo and autor must be there, and not empty.
///
/// # Errors
/// 400 when one is not.
fn check_required(cx: &RequestContext<'_>, sent: &Map<String, Value>) -> Result<(), Failure> {
    let are_given = ["titulo", "autor"].into_iter().all(|name| (cx.steps.books.is_given)(name, sent.get(name)));
    if are_given { Ok(()) } else { Err(Failure::bad("titulo and autor are required")) }
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
