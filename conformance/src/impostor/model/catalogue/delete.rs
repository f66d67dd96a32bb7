//! Deleting a book.

use serde_json::json;

use super::collection::{collection, place, stamp};
use super::failure::{Failure, Outcome};
use super::request_context::RequestContext;
use crate::impostor::policy::{RefusedDelete, Removes};

/// DELETE /libros/<id>
pub(crate) fn delete(cx: &RequestContext<'_>, id: Option<f64>) -> Outcome {
    let policy = &cx.policy().books.delete;
    let Some(id) = id else {
        match policy.refused {
            RefusedDelete::Nothing => {}
            RefusedDelete::Clears => cx.lock().books.clear(),
            RefusedDelete::StampsEveryBook => stamp(cx, &mut cx.lock().books),
        }
        return Err(Failure::bad("DELETE takes an id"));
    };
    let state = cx.lock();
    let Some(at) = place(&state.books, id) else {
        return Err(Failure::unknown_book());
    };
    // The lock is held from the look-up to the write, or a write in between would be undone.
    let (mut state, mut books) = collection(cx, state, policy.written_onto);
    match policy.removes {
        Removes::TheBook => _ = books.remove(at),
        Removes::TheNextToo => drop(books.drain(at..books.len().min(at + 2))),
        Removes::Nothing => books[at]["eliminado"] = json!(true),
        Removes::TheBookAndStampsOthers => {
            books.remove(at);
            stamp(cx, &mut books);
        }
    }
    state.books = books;
    drop(state);
    Ok(cx.reply(204).build())
}
