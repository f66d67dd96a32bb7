//! The interfaces of the second document: users and posts, registration, blog, and GraphQL in two forms.
//!
//! None of them checks a credential, and none touches the store of the catalogue: what they hold lives in memory, each with
//! its own copy of the initial users and posts.

mod blog;
mod body;
mod document;
mod failure;
pub(crate) mod graphql;
pub(crate) mod graphql_reduced;
mod reply;
pub(crate) mod rest;
mod users_store;

use self::failure::Failure;
use crate::message::{Interface, Pending, Refusal, Reply, Request};

/// An interface that answers every request at once and words its failures as [`Failure`] does.
trait Demo: Send + Sync + 'static {
    fn respond(&self, request: &Request) -> Result<Reply, Failure>;
}

impl<T: Demo> Interface for T {
    fn answer<'a>(&'a self, request: &'a Request) -> Pending<'a, Reply> {
        Box::pin(async { self.respond(request).unwrap_or_else(|failure| failure.render()) })
    }

    fn refuse(&self, refusal: Refusal, _request: &Request) -> Reply {
        Failure::from(refusal).render()
    }
}
