//! Deleting a book.

use super::collection::{collection, place};
use super::failure::{Failure, Outcome};
use super::request_context::RequestContext;

/// DELETE /libros/<id>
pub(crate) fn delete(cx: &RequestContext<'_>, id: Option<f64>) -> Outcome {
    let policy = &cx.policy().books.delete;
    let Some(id) = id else {
        (policy.refused)(&mut cx.lock().books, cx.now());
        return Err(Failure::bad("DELETE takes an id"));
    };
    let state = cx.lock();
    let Some(at) = place(&state.books, id) else {
        return Err(Failure::unknown_book());
    };
    // The lock is held from the look-up to the write, or a write in between would be undone.
    let (mut state, mut books) = collection(cx, state, policy.written_onto);
    (policy.remove)(&mut books, at, cx.now());
    state.books = books;
    drop(state);
    Ok(cx.reply(204).build())
}
