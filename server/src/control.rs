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
use crate::context::SharedClock;
use crate::demo::graphql::Graphql;
use crate::demo::rest::Rest;
use crate::json;
use crate::message::{Awaited, Interface, Refusal, Reply, Request};
use crate::store::CutOff;

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
        if let Some(rest) = &self.resettable.rest {
            rest.reset();
        }
        if let Some(graphql) = &self.resettable.graphql {
            graphql.reset();
        }
        let stored = match &self.resettable.catalogue {
            Some(catalogue) => self.reset_catalogue(catalogue).await,
            None => {
                self.clock.reset();
                Ok(())
            }
        };
        match stored {
            Ok(()) => empty(StatusCode::NO_CONTENT),
            Err(error) => failed(StatusCode::INTERNAL_SERVER_ERROR, &format!("{error:#}")),
        }
    }

    async fn reset_catalogue(&self, catalogue: &Catalogue) -> anyhow::Result<()> {
        match &catalogue.shared_clock {
            Some(clock) => clock.reset().await.context("the clock")?,
            None => self.clock.reset(),
        }
        catalogue.identity.reset().await.context("users and clients")?;
        catalogue.books.reset().await.context("books")
    }

    async fn advance(&self, body: &[u8]) -> Reply {
        let seconds = json::parse(body).ok().and_then(|body| body.get("seconds").and_then(Value::as_f64));
        let Some(seconds) = seconds else {
            return failed(StatusCode::BAD_REQUEST, "the body must be {\"seconds\": N} with a number");
        };
        let moved = match self.shared_clock() {
            Some(clock) => clock.advance(seconds).await,
            None => Ok(self.clock.advance(seconds).map(drop)),
        };
        match moved {
            Ok(Ok(())) => shown(self.clock.now()),
            Ok(Err(error)) => failed(StatusCode::BAD_REQUEST, &error.to_string()),
            Err(error) => failed(StatusCode::INTERNAL_SERVER_ERROR, &error.to_string()),
        }
    }

    /// The time as every replica shows it.
    async fn time(&self) -> Reply {
        match self.caught_up().await {
            Ok(()) => shown(self.clock.now()),
            Err(error) => failed(StatusCode::INTERNAL_SERVER_ERROR, &error.to_string()),
        }
    }

    /// Whether this process can answer for all that is stored.
    async fn health(&self) -> Reply {
        match self.caught_up().await {
            Ok(()) => with_body(StatusCode::OK, &json!({ "ready": true })),
            Err(error) => {
                with_body(StatusCode::SERVICE_UNAVAILABLE, &json!({ "ready": false, "error": error.to_string() }))
            }
        }
    }

    async fn caught_up(&self) -> Result<(), CutOff> {
        match &self.resettable.catalogue {
            Some(catalogue) => catalogue.catch_up().await,
            None => Ok(()),
        }
    }

    fn shared_clock(&self) -> Option<&SharedClock> {
        self.resettable.catalogue.as_ref()?.shared_clock.as_ref()
    }
}

impl Interface for Control {
    fn answer<'a>(&'a self, request: &'a Request) -> Awaited<'a> {
        Box::pin(async move {
            match (&request.method, request.path()) {
                (&Method::POST, "/reset") => self.reset().await,
                (&Method::POST, "/clock/advance") => self.advance(&request.body).await,
                (&Method::GET, "/clock") => self.time().await,
                (&Method::GET, "/") => self.health().await,
                _ => failed(StatusCode::NOT_FOUND, "use POST /reset, POST /clock/advance, GET /clock or GET /"),
            }
        })
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
