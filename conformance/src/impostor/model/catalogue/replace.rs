//! Replacing a book.

use super::body::fields;
use super::book_fields::{check_date, check_required};
use super::collection::{collection, known, place, stamp};
use super::conditional;
use super::failure::{Failure, Outcome};
use super::new_book::store_new;
use super::principal::Principal;
use super::record::replaced;
use super::request_context::RequestContext;
use crate::impostor::policy::auth::Lock;

/// PUT /libros/<id>
pub(crate) fn replace(cx: &RequestContext<'_>, id: Option<f64>, principal: &Principal) -> Outcome {
    let policy = &cx.policy().books.replace;
    let Some(id) = id else {
        return Err(Failure::bad("PUT takes an id"));
    };
    if policy.reads_body_first {
        fields(cx)?;
    }
    if policy.creates_unknown && known(cx, id).is_err() {
        return store_new(cx, &fields(cx)?, principal);
    }
    let mut state = cx.lock();
    let Some(at) = place(&state.books, id) else {
        return Err(Failure::unknown_book());
    };
    let old = state.books[at].clone();
    let etag = conditional::etag(cx, &old);
    if policy.heeds_if_none_match && cx.request.header("if-none-match").is_some_and(|known| known == etag) {
        return Ok(conditional::not_modified(cx, &etag));
    }
    let sent = fields(cx);
    if sent.is_err() && policy.bad_body_removes {
        state.books.remove(at);
    }
    let sent = sent?;
    check_date(cx, &sent)?;
    if policy.requires_fields {
        check_required(cx, &sent)?;
    }
    let new = replaced(cx, &old, &sent, principal);
    // The lock is held from the look-up to the write, or a write in between would be undone.
    let (state, seen) = collection(cx, state, policy.place_from);
    let (mut state, books) = collection(cx, state, policy.written_onto);
    state.books = books;
    if let Some(at) = place(&seen, id).filter(|at| *at < state.books.len()) {
        if !policy.stores_nothing {
            state.books[at] = new.clone();
        }
        if policy.moves_to_end {
            let book = state.books.remove(at);
            state.books.push(book);
        }
    }
    if policy.stamps_every_book {
        stamp(&mut state.books, cx.now());
    }
    drop(state);
    Ok(cx.reply(200).body(if policy.answers_old { &old } else { &new }).build())
}

/// For a fault: stores the sent fields, and takes them back after a while.
///
/// # Errors
/// 400 for a body that cannot be read.
pub(crate) fn show_for_a_while(cx: &RequestContext<'_>, id: f64) -> Result<(), Failure> {
    let sent = fields(cx)?;
    let mut state = cx.lock();
    let Some(at) = place(&state.books, id) else {
        return Ok(());
    };
    let kept = state.books[at].clone();
    let shown = state.books[at].as_object_mut().into_iter();
    shown.for_each(|book| book.extend(sent.clone()));
    let mut state = cx.world.for_write(Lock::ReleasedBetween, state);
    if let Some(at) = place(&state.books, id) {
        state.books[at] = kept;
    }
    Ok(())
}
