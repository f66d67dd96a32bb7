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
use headers::Dress;

/// The service's name: realm of WWW-Authenticate and issuer of otpauth URLs.
const SERVICE: &str = "LibraryCatalogueService";

/// The JSON key of the principal in login and API-key answers, as the documents print it.
const SERVICE_KEY: &str = "the service";

/// What a handler comes to.
type Outcome = Result<Reply, Failure>;

/// One request in its world.
struct Exchange<'a> {
    world: &'a World,
    request: &'a Request,
}

/// The four parts of the interface, by path.
#[derive(Clone, Copy, PartialEq)]
enum Area {
    Books,
    Auth,
    TwoFactor,
    Elsewhere,
}

impl<'a> Exchange<'a> {
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
    fn dress(&self, status: u16) -> Dress<'_> {
        Dress::new(self, status)
    }
}

/// Answers a request of the catalogue interface.
pub(crate) fn answer(world: &World, request: &Request) -> Reply {
    let exchange = Exchange { world, request };
    let policy = exchange.policy();
    let forgetful = policy.http.sessions_after_failure == SessionsAfterFailure::AsBefore;
    let sessions = forgetful.then(|| exchange.lock().sessions.clone());
    let mut reply = route(&exchange).unwrap_or_else(|failure| failure.render(&exchange));
    if let Some(sessions) = sessions.filter(|_| reply.status >= 400) {
        exchange.lock().sessions = sessions;
    }
    if policy.books.looks_back() {
        let mut state = exchange.lock();
        let books = state.books.clone();
        state.versions.push((Instant::now(), books));
    }
    if request.method == "HEAD" {
        reply.body.clear();
    }
    reply
}

fn route(exchange: &Exchange<'_>) -> Outcome {
    let path = exchange.request.path.as_str();
    if exchange.request.method == "OPTIONS" {
        return Ok(options(exchange));
    }
    match area(path) {
        Area::Auth => auth::answer(exchange, path),
        Area::TwoFactor => two_factor::answer(exchange, path),
        Area::Books => books::answer(exchange, path),
        Area::Elsewhere => Err(Failure::unknown_path()),
    }
}

/// Which part of the interface a path belongs to.
fn area(path: &str) -> Area {
    if path.starts_with("/auth") {
        Area::Auth
    } else if path.starts_with("/2fa/") {
        Area::TwoFactor
    } else if path.starts_with("/libros") {
        Area::Books
    } else {
        Area::Elsewhere
    }
}

/// 200 on any path, without a body, with the CORS, version and security groups.
fn options(exchange: &Exchange<'_>) -> Reply {
    let groups = &exchange.policy().http.groups;
    let mut reply = Reply::bare(200);
    headers::put(&mut reply, &groups.cors);
    headers::version(exchange, &mut reply);
    headers::put(&mut reply, &groups.security);
    reply
}
