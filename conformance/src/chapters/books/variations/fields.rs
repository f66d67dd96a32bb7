//! Variations of the chapter books: the fields that are sent, and how they are kept.

use libros_conformance_model::book::is_given;
use libros_conformance_model::list::value::iso_date;

use crate::impostor::effect::prelude::*;

pub(crate) const VARIATIONS: &[Variation] = variations! {
    "titulo-not-required" breaks "books/titulo-required": "A book may be created without titulo."
        => steps |s| s.books.is_given = |name, value| name == "titulo" && value.is_none() || is_given(name, value);
    "titulo-may-be-empty" breaks "books/titulo-non-empty": "titulo may be the empty text."
        => steps |s| s.books.is_given = |name, value| name == "titulo" && value.is_some_and(|value| value == "") || is_given(name, value);
    "titulo-may-be-null" breaks "books/titulo-non-empty": "titulo may be null."
        => steps |s| s.books.is_given = |name, value| name == "titulo" && value.is_some_and(Value::is_null) || is_given(name, value);
    "autor-not-required" breaks "books/autor-required": "A book may be created without autor."
        => steps |s| s.books.is_given = |name, value| name == "autor" && value.is_none() || is_given(name, value);
    "autor-may-be-empty" breaks "books/autor-non-empty": "autor may be the empty text."
        => steps |s| s.books.is_given = |name, value| name == "autor" && value.is_some_and(|value| value == "") || is_given(name, value);
    "autor-may-be-null" breaks "books/autor-non-empty": "autor may be null."
        => steps |s| s.books.is_given = |name, value| name == "autor" && value.is_some_and(Value::is_null) || is_given(name, value);
    "zero-is-an-empty-text" breaks "books/create-status": "The text 0 counts as an empty titulo or autor."
        => steps |s| s.books.is_given = |name, value| is_given(name, value) && value.is_none_or(|value| value != "0");
    "fecha-publicacion-required" breaks "books/fecha-publicacion-optional": "A create without fechaPublicacion answers 400."
        => request |request| if request.method == "POST" && of_books(request) && request.json_body().get("fechaPublicacion").is_none() { spoil_body(request) };
    "new-book-lacks-fecha-publicacion" breaks "books/fecha-publicacion-optional": "fechaPublicacion is dropped on create."
        => created |book, _write| _ = book.shift_remove("fechaPublicacion");
    "create-drops-extra-fields" breaks "books/extra-fields-on-create": "A create drops fields of other names."
        => created |book, _write| drop_extra_fields(book);
    "create-normalizes-line-ends" breaks "books/extra-fields-on-create": "A create turns every CRLF in a text into LF."
        => request |request| if request.method == "POST" && of_books(request) {
            request.body = String::from_utf8_lossy(&request.body).replace("\\r\\n", "\\n").into_bytes();
        };
    "replace-drops-extra-fields" breaks "books/extra-fields-on-replace": "A replace drops fields of other names."
        => replaced |book, _write| drop_extra_fields(book);
    "null-fields-dropped" breaks "books/extra-fields-any-json": "A book loses the fields sent as null."
        => written |book, _write| book.retain(|_, value| !value.is_null());
    "nested-fields-as-text" breaks "books/extra-fields-any-json": "Lists and objects in a book are stored as texts."
        => written |book, write| change_sent(book, write, |value| {
            if value.is_array() || value.is_object() {
                *value = json!(js::text_of(value));
            }
        });
    "booleans-stored-as-numbers" breaks "books/extra-fields-any-json": "Booleans in a book are stored as 1 and 0."
        => written |book, write| change_sent(book, write, |value| {
            if let Value::Bool(yes) = value {
                *value = json!(u8::from(*yes));
            }
        });
    "booleans-in-lists-stored-as-numbers" breaks "books/extra-fields-any-json": "Booleans in a list of a book are stored as 1 and 0."
        => written |book, write| change_sent(book, write, |value| {
            for item in value.as_array_mut().into_iter().flatten().filter(|item| item.is_boolean()) {
                *item = json!(u8::from(*item == true));
            }
        });
    "texts-stored-as-ascii" breaks "books/extra-fields-any-json": "Characters of a book beyond ASCII are stored as question marks."
        => written |book, write| change_sent(book, write, |value| {
            if let Value::String(text) = value {
                *text = text.chars().map(|c| if c.is_ascii() { c } else { '?' }).collect();
            }
        });
    "bodies-decoded-in-pieces" breaks "books/extra-fields-any-json": "A letter of a body whose bytes arrive in two pieces is lost."
        => request |request| decode_in_pieces(request);
    "texts-stored-trimmed" breaks "books/extra-fields-on-create": "Texts of a book are stored without surrounding spaces."
        => written |book, write| change_sent(book, write, |value| {
            if let Value::String(text) = value {
                *text = text.trim().to_owned();
            }
        });
    "book-fields-sorted" by silence: "A book shows its fields in the order of their names."
        => start |state| sort_fields(state)
        => after |state, request, reply| show_sorted(state, request, reply);
    "absent-fecha-publicacion-is-null" by "books/fecha-publicacion-absent": "fechaPublicacion of a book created without it is null; a replace does so with titulo, autor and creadoPor too."
        => created |book, _write| add_nulls(book, &["fechaPublicacion"])
        => replaced |book, _write| add_nulls(book, &["titulo", "autor", "fechaPublicacion", "creadoPor"]);
    "fecha-publicacion-checked" by "books/fecha-publicacion-form": "fechaPublicacion must be a date."
        => request |request| if of_books(request) && !has_date(request) { request.body = b"{".to_vec() };
    "required-converted" by "books/required-other-type": "A titulo or autor that is a number or a boolean is stored as its text."
        => request |request| if of_books(request) && request.method == "POST" { request.edit(|sent| ["titulo", "autor"].iter().for_each(|name| spell_out(sent, name))) };
    "fecha-publicacion-converted" by "books/fecha-publicacion-form": "A fechaPublicacion that is a number is stored as its text."
        => request |request| if of_books(request) { request.edit(|sent| spell_out(sent, "fechaPublicacion")) };
    "required-falsy-accepted" by "books/required-other-type": "titulo and autor may be of any type other than string, also 0 or false."
        => steps |s| s.books.is_given = |name, value| value.is_some_and(is_of_other_type) || is_given(name, value);
    "required-false-refused" by "books/required-other-type": "titulo and autor may be of any type other than string, except false."
        => steps |s| s.books.is_given =
            |name, value| value.is_some_and(|value| is_of_other_type(value) && *value != false) || is_given(name, value);
    "required-texts-only" by "books/required-other-type": "titulo and autor must be strings."
        => steps |s| s.books.is_given =
            |name, value| !value.is_some_and(is_of_other_type) && is_given(name, value);
    "required-trimmed" by "books/required-blank": "A create with a titulo or autor of only spaces is refused."
        => request |request| if of_books(request) && request.method == "POST" { request.edit(|sent| ["titulo", "autor"].iter().for_each(|name| empty_if_blank(sent, name))) };
    // Gson, ToNumberPolicy.DOUBLE, the default: a number whose type is Object is a Double, and written so.
    "whole-numbers-with-decimals" by silence: "Answers of the book interface write whole numbers with decimals."
        => reply |request, reply| if of_books(request) && reply.status < 300 { spell_as_doubles(reply) };
};

/// Whether fechaPublicacion is absent or a day.
fn has_date(request: &Request) -> bool {
    let is_day = |value: &Value| value.as_str().is_some_and(|text| text.len() == 10 && iso_date(text).is_some());
    request.json_body().get("fechaPublicacion").is_none_or(is_day)
}

/// Replaces a number, a boolean, a list or an object by its text.
fn spell_out(sent: &mut Value, name: &str) {
    if let Some(value) = sent.get_mut(name).filter(|value| !value.is_string() && !value.is_null()) {
        *value = json!(value.to_string());
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

/// Leaves answers with an ETag alone: the tag covers their text.
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

fn decode_in_pieces(request: &mut Request) {
    let mut text = String::new();
    let mut from = 0;
    for to in request.seams.iter().copied().chain([request.body.len()]) {
        text.push_str(&String::from_utf8_lossy(&request.body[from..to]));
        from = to;
    }
    request.body = text.into_bytes();
}

/// The fields that the documents name.
const NAMED: [&str; 8] =
    ["id", "titulo", "autor", "fechaPublicacion", "fechaCreacion", "fechaActualizacion", "creadoPor", "actualizadoPor"];

fn drop_extra_fields(book: &mut Record) {
    book.retain(|name, _| NAMED.contains(&name.as_str()));
}

/// Changes the values that the client sent, not those that the service sets.
fn change_sent(book: &mut Record, write: &Write<'_>, change: fn(&mut Value)) {
    for (name, value) in book {
        if write.sent.get(name) == Some(value) {
            change(value);
        }
    }
}
