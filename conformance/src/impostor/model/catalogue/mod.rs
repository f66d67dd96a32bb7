//! The catalogue interface: books, authentication, two-factor. Routes by the letters a path starts with.

mod api_keys;
mod auth;
mod body;
pub(crate) mod book_fields;
mod books;
mod codes;
pub(crate) mod collection;
mod conditional;
mod create;
mod delete;
mod devices;
mod failure;
mod guard;
mod headers;
mod jwt;
mod login;
mod new_book;
mod principal;
mod read;
mod record;
mod registration;
mod replace;
mod request_context;
mod two_factor;
mod verify;

use std::time::Instant;

use super::world::World;
use crate::impostor::http::{Reply, Request};
use failure::{Failure, Outcome};
use request_context::RequestContext;

/// Answers a request of the catalogue interface.
pub(crate) fn answer(world: &World, request: &Request) -> Reply {
    let cx = RequestContext { world, request };
    let policy = cx.policy();
    let sessions = policy.http.failure_spares_sessions.then(|| cx.lock().sessions.clone());
    let mut reply = route(&cx).unwrap_or_else(|failure| failure.render(&cx));
    if let Some(sessions) = sessions.filter(|_| reply.status >= 400) {
        cx.lock().sessions = sessions;
    }
    if policy.books.looks_back() {
        let mut state = cx.lock();
        let books = state.books.clone();
        state.versions.push((Instant::now(), books));
    }
    if request.method == "HEAD" {
        reply.body.clear();
    }
    reply
}

fn route(cx: &RequestContext<'_>) -> Outcome {
    let path = cx.request.path.as_str();
    if cx.request.method == "OPTIONS" {
        return Ok(options(cx));
    }
    if path.starts_with("/auth") {
        auth::answer(cx, path)
    } else if path.starts_with("/2fa/") {
        two_factor::answer(cx, path)
    } else if path.starts_with("/libros") {
        books::answer(cx, path)
    } else {
        Err(Failure::unknown_path())
    }
}

/// 200 on any path, without a body, with the CORS, version and security groups.
fn options(cx: &RequestContext<'_>) -> Reply {
    let groups = &cx.policy().http.groups;
    let mut reply = Reply::bare(200);
    headers::put(&mut reply, &groups.cors);
    headers::version(cx, &mut reply);
    headers::put(&mut reply, &groups.security);
    reply
}
