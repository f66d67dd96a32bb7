//! The interfaces of the second document: users and posts, registration, blog, and GraphQL in two forms.
//!
//! None of them checks a credential or touches the store: each holds its own copy of the initial users and posts in memory.

mod blog;
mod document;
mod failure;
pub(crate) mod graphql;
pub(crate) mod graphql_reduced;
pub(crate) mod rest;
mod users_store;

use http::header::{ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN};
use http::{HeaderMap, HeaderValue, StatusCode};

use self::failure::Failure;
use crate::json_body::BodyFailure;
use crate::message::{Interface, Pending, Refusal, Reply, Request};

/// The answer to `OPTIONS`: 204, and the methods that a page of another origin may use.
fn preflight(methods: &'static str) -> Reply {
    let headers = [
        // rule: users/options-origin
        (ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        (ACCESS_CONTROL_ALLOW_METHODS, methods),
        // rule: users/options-headers
        (ACCESS_CONTROL_ALLOW_HEADERS, "Content-Type"),
    ];
    let headers = headers.map(|(name, value)| (name, HeaderValue::from_static(value)));
    Reply { headers: HeaderMap::from_iter(headers), ..Reply::empty(StatusCode::NO_CONTENT) }
}

/// An interface that answers every request at once and words its failures as [`Failure`] does.
trait Demo: Send + Sync + 'static {
    fn respond(&self, request: &Request) -> Result<Reply, Failure>;
}

impl<T: Demo> Interface for T {
    fn answer<'a>(&'a self, request: &'a Request) -> Pending<'a, Reply> {
        Box::pin(async { self.respond(request).unwrap_or_else(|failure| failure.render()) })
    }

    fn refuse(&self, refusal: Refusal, _request: &Request) -> Reply {
        BodyFailure::of(refusal).map_or(Failure::Crashed, Failure::Body).render()
    }
}
