//! Changes that a fault makes to the record of a book before it is stored. Declares no fault.

use libros_conformance_model::js;
use serde_json::{Value, json};

use crate::impostor::effect::prelude::*;

/// The fields that the documents name.
const NAMED: [&str; 8] =
    ["id", "titulo", "autor", "fechaPublicacion", "fechaCreacion", "fechaActualizacion", "creadoPor", "actualizadoPor"];

pub(crate) fn set(book: &mut Record, name: &str, value: impl Into<Value>) {
    book.insert(name.to_owned(), value.into());
}

pub(crate) fn take_sent(book: &mut Record, write: &Write<'_>, name: &str) {
    if let Some(sent) = write.sent.get(name) {
        set(book, name, sent.clone());
    }
}

/// As a service does that reads a time and writes it in a form of its own.
pub(crate) fn take_sent_time(book: &mut Record, write: &Write<'_>, name: &str) {
    if let Some(Value::String(time)) = write.sent.get(name) {
        set(book, name, time.replace('Z', "+00:00"));
    }
}

pub(crate) fn keep_old(book: &mut Record, write: &Write<'_>, name: &str) {
    if let (None, Some(old)) = (write.sent.get(name), write.old.get(name)) {
        set(book, name, old.clone());
    }
}

pub(crate) fn merge_with_old(book: &mut Record, write: &Write<'_>) {
    let mut merged = write.old.as_object().cloned().unwrap_or_default();
    merged.append(book);
    *book = merged;
}

pub(crate) fn forget_author(book: &mut Record, name: &str, forget: bool) {
    if forget {
        set(book, name, Value::Null);
    }
}

pub(crate) fn drop_extra_fields(book: &mut Record, _: &Write<'_>) {
    book.retain(|name, _| NAMED.contains(&name.as_str()));
}

/// Changes the values that were sent, not those that the service sets.
pub(crate) fn change_sent(book: &mut Record, write: &Write<'_>, change: fn(&mut Value)) {
    for (name, value) in book {
        if write.sent.get(name) == Some(value) {
            change(value);
        }
    }
}

pub(crate) fn nested_as_text(value: &mut Value) {
    if value.is_array() || value.is_object() {
        *value = json!(js::text_of(value));
    }
}

pub(crate) fn booleans_as_numbers(value: &mut Value) {
    if let Value::Bool(yes) = value {
        *value = json!(u8::from(*yes));
    }
}

pub(crate) fn texts_as_ascii(value: &mut Value) {
    if let Value::String(text) = value {
        *text = text.chars().map(|c| if c.is_ascii() { c } else { '?' }).collect();
    }
}

pub(crate) fn texts_trimmed(value: &mut Value) {
    if let Value::String(text) = value {
        *text = text.trim().to_owned();
    }
}

pub(crate) fn number_from_0(books: &mut [Value]) {
    for (number, book) in books.iter_mut().enumerate() {
        book["id"] = number.into();
    }
}

pub(crate) fn keep_creado_por(book: &mut Record, write: &Write<'_>) {
    book.entry("creadoPor").or_insert(write.old["creadoPor"].clone());
}
