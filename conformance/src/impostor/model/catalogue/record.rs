//! What a stored book consists of: the fields sent, the service's own times and authors.

use serde_json::{Map, Value, json};

use super::super::clock::{format, iso};
use super::super::js;
use super::Exchange;
use super::guard::Principal;

/// The fields that are stored of those sent: all of them.
pub(crate) fn keep(exchange: &Exchange<'_>, mut sent: Map<String, Value>, create: bool) -> Map<String, Value> {
    const KNOWN: [&str; 8] = [
        "id",
        "titulo",
        "autor",
        "fechaPublicacion",
        "fechaCreacion",
        "fechaActualizacion",
        "creadoPor",
        "actualizadoPor",
    ];
    let dropped = if create { "create-drops-extra-fields" } else { "replace-drops-extra-fields" };
    if exchange.on(dropped) {
        sent.retain(|name, _| KNOWN.contains(&name.as_str()));
    }
    if exchange.on("null-fields-dropped") {
        sent.retain(|_, value| !value.is_null());
    }
    for value in sent.values_mut() {
        if exchange.on("nested-fields-as-text") && (value.is_array() || value.is_object()) {
            *value = json!(js::text_of(value));
        }
        if exchange.on("booleans-stored-as-numbers") && value.is_boolean() {
            *value = json!(u8::from(js::truthy(value)));
        }
        if exchange.on("texts-stored-as-ascii")
            && let Value::String(text) = value
        {
            *text = text.chars().map(|c| if c.is_ascii() { c } else { '?' }).collect();
        }
        if exchange.on("texts-stored-trimmed")
            && let Value::String(text) = value
        {
            *text = text.trim().to_owned();
        }
    }
    sent
}

/// Now, as books carry it.
pub(crate) fn stamp(exchange: &Exchange<'_>) -> Value {
    let now = exchange.now();
    if exchange.on("book-times-without-milliseconds") {
        return json!(format(now, "%Y-%m-%dT%H:%M:%SZ"));
    }
    if exchange.on("book-times-with-offset") {
        return json!(format(now, "%Y-%m-%dT%H:%M:%S%.3f+00:00"));
    }
    if exchange.on("book-times-as-numbers") {
        return json!(now);
    }
    if exchange.on("book-times-an-hour-off") {
        return json!(iso(now + 3_600_000));
    }
    json!(iso(now))
}

/// The user's e-mail, or the client's name.
pub(crate) fn author(exchange: &Exchange<'_>, principal: &Principal, user_fault: &str, client_fault: &str) -> Value {
    match &principal.email {
        Some(_) if exchange.on(user_fault) => Value::Null,
        None if exchange.on(client_fault) => Value::Null,
        _ => json!(principal.name),
    }
}

/// What a replace makes of a stored book: the body, the id and fechaCreacion of old, when and by whom.
pub(crate) fn replaced(
    exchange: &Exchange<'_>,
    old: &Value,
    sent: Map<String, Value>,
    id: u64,
    author: Value,
) -> Value {
    let mut book = keep(exchange, sent, false);
    if exchange.on("replace-merges") {
        let mut merged = old.as_object().cloned().unwrap_or_default();
        merged.extend(book);
        book = merged;
    }
    let kept = [
        ("replace-keeps-titulo", "titulo"),
        ("replace-keeps-autor", "autor"),
        ("replace-keeps-fecha-publicacion", "fechaPublicacion"),
    ];
    for (_, name) in kept.into_iter().filter(|(fault, _)| exchange.on(fault)) {
        if let (None, Some(value)) = (book.get(name), old.get(name)) {
            book.insert(name.to_owned(), value.clone());
        }
    }
    if !(exchange.on("replace-takes-sent-id") && book.contains_key("id")) {
        book.insert("id".to_owned(), json!(id));
    }
    if exchange.reads("replace-keeps-creado-por") && !book.contains_key("creadoPor") {
        book.insert("creadoPor".to_owned(), old["creadoPor"].clone());
    }
    let taken = exchange.on("replace-takes-sent-fecha-creacion") && book.contains_key("fechaCreacion");
    if exchange.on("replace-renews-fecha-creacion") {
        book.insert("fechaCreacion".to_owned(), stamp(exchange));
    } else if !taken {
        match old.get("fechaCreacion").filter(|_| !exchange.on("replace-drops-fecha-creacion")) {
            // A sent one is overwritten where it stands.
            Some(created) => _ = book.insert("fechaCreacion".to_owned(), created.clone()),
            None => _ = book.shift_remove("fechaCreacion"),
        }
    }
    let taken = exchange.on("replace-takes-sent-fecha-actualizacion") && book.contains_key("fechaActualizacion");
    if exchange.on("fecha-actualizacion-is-fecha-creacion") {
        book.insert("fechaActualizacion".to_owned(), old["fechaCreacion"].clone());
    } else if !taken && !exchange.on("replace-lacks-fecha-actualizacion") {
        book.insert("fechaActualizacion".to_owned(), stamp(exchange));
    }
    if !(exchange.on("replace-takes-sent-actualizado-por") && book.contains_key("actualizadoPor")) {
        let author = if exchange.on("actualizado-por-is-creado-por") { old["creadoPor"].clone() } else { author };
        book.insert("actualizadoPor".to_owned(), author);
    }
    in_own_order(exchange, Value::Object(book))
}

/// The book with its fields in the order of their names, where a permitted reading has it so.
pub(crate) fn in_own_order(exchange: &Exchange<'_>, mut book: Value) -> Value {
    if exchange.reads("book-fields-sorted") {
        book.sort_all_objects();
    }
    book
}
