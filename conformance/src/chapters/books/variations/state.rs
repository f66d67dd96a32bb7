//! What a fault does with the collection of books beside an answer. Declares no fault.

use libros_conformance_model::js;
use serde_json::json;

use crate::impostor::effect::prelude::*;

/// Whether the reply refuses a delete without an id.
pub(crate) fn refuses_delete(request: &Request, reply: &Reply) -> bool {
    of_books(request) && request.method == "DELETE" && reply.status == 400
}

pub(crate) fn lacks_required(request: &Request) -> bool {
    let sent = request.json_body();
    ["titulo", "autor"].iter().any(|name| !js::truthy(&sent[*name]))
}

pub(crate) fn never_reuse_ids(held: &mut Held, request: &Request, answer: &Answer<'_>) -> Reply {
    let mut reply = answer(held, request);
    if of_books(request) && reply.status == 201 {
        // Five books are there at the start.
        let highest = held.past.highest_id.max(5);
        let Some(book) = held.state.books.last_mut() else { return reply };
        let id = book["id"].as_u64().unwrap_or_default().max(highest + 1);
        book["id"] = json!(id);
        held.past.highest_id = id;
        reply.edit(|shown| shown["id"] = json!(id));
    }
    reply
}

/// Numbers new books behind those that this replica knew when it last gave an id.
pub(crate) fn number_on_its_own(held: &mut Held, own: &mut State, request: &Request, answer: &Answer<'_>) -> Reply {
    if !of_books(request) || request.method != "POST" {
        return answer(held, request);
    }
    let reply = number_by_old(held, own.books.clone(), request, answer);
    own.books.clone_from(&held.books);
    reply
}

/// Stores a book that was refused, with what it lacks.
pub(crate) fn store_refused(held: &mut Held, request: &Request, answer: &Answer<'_>) -> Reply {
    let reply = answer(held, request);
    if of_books(request) && request.method == "POST" && reply.status == 400 {
        let mut whole = request.clone();
        whole.edit(|sent| {
            for name in ["titulo", "autor"] {
                if !js::truthy(&sent[name]) {
                    sent[name] = json!("?");
                }
            }
        });
        answer(held, &whole);
    }
    reply
}

pub(crate) fn store_no_replace(held: &mut Held, request: &Request, answer: &Answer<'_>) -> Reply {
    let books = held.books.clone();
    let reply = answer(held, request);
    if of_books(request) && request.method == "PUT" {
        held.books = books;
    }
    reply
}

pub(crate) fn answer_the_old_book(held: &mut Held, request: &Request, answer: &Answer<'_>) -> Reply {
    let old = id_of(request).and_then(|id| held.place(id)).map(|at| held.books[at].clone());
    let mut reply = answer(held, request);
    if let Some(old) = old.filter(|_| request.method == "PUT" && reply.status == 200) {
        reply.edit(|book| *book = old);
    }
    reply
}

pub(crate) fn create_unknown(held: &mut Held, request: &Request, answer: &Answer<'_>) -> Reply {
    let reply = answer(held, request);
    if request.method != "PUT" || reply.status != 404 || !names_unknown(held, request) {
        return reply;
    }
    answer(held, &Request { method: "POST".to_owned(), path: "/libros".to_owned(), ..request.clone() })
}

/// Asks for a credential before an unsupported method is refused.
pub(crate) fn guard_method(
    held: &mut Held,
    request: &Request,
    answer: &Answer<'_>,
    is_asked: fn(&Request) -> bool,
) -> Reply {
    let reply = answer(held, request);
    if !of_books(request) || reply.status != 405 || !is_asked(request) {
        return reply;
    }
    refusal(held, request, answer).unwrap_or(reply)
}
