//! The collection of books that a write reads: the place of a book, and how long the lock is held.

use std::sync::MutexGuard;

use serde_json::{Value, json};

use super::super::clock::iso;
use super::super::js;
use super::super::state::State;
use super::failure::Failure;
use super::request_context::RequestContext;
use crate::impostor::policy::Collection;
use crate::impostor::policy::auth::Lock;

/// The place of a book in the collection.
pub(crate) fn place(books: &[Value], id: f64) -> Option<usize> {
    books.iter().position(|book| js::number_of(&book["id"]) == Some(id))
}

/// Whether there is a book of this id.
///
/// # Errors
/// 404 when there is none.
pub(crate) fn known(cx: &RequestContext<'_>, id: f64) -> Result<(), Failure> {
    place(&cx.lock().books, id).map(|_| ()).ok_or_else(Failure::unknown_book)
}

/// The collection that a step of a write reads, and the lock, which stays held so that no other write comes in between.
pub(crate) fn collection<'a>(
    cx: &RequestContext<'a>,
    state: MutexGuard<'a, State>,
    which: Collection,
) -> (MutexGuard<'a, State>, Vec<Value>) {
    let books = match which {
        Collection::Current | Collection::BeforeOthers => state.books.clone(),
        Collection::AtHead => state.books_at(cx.request.begun),
    };
    let lock = if which == Collection::BeforeOthers { Lock::ReleasedBetween } else { Lock::Whole };
    (cx.world.for_write(lock, state), books)
}

/// Marks every book as updated now, as a statement does that forgot which one it is about.
pub(crate) fn stamp(books: &mut [Value], now: i64) {
    books.iter_mut().for_each(|book| book["fechaActualizacion"] = json!(iso(now)));
}
