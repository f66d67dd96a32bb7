//! The control protocol: tests move the service's clock and bring its initial state back.
//!
//! It has a listener of its own, off by default and loopback only. It refuses web pages, since a local browser reaches loopback, too.

use std::net::IpAddr;
use std::sync::Arc;

use http::header::{CONTENT_TYPE, HOST, ORIGIN};
use http::uri::Authority;
use http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::catalogue::Catalogue;
use crate::demo::{graphql::Graphql, rest::Rest};
use crate::json_body::{BodyFailure, is_json};
use crate::message::{Interface, Pending, Refusal, Reply, Request};
use libros_server_query::json;
use libros_server_store::CutOff;
use libros_server_system::clock::{Clock, Timestamp};

/// The interfaces that a reset restores; `None` if not served.
#[derive(Default)]
pub(crate) struct Resettable {
    pub(crate) catalogue: Option<Arc<Catalogue>>,
    pub(crate) rest: Option<Arc<Rest>>,
    pub(crate) graphql: Option<Arc<Graphql>>,
}

pub(crate) struct Control {
    pub(crate) clock: Clock,
    pub(crate) resettable: Resettable,
}

impl Control {
    async fn reset(&self) -> Reply {
        if let Some(rest) = &self.resettable.rest {
            rest.reset();
        }
        if let Some(graphql) = &self.resettable.graphql {
            graphql.reset();
        }
        let stored = match &self.resettable.catalogue {
            Some(catalogue) => catalogue.reset().await,
            None => {
                self.clock.set_ahead(0);
                Ok(())
            }
        };
        match stored {
            Ok(()) => Reply::empty(StatusCode::NO_CONTENT),
            Err(error) => failed(StatusCode::INTERNAL_SERVER_ERROR, &format!("{error:#}")),
        }
    }

    async fn advance(&self, body: &[u8]) -> Reply {
        let seconds = json::parse(body).ok().and_then(|body| body.get("seconds").and_then(Value::as_f64));
        let Some(seconds) = seconds else {
            return failed(StatusCode::BAD_REQUEST, "the body must be {\"seconds\": N} with a number");
        };
        let shared = self.resettable.catalogue.as_ref().and_then(|catalogue| catalogue.shared_clock.as_ref());
        let moved = match shared {
            Some(clock) => clock.advance(seconds).await,
            None => Ok(self.clock.advance(seconds).map(drop)),
        };
        match moved {
            Ok(Ok(())) => shown(self.clock.now()),
            Ok(Err(error)) => failed(StatusCode::BAD_REQUEST, &error.to_string()),
            Err(error) => failed(StatusCode::INTERNAL_SERVER_ERROR, &error.to_string()),
        }
    }

    async fn time(&self) -> Reply {
        let unknown = |error: CutOff| failed(StatusCode::INTERNAL_SERVER_ERROR, &error.to_string());
        self.caught_up().await.map_or_else(unknown, |()| shown(self.clock.now()))
    }

    /// Whether this process can answer: it must know everything that is stored.
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
}

impl Interface for Control {
    fn answer<'a>(&'a self, request: &'a Request) -> Pending<'a, Reply> {
        Box::pin(async move {
            if let Some((status, why)) = refusal(request) {
                return failed(status, why);
            }
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
        match BodyFailure::of(refusal) {
            Some(failure) => failed(failure.status(), &failure.to_string()),
            None => failed(StatusCode::INTERNAL_SERVER_ERROR, "the handler panicked"),
        }
    }
}

/// The reason to refuse a request that a web page may have sent.
fn refusal(request: &Request) -> Option<(StatusCode, &'static str)> {
    let Request { method, headers, .. } = request;
    if headers.contains_key(ORIGIN) {
        let why = "the control listener takes no request with an Origin header: no web page may use it";
        return Some((StatusCode::FORBIDDEN, why));
    }
    // The name of a web page's host may resolve to this machine (DNS rebinding). Browsers always send a Host. A request without one is
    // refused, too: HTTP/1.1 demands a Host, and the rule stays without exceptions.
    let mut hosts = headers.get_all(HOST).iter().map(|host| Authority::try_from(host.as_bytes()).ok());
    if !headers.contains_key(HOST)
        || !hosts.all(|host| host.as_ref().is_some_and(is_loopback))
        || request.uri.authority().is_some_and(|target| !is_loopback(target))
    {
        let why = "the control listener needs a Host header with localhost or a loopback address";
        return Some((StatusCode::FORBIDDEN, why));
    }
    // A page can send a form anywhere, but not as JSON; before a script sends JSON, the browser asks with a preflight that has an Origin.
    let mut media = headers.get_all(CONTENT_TYPE).iter().peekable();
    if method == Method::POST && (media.peek().is_none() || !media.all(is_json)) {
        let why = "each POST here needs Content-Type: application/json, with or without a body";
        return Some((StatusCode::UNSUPPORTED_MEDIA_TYPE, why));
    }
    None
}

fn is_loopback(authority: &Authority) -> bool {
    let host = authority.host();
    let address = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    host.eq_ignore_ascii_case("localhost") || address.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

fn shown(now: Timestamp) -> Reply {
    with_body(StatusCode::OK, &json!({ "now": now.iso() }))
}

fn failed(status: StatusCode, text: &str) -> Reply {
    with_body(status, &json!({ "error": text }))
}

fn with_body(status: StatusCode, body: &Value) -> Reply {
    Reply::json(status, json::write(body))
}
