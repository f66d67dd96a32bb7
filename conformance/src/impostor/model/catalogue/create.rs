//! Creating a book: what is required, which id it gets, what the service adds.

use serde_json::{Map, Value, json};

use super::super::js;
use super::super::list::value::iso_date;
use super::body::fields;
use super::books::known;
use super::failure::Failure;
use super::guard::Principal;
use super::record::{author, in_own_order, keep, stamp};
use super::replace::replace;
use super::{Exchange, Outcome};
use crate::impostor::http::Reply;

/// Faults that look at the books as they were when the head of the request came.
pub(crate) const SLOW: [&str; 2] = ["slow-creates-restore", "slow-creates-choose-their-id-early"];

fn created(exchange: &Exchange<'_>, book: &Value) -> Reply {
    let status = exchange.pick("create-is-200", 200, 201);
    exchange.dress(status).body(book).done()
}

pub(crate) fn create(exchange: &Exchange<'_>, id: Option<u64>, path: &str, principal: &Principal) -> Outcome {
    let has_segment = path.split('/').filter(|segment| !segment.is_empty()).count() > 1;
    if has_segment && id.is_none() && exchange.on("create-under-no-id-is-400") {
        return Err(Failure::bad("POST takes no id"));
    }
    if let Some(id) = id {
        if exchange.on("create-with-unknown-id-accepted") && known(exchange, id).is_err() {
            return store_new(exchange, fields(exchange)?, principal);
        }
        if exchange.on("create-with-id-replaces") && known(exchange, id).is_ok() {
            return replace(exchange, Some(id), principal);
        }
        return Err(Failure::bad("POST takes no id"));
    }
    let sent = fields(exchange)?;
    if exchange.on("refused-create-stored") {
        let stored = store_new(exchange, sent.clone(), principal);
        check_required(exchange, &sent)?;
        return stored;
    }
    check_required(exchange, &sent)?;
    if exchange.on("fecha-publicacion-required") && !sent.contains_key("fechaPublicacion") {
        return Err(Failure::bad("fechaPublicacion is required"));
    }
    check_date(exchange, &sent)?;
    store_new(exchange, sent, principal)
}

/// A permitted reading asks for the date form of fechaPublicacion.
pub(crate) fn check_date(exchange: &Exchange<'_>, sent: &Map<String, Value>) -> Result<(), Failure> {
    let day = |value: &Value| value.as_str().is_some_and(|text| text.len() == 10 && iso_date(text).is_some());
    match sent.get("fechaPublicacion") {
        Some(value) if exchange.reads("fecha-publicacion-checked") && !day(value) => {
            Err(Failure::bad("fechaPublicacion must be YYYY-MM-DD"))
        }
        _ => Ok(()),
    }
}

/// titulo and autor must be there and truthy.
pub(crate) fn check_required(exchange: &Exchange<'_>, sent: &Map<String, Value>) -> Result<(), Failure> {
    let names = [
        ("titulo", "titulo-not-required", "titulo-may-be-empty", "titulo-may-be-null"),
        ("autor", "autor-not-required", "autor-may-be-empty", "autor-may-be-null"),
    ];
    for (name, missing, empty, null) in names {
        let fine = match sent.get(name) {
            None => exchange.on(missing),
            Some(Value::Null) => exchange.on(null),
            Some(Value::String(text)) if text.is_empty() => exchange.on(empty),
            Some(Value::String(text)) if text.trim().is_empty() => !exchange.reads("required-trimmed"),
            Some(Value::String(_)) => true,
            Some(_) if exchange.reads("required-falsy-accepted") => true,
            Some(other) => js::truthy(other) && !exchange.reads("required-texts-only"),
        };
        if !fine {
            return Err(Failure::bad("titulo and autor are required"));
        }
    }
    Ok(())
}

pub(crate) fn store_new(exchange: &Exchange<'_>, sent: Map<String, Value>, principal: &Principal) -> Outcome {
    let state = exchange.lock();
    let early = state.books_at(exchange.request.begun);
    let books = if exchange.on("slow-creates-choose-their-id-early") { &early } else { &state.books };
    let id = next_id(exchange, books, state.highest_book_id);
    // The lock is held from here to the push, or two creates would get one id.
    let mut state = exchange.world.yield_if("creates-race", state);
    if exchange.on("slow-creates-restore") {
        state.books = early;
    }
    let mut book = keep(exchange, sent.clone(), true);
    if exchange.reads("update-fields-dropped-on-create") {
        book.shift_remove("fechaActualizacion");
        book.shift_remove("actualizadoPor");
    }
    if !(exchange.on("create-takes-sent-id") && book.contains_key("id")) {
        let id = if exchange.on("id-is-a-text") { json!(id.to_string()) } else { json!(id) };
        book.insert("id".to_owned(), id);
    }
    let dated = exchange.on("create-takes-sent-fecha-creacion") && book.contains_key("fechaCreacion");
    if !dated && !exchange.on("create-lacks-fecha-creacion") {
        book.insert("fechaCreacion".to_owned(), stamp(exchange));
    }
    if exchange.reads("new-book-has-update-fields") {
        book.entry("actualizadoPor").or_insert(Value::Null);
        let created = book.get("fechaCreacion").cloned().unwrap_or_default();
        book.entry("fechaActualizacion").or_insert(created);
    }
    if exchange.on("new-book-lacks-fecha-publicacion") {
        book.shift_remove("fechaPublicacion");
    }
    if !(exchange.on("create-takes-sent-creado-por") && book.contains_key("creadoPor")) {
        book.insert(
            "creadoPor".to_owned(),
            author(exchange, principal, "creado-por-null-for-users", "creado-por-null-for-clients"),
        );
    }
    if exchange.on("absent-fecha-publicacion-is-null") {
        book.entry("fechaPublicacion").or_insert(Value::Null);
    }
    let book = in_own_order(exchange, Value::Object(book));
    state.highest_book_id = state.highest_book_id.max(id);
    state.books.push(book.clone());
    drop(state);
    if exchange.on("create-answers-what-was-sent") {
        return Ok(created(exchange, &Value::Object(sent)));
    }
    if exchange.on("create-answers-the-id-only") {
        return Ok(created(exchange, &json!({"id": book["id"]})));
    }
    Ok(created(exchange, &book))
}

/// Highest existing id plus 1; 1 when there is none.
fn next_id(exchange: &Exchange<'_>, books: &[Value], highest_ever: u64) -> u64 {
    let ids: Vec<u64> = books.iter().filter_map(|book| js::number_of(&book["id"])).map(|id| id as u64).collect();
    if exchange.on("id-is-count-plus-1") {
        return ids.len() as u64 + 1;
    }
    if exchange.on("id-fills-gaps") {
        return (1..).find(|id| !ids.contains(id)).unwrap_or(1);
    }
    if exchange.on("id-never-reused") {
        return highest_ever + 1;
    }
    match ids.iter().max() {
        Some(highest) => highest + 1,
        None if exchange.on("first-id-is-0") => 0,
        None => 1,
    }
}
