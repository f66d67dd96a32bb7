//! Storing a new book: its id and its place.

use serde_json::{Map, Value};

use super::super::js;
use super::collection::collection;
use super::failure::Outcome;
use super::principal::Principal;
use super::record::created;
use super::request_context::RequestContext;

/// Stores a new book at the end of the collection. The lock is held from the choice of its id to the write.
pub(crate) fn store_new(cx: &RequestContext<'_>, sent: &Map<String, Value>, principal: &Principal) -> Outcome {
    let policy = &cx.policy().books.create;
    let (state, books) = collection(cx, cx.lock(), policy.id_from);
    let ids: Vec<u64> = books.iter().filter_map(|book| js::number_of(&book["id"])).map(|id| id as u64).collect();
    let id = match policy.next_id {
        None => next_id(&ids),
        Some(other) => other(&ids, state.highest_book_id),
    };
    let book = created(cx, sent, id, principal);
    let (mut state, books) = collection(cx, state, policy.written_onto);
    state.highest_book_id = state.highest_book_id.max(id);
    state.books = books;
    state.books.push(book.clone());
    drop(state);
    Ok(cx.reply(201).body(&book).build())
}

/// Highest existing id plus 1; 1 when there is none.
fn next_id(ids: &[u64]) -> u64 {
    ids.iter().max().map_or(1, |highest| highest + 1)
}
