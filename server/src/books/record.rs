//! What a book is made of: the fields a client sends and those the service sets. Pure.
//!
//! Source: catalogue-service, "Book".

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::accounts::principal::Principal;
use crate::response::failure::Failure;
use libros_server_query::json::{self, Transcript};
use libros_server_query::{Book, BookText, is_truthy};
use libros_server_system::clock::Timestamp;

/// The largest id, 2^53 - 1: JavaScript counts no further without gaps.
const ID_MAX: u64 = 9_007_199_254_740_991;

/// A book of a file or of the store, which may lack an id.
#[derive(Debug)]
pub(super) enum Written {
    Numbered(Arc<Book>),
    Unnumbered(BookText),
}

/// Refuses a new book without title or author. Fails with [`Failure::TituloMissing`], [`Failure::AutorMissing`].
pub(super) fn check_required(sent: &Map<String, Value>) -> Result<(), Failure> {
    // A title that is not a string counts unless JavaScript takes it for false.
    // rule: errors/key-case, books/required-other-type, books/required-blank, books/titulo-required, books/titulo-non-empty
    if !sent.get("titulo").is_some_and(is_truthy) {
        return Err(Failure::TituloMissing);
    }
    // rule: books/autor-required, books/autor-non-empty
    if !sent.get("autor").is_some_and(is_truthy) {
        return Err(Failure::AutorMissing);
    }
    Ok(())
}

/// The book that a create stores: the fields sent, then those of the service, which replace fields of the same name.
pub(super) fn created(mut fields: Map<String, Value>, id: u64, now: Timestamp, principal: &Principal) -> Arc<Book> {
    // rule: books/service-fields-win-on-create
    fields.insert("id".to_owned(), id.into());
    // rule: books/fecha-creacion-set, books/timestamp-form, books/timestamp-zone
    fields.insert("fechaCreacion".to_owned(), now.iso().into());
    // rule: books/creado-por-user, books/creado-por-client
    fields.insert("creadoPor".to_owned(), principal.author().into());
    // rule: books/extra-fields-on-create, books/extra-fields-any-json, books/number-precision
    // rule: books/fecha-publicacion-optional, books/fecha-publicacion-absent, books/fecha-publicacion-form
    // rule: books/update-fields-of-new-book, books/update-fields-sent-on-create
    Arc::new(Book::new(id, &fields))
}

/// The book that a replace stores: the fields sent, and what the service keeps or sets.
pub(super) fn replaced(
    mut fields: Map<String, Value>,
    original: &Book,
    now: Timestamp,
    principal: &Principal,
) -> Arc<Book> {
    // rule: books/service-fields-win-on-replace
    fields.insert("id".to_owned(), original.id().into());
    let creation = original.field_json("fechaCreacion").and_then(|text| json::parse(text.as_bytes()).ok());
    let created_at = creation.as_ref().and_then(Value::as_str).and_then(Timestamp::from_iso);
    match creation {
        // rule: books/fecha-creacion-preserved
        Some(creation) => fields.insert("fechaCreacion".to_owned(), creation),
        None => fields.shift_remove("fechaCreacion"),
    };
    // A clock set back must not date a replace before the creation.
    // rule: books/fecha-actualizacion-set
    let updated_at = created_at.map_or(now, |created_at| created_at.max(now));
    fields.insert("fechaActualizacion".to_owned(), updated_at.iso().into());
    // rule: books/actualizado-por-user, books/actualizado-por-client
    fields.insert("actualizadoPor".to_owned(), principal.author().into());
    // Nothing else of the original stays, creadoPor included.
    // rule: books/replace-is-full, books/extra-fields-on-replace, books/creado-por-after-replace, books/creado-por-sent-on-replace
    Arc::new(Book::new(original.id(), &fields))
}

/// The id of a new book, given the highest one in use. Fails when none is left.
pub(super) fn next_id(highest: Option<u64>) -> Result<u64, Failure> {
    // rule: books/id-next, books/id-reused, books/id-first
    let id = highest.unwrap_or(0) + 1;
    if id > ID_MAX {
        return Err(Failure::BooksBroken("the highest id has been given: no further book can have one".to_owned()));
    }
    Ok(id)
}

/// Reads a book of a file or of the store, with a reused buffer. Fails if it is not a JSON object, or its id cannot be used.
pub(super) fn read(written: &[u8], buffer: &mut Transcript) -> Result<Written, String> {
    // Copies most texts without parsing them into values.
    let transcribed = std::str::from_utf8(written).ok().and_then(|text| BookText::transcribed(text, buffer));
    let text = match transcribed {
        Some(text) => text,
        None => match json::parse(written).map_err(|error| error.to_string())? {
            Value::Object(fields) => BookText::of(&fields),
            _ => return Err("not a JSON object".to_owned()),
        },
    };
    let Some(id) = text.field_json("id") else { return Ok(Written::Unnumbered(text)) };
    // `JSON.stringify` writes each of these numbers in digits alone.
    let id = id.parse().ok().filter(|id| (1..=ID_MAX).contains(id));
    let id = id.ok_or("the id is not a whole number from 1 to 2^53 - 1")?;
    Ok(Written::Numbered(Arc::new(Book::with_text(id, text))))
}

/// Reads a stored book, with a reused buffer. Fails if the document is not a book, or its id is not the key.
pub(super) fn from_stored(key: &str, doc: &str, buffer: &mut Transcript) -> Result<Arc<Book>, String> {
    match read(doc.as_bytes(), buffer)? {
        Written::Numbered(book) if key.parse() == Ok(book.id()) => Ok(book),
        _ => Err("the id of a stored book is missing, or is not its key".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const NOW: Timestamp = Timestamp(1_767_323_045_678);

    fn fields(value: &Value) -> Map<String, Value> {
        value.as_object().cloned().expect("a JSON object")
    }

    fn ana() -> Principal {
        Principal::User("ana@biblioteca.example".to_owned())
    }

    #[test]
    fn a_replace_is_never_dated_before_the_creation() {
        let original = created(Map::new(), 7, NOW, &ana());
        let replaced = replaced(Map::new(), &original, NOW.plus_ms(-5000), &ana());
        assert_eq!(replaced.field_json("fechaActualizacion"), Some(r#""2026-01-02T03:04:05.678Z""#));
    }

    #[test]
    fn ids_count_up_to_the_last_that_javascript_can_tell_apart() {
        assert_eq!(next_id(None), Ok(1));
        assert_eq!(next_id(Some(ID_MAX - 1)), Ok(ID_MAX));
        assert!(next_id(Some(ID_MAX)).is_err());
    }

    #[test]
    fn stored_rows_read_back_or_say_why_not() {
        let sent = json!({ "titulo": "á\u{1}", "n": 1e21 });
        let (key, doc) = ("7", created(fields(&sent), 7, NOW, &ana()).text().to_owned());
        let read = from_stored(key, &doc, &mut Transcript::default()).expect("a book");
        assert_eq!(read.text(), doc);
        for (key, doc) in [("7", "[]"), ("7", "{"), ("7", "{}"), ("7", r#"{"id":8}"#), ("x", r#"{"id":7}"#)] {
            assert!(from_stored(key, doc, &mut Transcript::default()).is_err(), "{key} {doc}");
        }
    }
}
