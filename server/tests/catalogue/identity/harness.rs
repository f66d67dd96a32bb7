//! A whole identity over a disk that outlives it: what the tests of this folder act on.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Uri};
use libros_server::accounts::permission::Permission;
use libros_server::accounts::principal::Principal;
use libros_server::auth::identity::Identity;
use libros_server::catalogue::{AuthRoute, Catalogue, Route, TwoFactorRoute};
use libros_server::message::{Client, Request};
use libros_server::response::content::Response;
use libros_server::response::failure::Failure;
use libros_server_store::Loaded;
use libros_server_system::clock::Clock;
use serde_json::Value;

use crate::disk::{self, Disk, SECRET, text, wait};

/// What a request came to: its JSON, or why it was refused.
pub(crate) type Outcome = Result<Value, Failure>;

/// An identity, its clock and its store.
#[derive(Debug)]
pub(crate) struct Harness {
    catalogue: Catalogue,
    /// Its now.
    pub(crate) clock: Clock,
    /// What it stored.
    pub(crate) kept: Disk,
}

impl Harness {
    /// A fresh one, in the initial state.
    pub(crate) fn new() -> Self {
        Self::over(Disk::default(), Clock::new(), Loaded::default(), [SECRET, ""])
    }

    /// The same after an orderly stop and a start.
    pub(crate) fn restarted(self) -> Self {
        self.restarted_after(|_| ())
    }

    /// The same after an orderly stop, something done to the store, and a start.
    pub(crate) fn restarted_after(self, meddle: impl FnOnce(&mut Loaded)) -> Self {
        let Self { catalogue, clock, kept } = self;
        drop(catalogue);
        let mut loaded = kept.loaded();
        meddle(&mut loaded);
        Self::over(kept, clock, loaded, [SECRET, ""])
    }

    /// The same after an orderly stop and a start with these secrets of the operator: the current one, and the former one or none.
    pub(crate) fn restarted_with_secrets(self, secrets: [&str; 2]) -> Self {
        let Self { catalogue, clock, kept } = self;
        drop(catalogue);
        let loaded = kept.loaded();
        Self::over(kept, clock, loaded, secrets)
    }

    fn over(kept: Disk, clock: Clock, loaded: Loaded, secrets: [&str; 2]) -> Self {
        let catalogue = disk::catalogue(&kept, loaded, clock.clone(), secrets);
        Self { catalogue, clock, kept }
    }

    /// The subject.
    pub(crate) fn identity(&self) -> &Identity {
        &self.catalogue.identity
    }

    /// Moves now ahead.
    pub(crate) fn advance(&self, seconds: f64) {
        self.clock.advance(seconds).expect("a plain step");
    }

    /// What a route responds, before its headers.
    pub(crate) fn perform(&self, route: Route, request: &Request) -> Result<Response, Failure> {
        wait(self.catalogue.perform(route, &Arc::new(request.clone())))
    }

    /// What a route under `/auth` answers.
    pub(crate) fn auth(&self, route: AuthRoute, request: &Request) -> Outcome {
        self.json(Route::Auth(route), request)
    }

    /// What a route under `/2fa/` answers.
    pub(crate) fn two_factor(&self, route: TwoFactorRoute, request: &Request) -> Outcome {
        self.json(Route::TwoFactor(route), request)
    }

    fn json(&self, route: Route, request: &Request) -> Outcome {
        let answer = self.perform(route, request)?;
        Ok(serde_json::from_slice(&answer.body.unwrap_or_default()).expect("JSON"))
    }

    /// Registers a user of the role.
    pub(crate) fn register(&self, email: &str, role: &str) {
        let body = serde_json::json!({ "email": email, "password": PASSWORD, "role": role });
        self.auth(AuthRoute::Register, &post(&body)).expect("a free e-mail");
    }

    /// Logs in with the right password.
    pub(crate) fn login(&self, email: &str) -> Value {
        self.auth(AuthRoute::Login, &credentials(email, PASSWORD)).expect("the right password")
    }

    /// A session token of a user without second factor.
    pub(crate) fn token(&self, email: &str) -> String {
        text(&self.login(email)["tokens"]["sessionToken"])
    }

    /// Whether a session token lets its user do what is needed.
    pub(crate) fn bearer(&self, token: &str, needed: &[Permission]) -> Result<Principal, Failure> {
        wait(self.identity().guard(&authorization(&format!("Bearer {token}")), needed))
    }

    /// Sends a code for a waiting login.
    pub(crate) fn verify(&self, session_id: &str, token: &str, trust: bool) -> Outcome {
        let body = serde_json::json!({ "sessionId": session_id, "token": token, "trustDevice": trust });
        self.auth(AuthRoute::VerifyTwoFactor, &post(&body))
    }
}

/// The password of every user that a test registers.
pub(crate) const PASSWORD: &str = "una contraseña cualquiera";

/// A request with a JSON body, from one and the same device.
pub(crate) fn post(body: &Value) -> Request {
    let mut headers = HeaderMap::new();
    headers.insert("user-agent", HeaderValue::from_static("harness/1"));
    Request {
        method: Method::POST,
        uri: Uri::default(),
        headers,
        body: Bytes::from(body.to_string()),
        peer: IpAddr::V4(Ipv4Addr::LOCALHOST),
        client: Client::default(),
    }
}

/// The same, with a session token.
pub(crate) fn post_as(token: &str, body: &Value) -> Request {
    let mut request = post(body);
    request.headers.extend(authorization(&format!("Bearer {token}")));
    request
}

/// A login.
pub(crate) fn credentials(email: &str, password: &str) -> Request {
    post(&serde_json::json!({ "email": email, "password": password }))
}

/// The one header.
pub(crate) fn authorization(value: &str) -> HeaderMap {
    let value = HeaderValue::from_str(value).expect("a header value");
    HeaderMap::from_iter([(HeaderName::from_static("authorization"), value)])
}

/// Does the same thing many times at once; the outcomes.
pub(crate) fn in_parallel<T: Send>(times: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let gate = std::sync::Barrier::new(times);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..times)
            .map(|number| {
                let (gate, work) = (&gate, &work);
                scope.spawn(move || {
                    gate.wait();
                    work(number)
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    })
}
