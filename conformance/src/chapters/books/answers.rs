//! Whether an answer is a list, a book, or neither; and which books and fields it shows.

use crate::chapters::prelude::*;

/// Whether an answer is a list of books and not one book; the exact shape is covered by `books/list-shape`.
pub(crate) fn is_list(reply: &Reply) -> bool {
    let body = reply.json();
    reply.is(200) && (body.is_array() || body.get("datos").is_some())
}

pub(crate) fn is_book(reply: &Reply, id: u64) -> bool {
    reply.is(200) && books::id_of(reply) == Some(id)
}

/// Whether a book shows a field: not if the field is absent, nor if it is null and in the documents' table of books.
fn is_shown(book: &Value, field: &str) -> bool {
    let may_be_null = matches!(field, "titulo" | "autor" | "fechaPublicacion" | "creadoPor");
    book.get(field).is_some_and(|value| !(may_be_null && value.is_null()))
}

/// Each field that the book shows was sent or is the service's.
pub(crate) fn has_no_strange_fields(reply: &Reply, sent: &Value) -> CaseResult {
    let own = ["id", "fechaCreacion", "fechaActualizacion", "creadoPor", "actualizadoPor"];
    let book = reply.json();
    let shown = book.as_object().into_iter().flat_map(Map::keys).filter(|field| is_shown(&book, field));
    let strange = shown.filter(|field| sent.get(field.as_str()).is_none() && !own.contains(&field.as_str()));
    let strange = Vec::from_iter(strange.map(String::as_str)).join(", ");
    let want = "what was sent and the service's fields alone";
    reply.check().that(strange.is_empty(), Place::BODY, want, strange).map(drop)
}

/// The ids of books, in order; skips ids that are not whole numbers.
pub(crate) fn ids(shown: &[Value]) -> Vec<u64> {
    let id = |book: &Value| book.get("id").and_then(books::as_integer);
    shown.iter().filter_map(id).collect()
}
