//! The catalogue interface: books, authentication, two-factor. Routes by the letters a path starts with.

mod api_keys;
mod auth;
mod body;
mod books;
mod codes;
mod conditional;
mod create;
mod delete;
mod devices;
mod failure;
mod guard;
mod headers;
mod jwt;
mod login;
mod read;
mod record;
mod registration;
mod replace;
mod two_factor;
mod verify;

use std::sync::MutexGuard;
use std::time::Instant;

use super::state::State;
use super::world::World;
use crate::impostor::http::{Reply, Request};
use crate::impostor::policy::{Policy, SessionsAfterFailure};
use failure::Failure;
use headers::ResponseBuilder;

/// The service's name: realm of WWW-Authenticate and issuer of otpauth URLs.
const SERVICE: &str = "LibraryCatalogueService";

/// The JSON key of the principal in login and API-key answers, as the documents print it.
const SERVICE_KEY: &str = "the service";

/// What a handler comes to.
type Outcome = Result<Reply, Failure>;

/// A request, and the world that it is answered in.
struct RequestContext<'a> {
    world: &'a World,
    request: &'a Request,
}

impl<'a> RequestContext<'a> {
    fn policy(&self) -> &'a Policy {
        &self.world.policy
    }

    fn now(&self) -> i64 {
        self.world.clock.now()
    }

    fn lock(&self) -> MutexGuard<'a, State> {
        self.world.lock()
    }

    /// A reply of the common builder.
    fn reply(&self, status: u16) -> ResponseBuilder<'_> {
        ResponseBuilder::new(self, status)
    }
}

/// Answers a request of the catalogue interface.
pub(crate) fn answer(world: &World, request: &Request) -> Reply {
    let cx = RequestContext { world, request };
    let policy = cx.policy();
    let forgetful = policy.http.sessions_after_failure == SessionsAfterFailure::AsBefore;
    let sessions = forgetful.then(|| cx.lock().sessions.clone());
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
