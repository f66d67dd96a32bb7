//! Permitted readings other than the reference's: how books are created, read, replaced, deleted and kept.

use libros_conformance_model::catalogue::book_fields::is_given;
use libros_conformance_model::clock::format;
use libros_conformance_model::list::value::iso_date;
use serde_json::{Value, json};

use crate::impostor::effect::prelude::*;

pub(crate) const READINGS: &[Variation] = variations! {
    "body-before-lookup" by "books/replace-lookup-before-body": "The body of a replace is looked at before the book."
        => reply |request, reply| if of_books(request) && request.method == "PUT" && reply.status == 404 && !request.json_body().is_object() { refuse(reply, 400, "the body must be a JSON object") };
    "book-fields-sorted" by silence: "A book shows its fields in the order of their names."
        => start |state| sort_fields(state)
        => after |held, request, reply| show_sorted(held, request, reply);
    "absent-fecha-publicacion-is-null" by "books/fecha-publicacion-absent": "Without fechaPublicacion a book has it as null; a replaced one titulo, autor and creadoPor too."
        => created |book, _write| add_nulls(book, &["fechaPublicacion"])
        => replaced |book, _write| add_nulls(book, &["titulo", "autor", "fechaPublicacion", "creadoPor"]);
    "fecha-publicacion-checked" by "books/fecha-publicacion-form": "fechaPublicacion must be a date."
        => request |request| if of_books(request) && !has_date(request) { request.body = b"{".to_vec() };
    "head-is-get" by "books/head": "HEAD is GET without the body."
        => request |request| if of_books(request) && request.method == "HEAD" { request.method = "GET".to_owned() };
    "id-digits-only" by "books/path-id-trailing-text": "A segment with anything but digits is no id."
        => request |request| respell_id(request, |id| (!id.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit())).then(|| "none".to_owned()));
    "id-in-hex" by "books/path-id-trailing-text": "A segment in hexadecimal form is read as such."
        => request |request| respell_id(request, |id| Some(u64::from_str_radix(id.strip_prefix("0x")?, 16).ok()?.to_string()));
    "huge-id-is-no-id" by "books/path-id-width": "An id of many digits counts as no id."
        => request |request| respell_id(request, |id| is_wide(id).then(|| "none".to_owned()));
    "initial-books-bare" by "books/initial-content": "The initial books have a titulo and an autor only."
        => start |state| bare_books(&mut state.books);
    "book-times-end-in-offset-zero" by "books/timestamp-zone": "Times of books end in +00:00 instead of Z."
        => written |book, write| name_utc_by_offset(book, write);
    "listed-newest-first" by "books/collection-order": "A list without sort shows the newest book first."
        => around |held, request, answer| list_newest_first(held, request, answer);
    "new-book-has-update-fields" by "books/update-fields-of-new-book": "A new book has fechaActualizacion and actualizadoPor."
        => created |book, write| add_update_fields(book, write);
    "new-book-has-null-update-fields" by "books/update-fields-of-new-book": "A new book has fechaActualizacion and actualizadoPor as null."
        => created |book, _write| add_nulls(book, &UPDATE_FIELDS);
    "new-book-updated-by-its-creator" by "books/update-fields-of-new-book": "A new book was updated when and by whom it was created."
        => created |book, write| add_update_fields_of_creator(book, write);
    "replace-drops-sent-creado-por" by "books/creado-por-sent-on-replace": "A creadoPor sent with a replace is dropped."
        => replaced |book, _write| _ = book.shift_remove("creadoPor");
    "replace-sets-creado-por-sent" by "books/creado-por-sent-on-replace": "A creadoPor sent with a replace becomes who replaces."
        => replaced |book, write| if write.sent.contains_key("creadoPor") {
            book.insert("creadoPor".to_owned(), book.get("actualizadoPor").cloned().unwrap_or_default());
        };
    "required-converted" by "books/required-other-type": "A titulo or autor that is a number or a boolean is stored as its text."
        => request |request| if of_books(request) && request.method == "POST" { request.edit(|sent| ["titulo", "autor"].iter().for_each(|name| spell_out(sent, name))) };
    "fecha-publicacion-converted" by "books/fecha-publicacion-form": "A fechaPublicacion that is a number is stored as its text."
        => request |request| if of_books(request) { request.edit(|sent| spell_out(sent, "fechaPublicacion")) };
    "replaced-moves-to-end" by "books/collection-order": "A replaced book moves to the end."
        => after |held, request, reply| if of_books(request) && request.method == "PUT" && reply.status == 200 { move_to_end(held, request) };
    "required-falsy-accepted" by "books/required-other-type": "titulo and autor may be 0 or false."
        => steps |s| s.books.is_given = |name, value| value.is_some_and(is_of_other_type) || is_given(name, value);
    "required-false-refused" by "books/required-other-type": "titulo and autor may be of another type than string, but not false."
        => steps |s| s.books.is_given =
            |name, value| value.is_some_and(|value| is_of_other_type(value) && *value != false) || is_given(name, value);
    "required-texts-only" by "books/required-other-type": "titulo and autor must be strings."
        => steps |s| s.books.is_given =
            |name, value| !value.is_some_and(is_of_other_type) && is_given(name, value);
    "required-trimmed" by "books/required-blank": "titulo and autor must hold more than spaces."
        => request |request| if of_books(request) && request.method == "POST" { request.edit(|sent| ["titulo", "autor"].iter().for_each(|name| empty_if_blank(sent, name))) };
    "update-fields-null-on-create" by "books/update-fields-sent-on-create": "fechaActualizacion and actualizadoPor sent on create are null."
        => created |book, write| {
            drop_sent_update_fields(book, write);
            add_nulls(book, &UPDATE_FIELDS);
        };
    "update-fields-set-on-create" by "books/update-fields-sent-on-create": "fechaActualizacion and actualizadoPor sent on create are those of the creation."
        => created |book, write| {
            drop_sent_update_fields(book, write);
            add_update_fields_of_creator(book, write);
        };
    "update-fields-dropped-on-create" by "books/update-fields-sent-on-create": "fechaActualizacion and actualizadoPor sent on create are dropped."
        => created |book, write| drop_sent_update_fields(book, write);
    // Gson, ToNumberPolicy.DOUBLE, the default: a number whose type is Object is a Double, and written so.
    "whole-numbers-with-decimals" by silence: "Whole numbers among the fields of a book that was written have decimals."
        => reply |request, reply| if of_books(request) && reply.status < 300 { spell_as_doubles(reply) };
};

/// The fields that a replace sets.
const UPDATE_FIELDS: [&str; 2] = ["fechaActualizacion", "actualizadoPor"];

fn bare_books(books: &mut [Value]) {
    for book in books.iter_mut().filter_map(Value::as_object_mut) {
        book.retain(|name, _| matches!(name.as_str(), "id" | "titulo" | "autor"));
    }
}

fn add_update_fields(book: &mut Record, _: &Write<'_>) {
    book.entry("actualizadoPor").or_insert(Value::Null);
    let created = book.get("fechaCreacion").cloned().unwrap_or_default();
    book.entry("fechaActualizacion").or_insert(created);
}

fn add_update_fields_of_creator(book: &mut Record, write: &Write<'_>) {
    let creator = book.get("creadoPor").cloned().unwrap_or_default();
    book.entry("actualizadoPor").or_insert(creator);
    add_update_fields(book, write);
}

fn add_nulls(book: &mut Record, names: &[&str]) {
    for name in names {
        book.entry(*name).or_insert(Value::Null);
    }
}

fn drop_sent_update_fields(book: &mut Record, write: &Write<'_>) {
    book.retain(|name, _| !(UPDATE_FIELDS.contains(&name.as_str()) && write.sent.contains_key(name)));
}

fn name_utc_by_offset(book: &mut Record, write: &Write<'_>) {
    let time = format(write.now, "%Y-%m-%dT%H:%M:%S%.3f+00:00");
    book.insert(write.time_field.to_owned(), time.into());
}

/// Whether these are more digits than 32 bits hold.
fn is_wide(id: &str) -> bool {
    id.bytes().all(|byte| byte.is_ascii_digit()) && id.parse::<i32>().is_err()
}

/// Puts its text in the place of a number, a boolean, a list or an object.
fn spell_out(sent: &mut Value, name: &str) {
    if let Some(value) = sent.get_mut(name).filter(|value| !value.is_string() && !value.is_null()) {
        *value = json!(value.to_string());
    }
}

/// What shows an ETag is left alone: it was made of the text.
fn spell_as_doubles(reply: &mut Reply) {
    if reply.has("ETag") || reply.body.is_empty() {
        return;
    }
    let mut book = reply.json_body();
    for (_, field) in book.as_object_mut().into_iter().flatten().filter(|(name, _)| *name != "id") {
        if let Some(whole) = field.as_i64() {
            *field = Value::from(whole as f64);
        }
    }
    if book.is_object() {
        reply.body = book.to_string().into_bytes();
    }
}

/// Whether a value is neither null nor a string.
fn is_of_other_type(value: &Value) -> bool {
    !value.is_null() && !value.is_string()
}

fn empty_if_blank(sent: &mut Value, name: &str) {
    if sent[name].as_str().is_some_and(|text| text.trim().is_empty()) {
        sent[name] = json!("");
    }
}

/// Whether what is sent as fechaPublicacion, if it is, is a day.
fn has_date(request: &Request) -> bool {
    let is_day = |value: &Value| value.as_str().is_some_and(|text| text.len() == 10 && iso_date(text).is_some());
    request.json_body().get("fechaPublicacion").is_none_or(is_day)
}

fn list_newest_first(held: &mut Held, request: &Request, answer: &Answer<'_>) -> Reply {
    let is_list = of_books(request) && request.method == "GET" && !names_id(request);
    if !is_list {
        return answer(held, request);
    }
    held.books.reverse();
    let reply = answer(held, request);
    held.books.reverse();
    reply
}

fn move_to_end(held: &mut Held, request: &Request) {
    if let Some(at) = id_of(request).and_then(|id| held.place(id)) {
        let book = held.books.remove(at);
        held.books.push(book);
    }
}
