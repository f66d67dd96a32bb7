//! The two reads of the catalogue: a list and a single book.

use serde_json::{Value, json};

use super::super::list;
use super::books::place;
use super::failure::Failure;
use super::headers::Cache;
use super::{Exchange, Outcome, conditional};
use crate::impostor::model::{js, secrets};

/// Lists without an id, reads one book with it.
pub(crate) fn answer(exchange: &Exchange<'_>, id: Option<u64>, path: &str) -> Outcome {
    let has_segment = path.split('/').filter(|segment| !segment.is_empty()).count() > 1;
    match id {
        Some(id) => one(exchange, id),
        None if has_segment && exchange.on("read-under-no-id-is-400") => Err(Failure::bad("GET takes a numeric id")),
        None => Ok(many(exchange)),
    }
}

fn many(exchange: &Exchange<'_>) -> super::Reply {
    let books = books(exchange);
    let query = exchange.request.query.as_str();
    let policy = exchange.world.faults.policy();
    let page = list::list(&books, query, policy);
    let datos = Value::Array(page.datos.clone());
    let mut body = list::body(&page, policy);
    if exchange.on("metadata-has-timestamp") {
        body["metadata"]["timestamp"] = super::super::clock::iso(exchange.now()).into();
    }
    let etag = if exchange.on("etag-covers-pagination") {
        secrets::md5(&js::stringify(&body))
    } else if exchange.on("etag-before-selection") {
        let unselected: Vec<&str> = query.split('&').filter(|pair| !pair.starts_with("fields=")).collect();
        let whole = list::list(&books, &unselected.join("&"), policy);
        conditional::etag(exchange, &Value::Array(whole.datos))
    } else {
        conditional::etag(exchange, &datos)
    };
    let age = exchange.pick("list-cached-for-60", 60, 300);
    let dress = exchange.dress(200).body(&body).cache(Cache::Public(age)).page(&page);
    conditional::answer(exchange, dress, &etag, &datos)
}

fn books(exchange: &Exchange<'_>) -> Vec<Value> {
    let mut state = exchange.lock();
    if exchange.on("lists-a-second-stale") {
        let now = exchange.now();
        if let Some((_, books)) = state.stale.clone().filter(|(at, _)| now - at < 1000) {
            return books;
        }
        state.stale = Some((now, state.books.clone()));
    }
    state.books.clone()
}

fn one(exchange: &Exchange<'_>, id: u64) -> Outcome {
    let state = exchange.lock();
    let Some(at) = place(&state.books, id) else {
        if exchange.on("304-for-unknown-id") && exchange.request.header("if-none-match").is_some() {
            return Ok(conditional::not_modified(exchange, "", false));
        }
        if exchange.on("read-unknown-is-null") {
            return Ok(exchange.dress(200).body(&Value::Null).done());
        }
        return Err(Failure::unknown_book());
    };
    let mut book = state.books[at].clone();
    drop(state);
    if exchange.on("single-read-selects-fields") {
        let page = list::list(&[book.clone()], &exchange.request.query, exchange.world.faults.policy());
        book = page.datos.into_iter().next().unwrap_or(book);
    }
    let etag = conditional::etag(exchange, &book);
    let body = if exchange.on("single-book-wrapped") { json!({"datos": book}) } else { book.clone() };
    let cache = match () {
        () if exchange.on("book-cached-publicly") => Cache::Public(60),
        () if exchange.on("book-cached-for-300") => Cache::Private(300),
        () => Cache::Private(60),
    };
    let dress = exchange.dress(200).body(&body).cache(cache);
    Ok(conditional::answer(exchange, dress, &etag, &book))
}
