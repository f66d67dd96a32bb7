//! Replacing a book and deleting one.

use serde_json::json;

use super::body::fields;
use super::books::{known, place};
use super::create::{check_required, store_new};
use super::failure::Failure;
use super::guard::Principal;
use super::record::{author, replaced};
use super::{Exchange, Outcome, conditional};
use crate::impostor::http::Framing;

/// Faults that look at the books as they were when the head of the request came.
pub(crate) const SLOW: [&str; 2] = ["slow-replaces-restore", "slow-replaces-keep-their-place"];

pub(crate) fn replace(exchange: &Exchange<'_>, id: Option<u64>, principal: &Principal) -> Outcome {
    let Some(id) = id else {
        return Err(if exchange.on("replace-without-id-is-404") {
            Failure::unknown_book()
        } else {
            Failure::bad("PUT takes an id")
        });
    };
    if exchange.reads("body-before-lookup") {
        fields(exchange)?;
    }
    if exchange.on("replace-unknown-creates") && known(exchange, id).is_err() {
        return store_new(exchange, fields(exchange)?, principal);
    }
    let state = exchange.lock();
    let Some(at) = place(&state.books, id) else {
        return Err(Failure::unknown_book());
    };
    if exchange.on("replace-honours-if-none-match")
        && let Some(known) = exchange.request.header("if-none-match")
    {
        let etag = conditional::etag(exchange, &state.books[at]);
        if known == etag {
            return Ok(conditional::not_modified(exchange, &etag, false));
        }
    }
    if exchange.on("malformed-replace-removes") && fields(exchange).is_err() {
        let mut state = state;
        state.books.remove(at);
        return Err(Failure::bad("the body is no JSON"));
    }
    let sent = fields(exchange)?;
    super::create::check_date(exchange, &sent)?;
    if exchange.on("replace-requires-titulo") {
        check_required(exchange, &sent)?;
    }
    let before = state.books.clone();
    let author = author(exchange, principal, "actualizado-por-null-for-users", "actualizado-por-null-for-clients");
    let book = replaced(exchange, &before[at], sent, id, author);
    let mut state = exchange.world.yield_if("replaces-race", state);
    if exchange.on("replaces-race") {
        state.books = before.clone();
    }
    let early = state.books_at(exchange.request.begun);
    if exchange.on("slow-replaces-restore") {
        state.books = early.clone();
    }
    let books = if exchange.on("slow-replaces-keep-their-place") { &early } else { &state.books };
    if !exchange.on("replace-not-stored")
        && let Some(at) = place(books, id).filter(|at| *at < state.books.len())
    {
        state.books[at] = book.clone();
        if exchange.reads("replaced-moves-to-end") {
            state.books.remove(at);
            state.books.push(book.clone());
        }
    }
    drop(state);
    let shown = if exchange.on("replace-answers-the-old-book") { &before[at] } else { &book };
    let status = exchange.pick("replace-is-201", 201, 200);
    Ok(exchange.dress(status).body(shown).done())
}

pub(crate) fn delete(exchange: &Exchange<'_>, id: Option<u64>) -> Outcome {
    let Some(id) = id else {
        if exchange.on("delete-without-id-clears") {
            exchange.lock().books.clear();
        }
        return Err(if exchange.on("delete-without-id-is-404") {
            Failure::unknown_book()
        } else {
            Failure::bad("DELETE takes an id")
        });
    };
    let state = exchange.lock();
    let Some(at) = place(&state.books, id) else {
        if exchange.on("delete-unknown-is-204") {
            return Ok(exchange.dress(204).done());
        }
        return Err(Failure::unknown_book());
    };
    let before = state.books.clone();
    let mut state = exchange.world.yield_if("deletes-race", state);
    if exchange.on("deletes-race") {
        state.books = before;
    }
    if exchange.on("delete-keeps-the-book") {
        state.books[at]["eliminado"] = json!(true);
    } else {
        state.books.remove(at);
    }
    if exchange.on("delete-removes-the-next-too") && at < state.books.len() {
        state.books.remove(at);
    }
    let status = exchange.pick("delete-is-200", 200, 204);
    let mut reply = exchange.dress(status).done();
    if exchange.reads("deleted-without-content-type") {
        reply.remove("Content-Type");
    }
    if exchange.on("delete-has-body") {
        reply.body = b"{}".to_vec();
        reply.framing = Framing::Forced;
    }
    Ok(reply)
}
