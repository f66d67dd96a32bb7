//! The control protocol: tests move the service's clock and bring its initial state back.
//!
//! An interface like any other, but on a listener of its own, off unless asked for, and on loopback addresses only.

use std::sync::Arc;

use anyhow::Context as _;
use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use serde_json::{Value, json};

use crate::catalogue::Catalogue;
use crate::clock::{Clock, Timestamp};
use crate::demo::graphql::Graphql;
use crate::demo::rest::Rest;
use crate::json;
use crate::message::{Interface, Refusal, Reply, Request};

/// What a reset brings back; absent where an interface is not served.
#[derive(Default)]
pub(crate) struct Resettable {
    /// Books, users, clients and all that belongs to them.
    pub(crate) catalogue: Option<Arc<Catalogue>>,
    /// Users and posts, registration, blog.
    pub(crate) rest: Option<Arc<Rest>>,
    /// The GraphQL endpoint.
    pub(crate) graphql: Option<Arc<Graphql>>,
}

/// The control interface.
pub(crate) struct Control {
    clock: Clock,
    resettable: Resettable,
}

impl Control {
    /// Controls `clock` and what is `resettable`.
    #[must_use]
    pub(crate) fn new(clock: Clock, resettable: Resettable) -> Self {
        Self { clock, resettable }
    }

    async fn reset(&self) -> Reply {
        self.clock.reset();
        if let Some(rest) = &self.resettable.rest {
            rest.reset();
        }
        if let Some(graphql) = &self.resettable.graphql {
            graphql.reset();
        }
        let stored = match &self.resettable.catalogue {
            Some(catalogue) => reset_catalogue(catalogue).await,
            None => Ok(()),
        };
        match stored {
            Ok(()) => empty(StatusCode::NO_CONTENT),
            Err(error) => failed(StatusCode::INTERNAL_SERVER_ERROR, &format!("{error:#}")),
        }
    }

    fn advance(&self, body: &[u8]) -> Reply {
        let seconds = json::parse(body).ok().and_then(|body| body.get("seconds").and_then(Value::as_f64));
        let Some(seconds) = seconds else {
            return failed(StatusCode::BAD_REQUEST, "the body must be {\"seconds\": N} with a number");
        };
        match self.clock.advance(seconds) {
            Ok(now) => shown(now),
            Err(error) => failed(StatusCode::BAD_REQUEST, &error.to_string()),
        }
    }
}

async fn reset_catalogue(catalogue: &Catalogue) -> anyhow::Result<()> {
    catalogue.identity.reset().await.context("users and clients")?;
    catalogue.books.reset().await.context("books")
}

impl Interface for Control {
    async fn answer(&self, request: &Request) -> Reply {
        match (&request.method, request.path.as_str()) {
            (&Method::POST, "/reset") => self.reset().await,
            (&Method::POST, "/clock/advance") => self.advance(&request.body),
            (&Method::GET, "/clock") => shown(self.clock.now()),
            _ => failed(StatusCode::NOT_FOUND, "use POST /reset, POST /clock/advance or GET /clock"),
        }
    }

    fn refuse(&self, refusal: Refusal, _request: &Request) -> Reply {
        match refusal {
            Refusal::BodyTooLarge => failed(StatusCode::PAYLOAD_TOO_LARGE, "the body is too large"),
            Refusal::BodyUnreadable => failed(StatusCode::BAD_REQUEST, "the body could not be read"),
            Refusal::Crashed => failed(StatusCode::INTERNAL_SERVER_ERROR, "the handler panicked"),
        }
    }
}

fn shown(now: Timestamp) -> Reply {
    with_body(StatusCode::OK, &json!({ "now": now.iso() }))
}

fn failed(status: StatusCode, text: &str) -> Reply {
    with_body(status, &json!({ "error": text }))
}

fn with_body(status: StatusCode, body: &Value) -> Reply {
    let mut reply = empty(status);
    let json = HeaderValue::from_static("application/json");
    reply.headers.insert(CONTENT_TYPE, json);
    reply.body = Bytes::from(json::write(body));
    reply
}

fn empty(status: StatusCode) -> Reply {
    Reply { status, headers: HeaderMap::new(), body: Bytes::new() }
}
