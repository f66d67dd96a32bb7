//! Answers from an outdated collection, and races: effects of a service that holds no lock, or reads a copy. Knows no fault.

use std::time::{Duration, Instant};
use std::{mem, thread};

use libros_conformance_model::clock::iso;
use libros_conformance_model::message::{Reply, Request};
use libros_conformance_model::state::State;
use serde_json::{Value, json};

use super::acting::refusal;
use super::catalogue::{id_of, of_books};
use crate::impostor::world::{Answer, Held, World};

/// Answers a request from outdated books.
pub(crate) type FromOld = fn(&mut Held, Vec<Value>, &Request, &Answer<'_>) -> Reply;

/// Lets other requests come between reading the books and answering.
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
    held: &mut Held,
    request: &Request,
    answer: &Answer<'_>,
    method: &str,
    from_old: FromOld,
) -> Reply {
    let reply = if of_books(request) && request.method == method {
        let then = held.past.versions.iter().rev().find(|(at, _)| *at <= request.begun);
        let seen = then.map_or_else(|| held.books.clone(), |(_, books)| books.clone());
        from_old(held, seen, request, answer)
    } else {
        answer(held, request)
    };
    let books = held.books.clone();
    held.past.versions.push((Instant::now(), books));
    reply
}

/// Writes the old books back, with the change of the request: writes in between are undone.
pub(crate) fn write_back(held: &mut Held, seen: Vec<Value>, request: &Request, answer: &Answer<'_>) -> Reply {
    let current = mem::replace(&mut held.books, seen);
    let reply = answer(held, request);
    if reply.status >= 400 {
        held.books = current;
    }
    reply
}

/// A new book gets the id that was next in the old books.
pub(crate) fn number_by_old(held: &mut Held, seen: Vec<Value>, request: &Request, answer: &Answer<'_>) -> Reply {
    let known = seen.len();
    let mut current = mem::replace(&mut held.books, seen);
    let reply = answer(held, request);
    let new = held.books.split_off(known);
    current.retain(|other| new.iter().all(|book| book["id"] != other["id"]));
    current.extend(new);
    held.books = current;
    reply
}

/// A replaced book is written at the place that it had in the old books.
pub(crate) fn place_by_old(held: &mut Held, seen: Vec<Value>, request: &Request, answer: &Answer<'_>) -> Reply {
    let current = held.books.clone();
    let reply = answer(held, request);
    let is_it = |book: &&Value| id_of(request).is_some() && book["id"].as_f64() == id_of(request);
    let new = held.books.iter().find(is_it).cloned();
    let at = seen.into_iter().position(|book| is_it(&&book)).filter(|at| *at < current.len());
    if let (200, Some(at), Some(new)) = (reply.status, at, new) {
        held.books = current;
        held.books[at] = new;
    }
    reply
}

/// Answers with a part of the state taken from another state.
pub(crate) fn with_own<T>(
    held: &mut Held,
    own: &mut State,
    part: fn(&mut State) -> &mut T,
    (request, answer): (&Request, &Answer<'_>),
) -> Reply {
    mem::swap(part(held), part(own));
    let reply = answer(held, request);
    mem::swap(part(held), part(own));
    reply
}

/// Answers from a copy of the books that may be `age_ms` old.
pub(crate) fn lagging(held: &mut Held, request: &Request, answer: &Answer<'_>, age_ms: i64) -> Reply {
    let recent = held.past.copy.take().filter(|(at, _)| request.now - at < age_ms);
    let (at, books) = recent.unwrap_or_else(|| (request.now, held.books.clone()));
    let current = mem::replace(&mut held.books, books);
    let reply = answer(held, request);
    held.past.copy = Some((at, mem::replace(&mut held.books, current)));
    reply
}

/// Stores the fields of a replace before its credential is checked, and takes them back after a while when that fails.
pub(crate) fn show_for_a_while(world: &World, request: &Request, answer: &Answer<'_>) -> Reply {
    let mut held = world.lock();
    let id = id_of(request).filter(|_| request.method == "PUT");
    let at = id.and_then(|id| held.place(id));
    let refusal = at.and_then(|_| refusal(&mut held, request, answer));
    let (Some(id), Some(at), Some(refusal)) = (id, at, refusal) else { return answer(&mut held, request) };
    let kept = held.books[at].clone();
    let sent = request.json_body().as_object().cloned().unwrap_or_default();
    held.books[at].as_object_mut().into_iter().for_each(|book| book.extend(sent.clone()));
    drop(held);
    thread::sleep(Duration::from_millis(20));
    let mut held = world.lock();
    if let Some(at) = held.place(id) {
        held.books[at] = kept;
    }
    refusal
}

/// Lets other registrations come between looking for the e-mail and answering.
pub(crate) fn register_by_old(world: &World, request: &Request, answer: &Answer<'_>) -> Reply {
    if !request.is("POST", "/auth/registro") {
        return answer(&mut world.lock(), request);
    }
    let seen = world.lock().users.clone();
    thread::sleep(Duration::from_millis(20));
    let mut held = world.lock();
    let known = seen.len();
    let mut current = mem::replace(&mut held.users, seen);
    let reply = answer(&mut held, request);
    current.extend(held.users.split_off(known));
    held.users = current;
    reply
}

/// Marks every book as updated now, as an UPDATE without WHERE does.
pub(crate) fn stamp(books: &mut [Value], now: i64) {
    books.iter_mut().for_each(|book| book["fechaActualizacion"] = json!(iso(now)));
}

/// Answers, and does something with the book that was deleted, given the books, its place, itself and the time.
pub(crate) fn deleted(
    held: &mut Held,
    request: &Request,
    answer: &Answer<'_>,
    change: fn(&mut Vec<Value>, usize, Value, i64),
) -> Reply {
    let at = id_of(request).and_then(|id| held.place(id)).filter(|_| request.method == "DELETE");
    let book = at.map(|at| held.books[at].clone());
    let reply = answer(held, request);
    if let (Some(at), Some(book), 204) = (at, book, reply.status) {
        change(&mut held.books, at, book, request.now);
    }
    reply
}
