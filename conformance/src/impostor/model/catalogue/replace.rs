//! Replacing a book.

use super::body::fields;
use super::books::{collection, known, place};
use super::create::{check_date, check_required, store_new};
use super::failure::Failure;
use super::guard::Principal;
use super::record::replaced;
use super::{Exchange, Outcome, conditional};
use crate::impostor::policy::{Place, ReadsFirst, UnknownId, Version};

/// PUT /libros/<id>
pub(crate) fn replace(exchange: &Exchange<'_>, id: Option<f64>, principal: &Principal) -> Outcome {
    let policy = &exchange.policy().books.replace;
    let Some(id) = id else {
        return Err(Failure::bad("PUT takes an id"));
    };
    if policy.reads_first == ReadsFirst::Body {
        fields(exchange)?;
    }
    if policy.unknown == UnknownId::Creates && known(exchange, id).is_err() {
        return store_new(exchange, fields(exchange)?, principal);
    }
    let mut state = exchange.lock();
    let Some(at) = place(&state.books, id) else {
        return Err(Failure::unknown_book());
    };
    let old = state.books[at].clone();
    let etag = conditional::etag(exchange, &old);
    if policy.heeds_if_none_match && exchange.request.header("if-none-match").is_some_and(|known| known == etag) {
        return Ok(conditional::not_modified(exchange, &etag));
    }
    let sent = fields(exchange);
    if sent.is_err() && policy.bad_body_removes {
        state.books.remove(at);
    }
    let sent = sent?;
    check_date(exchange, &sent)?;
    if policy.requires_fields {
        check_required(exchange, &sent)?;
    }
    let new = replaced(exchange, &old, sent, principal);
    let version = |version: Version| if version == Version::New { &new } else { &old };
    // The lock is held from the look-up to the write, or a write in between would be undone.
    let (state, seen) = collection(exchange, state, policy.place_from);
    let (mut state, books) = collection(exchange, state, policy.written_onto);
    state.books = books;
    if let Some(at) = place(&seen, id).filter(|at| *at < state.books.len()) {
        state.books[at] = version(policy.stores).clone();
        if policy.place == Place::Last {
            let book = state.books.remove(at);
            state.books.push(book);
        }
    }
    drop(state);
    Ok(exchange.dress(200).body(version(policy.answers)).done())
}
