//! Answers from an outdated collection, and races: effects of a service that holds no lock, or reads a copy. Knows no fault.

use std::time::{Duration, Instant};
use std::{mem, thread};

use libros_conformance_model::clock::iso;
use libros_conformance_model::message::{Reply, Request};
use libros_conformance_model::state::State;
use serde_json::{Value, json};

use super::acting::refusal;
use super::catalogue::{id_of, of_books};
use crate::impostor::world::{Answer, Shared, World};

pub(crate) type FromOld = fn(&mut Shared, Vec<Value>, &Request, &Answer<'_>) -> Reply;

/// Lets other requests run between the read of the books and the answer.
pub(crate) fn let_others_between(
    world: &World,
    request: &Request,
    answer: &Answer<'_>,
    method: &str,
    from_old: FromOld,
) -> Reply {
    if !of_books(request) || request.method != method {
        return answer(&mut world.lock(), request);
    }
    let seen = world.lock().books.clone();
    thread::sleep(Duration::from_millis(20));
    from_old(&mut world.lock(), seen, request, answer)
}

/// Answers from the books as they were when the head of the request came.
pub(crate) fn from_head(
    state: &mut Shared,
    request: &Request,
    answer: &Answer<'_>,
    method: &str,
    from_old: FromOld,
) -> Reply {
    let reply = if of_books(request) && request.method == method {
        let then = state.past.versions.iter().rev().find(|(at, _)| *at <= request.begun);
        let seen = then.map_or_else(|| state.books.clone(), |(_, books)| books.clone());
        from_old(state, seen, request, answer)
    } else {
        answer(state, request)
    };
    if state.past.versions.last().is_none_or(|(_, last)| *last != state.books) {
        state.past.versions.push((Instant::now(), state.books.clone()));
    }
    reply
}

/// Writes the old books back, with the change of the request: writes in between are undone.
pub(crate) fn write_back(state: &mut Shared, seen: Vec<Value>, request: &Request, answer: &Answer<'_>) -> Reply {
    let current = mem::replace(&mut state.books, seen);
    let reply = answer(state, request);
    if reply.status >= 400 {
        state.books = current;
    }
    reply
}

/// Numbers a new book by the stale books.
pub(crate) fn number_by_old(state: &mut Shared, seen: Vec<Value>, request: &Request, answer: &Answer<'_>) -> Reply {
    let known = seen.len();
    let mut current = mem::replace(&mut state.books, seen);
    let reply = answer(state, request);
    let new = state.books.split_off(known);
    current.retain(|other| new.iter().all(|book| book["id"] != other["id"]));
    current.extend(new);
    state.books = current;
    reply
}

/// Writes a replaced book at its position in the stale books.
pub(crate) fn place_by_old(state: &mut Shared, seen: Vec<Value>, request: &Request, answer: &Answer<'_>) -> Reply {
    let current = state.books.clone();
    let reply = answer(state, request);
    let is_it = |book: &&Value| id_of(request).is_some() && book["id"].as_f64() == id_of(request);
    let new = state.books.iter().find(is_it).cloned();
    let at = seen.into_iter().position(|book| is_it(&&book)).filter(|at| *at < current.len());
    if let (200, Some(at), Some(new)) = (reply.status, at, new) {
        state.books = current;
        state.books[at] = new;
    }
    reply
}

/// Answers with one part of the state swapped for that of the second address.
pub(crate) fn with_part_of_second<T>(
    state: &mut Shared,
    second: &mut State,
    part: fn(&mut State) -> &mut T,
    (request, answer): (&Request, &Answer<'_>),
) -> Reply {
    mem::swap(part(state), part(second));
    let reply = answer(state, request);
    mem::swap(part(state), part(second));
    reply
}

/// Answers from a copy of the books that may be `age_ms` old.
pub(crate) fn lagging(state: &mut Shared, request: &Request, answer: &Answer<'_>, age_ms: i64) -> Reply {
    let recent = state.past.copy.take().filter(|(at, _)| request.now - at < age_ms);
    let (at, books) = recent.unwrap_or_else(|| (request.now, state.books.clone()));
    let current = mem::replace(&mut state.books, books);
    let reply = answer(state, request);
    state.past.copy = Some((at, mem::replace(&mut state.books, current)));
    reply
}

/// Stores the fields of a replace before it checks the credential, and undoes that after a while if it refuses.
pub(crate) fn show_for_a_while(world: &World, request: &Request, answer: &Answer<'_>) -> Reply {
    let mut state = world.lock();
    let id = id_of(request).filter(|_| request.method == "PUT");
    let at = id.and_then(|id| state.place(id));
    let refusal = at.and_then(|_| refusal(&mut state, request, answer));
    let (Some(id), Some(at), Some(refusal)) = (id, at, refusal) else { return answer(&mut state, request) };
    let kept = state.books[at].clone();
    let sent = request.json_body().as_object().cloned().unwrap_or_default();
    state.books[at].as_object_mut().into_iter().for_each(|book| book.extend(sent.clone()));
    drop(state);
    thread::sleep(Duration::from_millis(20));
    let mut state = world.lock();
    if let Some(at) = state.place(id) {
        state.books[at] = kept;
    }
    refusal
}

/// Has the effect on the requests of one owner that arrive at the same moment.
pub(crate) fn at_once(
    world: &World,
    request: &Request,
    answer: &Answer<'_>,
    owner: fn(&mut Shared, &Request) -> Option<String>,
    effect: fn(&mut Shared, &Request, &Answer<'_>) -> Reply,
) -> Reply {
    const MOMENT: Duration = Duration::from_millis(20);
    let (mut state, begun) = (world.lock(), Instant::now());
    let Some(owner) = owner(&mut state, request) else { return answer(&mut state, request) };
    state.past.arrivals.push((owner.clone(), begun));
    drop(state);
    thread::sleep(MOMENT);
    let mut state = world.lock();
    let is_beside =
        |(other, at): &&(String, Instant)| *other == owner && at.max(&begun).duration_since(*at.min(&begun)) < MOMENT;
    let arrived = state.past.arrivals.iter().filter(is_beside).count();
    if arrived > 1 { effect(&mut state, request, answer) } else { answer(&mut state, request) }
}

/// The e-mail that a registration sends, on either interface.
pub(crate) fn registered_email(_: &mut Shared, request: &Request) -> Option<String> {
    let is_registration = ["/auth/registro", "/api/users/register"].iter().any(|path| request.is("POST", path));
    is_registration.then(|| request.json_body()["email"].to_string())
}

/// Answers as if nothing were in this part of the state, to which it adds.
pub(crate) fn adding_unseen<T>(
    state: &mut Shared,
    request: &Request,
    answer: &Answer<'_>,
    part: fn(&mut State) -> &mut Vec<T>,
) -> Reply {
    let known = mem::take(part(state));
    let reply = answer(state, request);
    part(state).splice(0..0, known);
    reply
}

/// Marks every book as updated now, as an UPDATE without WHERE does.
pub(crate) fn stamp(books: &mut [Value], now: i64) {
    books.iter_mut().for_each(|book| book["fechaActualizacion"] = json!(iso(now)));
}

/// Answers, and does something with the book that was deleted, given the books, its place, itself and the time.
pub(crate) fn deleted(
    state: &mut Shared,
    request: &Request,
    answer: &Answer<'_>,
    change: fn(&mut Vec<Value>, usize, Value, i64),
) -> Reply {
    let at = id_of(request).and_then(|id| state.place(id)).filter(|_| request.method == "DELETE");
    let book = at.map(|at| state.books[at].clone());
    let reply = answer(state, request);
    if let (Some(at), Some(book), 204) = (at, book, reply.status) {
        change(&mut state.books, at, book, request.now);
    }
    reply
}
