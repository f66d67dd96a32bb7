//! A catalogue on the disk of `disk`, its clock, and the requests of its clients.

use std::net::{IpAddr, Ipv4Addr};

use bytes::Bytes;
use futures_executor::block_on;
use http::header::AUTHORIZATION;
use http::{HeaderMap, HeaderValue, Method};
use serde_json::{Value, json};

use crate::disk::{Disk, SECRET, text};
use libros_server::app::{CatalogueSettings, build_catalogue};
use libros_server::books::InitialBooks;
use libros_server::catalogue::Catalogue;
use libros_server::crypto::{password::Cost, secret::Secret};
use libros_server::message::{Client, Interface as _, Refusal, Request};
use libros_server_store::Loaded;
use libros_server_system::{clock::Clock, entropy::Entropy};

/// A JWT of the initial admin, who may read, write and delete books; its use writes nothing to the store.
pub(crate) const ADMIN: &str = "JWT e30=.eyJlbWFpbCI6ImFkbWluQGJpYmxpb3RlY2EuZXhhbXBsZSJ9.x";

pub(crate) const PASSWORD: &str = "una contraseña";

pub(crate) struct Service {
    catalogue: Catalogue,
    pub(crate) clock: Clock,
    pub(crate) disk: Disk,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
    pub(crate) body: Value,
}

impl Service {
    pub(crate) fn new() -> Self {
        Self::over(Disk::default(), Clock::default(), Loaded::default(), [SECRET, ""])
    }

    /// Stops the service in order and starts it again.
    pub(crate) fn restarted(self) -> Self {
        self.restarted_with([SECRET, ""], |_| ())
    }

    /// As [`Service::restarted`], with the operator's current and former secrets, after `meddle` has changed the store.
    pub(crate) fn restarted_with(self, secrets: [&str; 2], meddle: impl FnOnce(&mut Loaded)) -> Self {
        let (disk, clock) = (self.disk.clone(), self.clock.clone());
        drop(self);
        let mut loaded = disk.loaded();
        meddle(&mut loaded);
        Self::over(disk, clock, loaded, secrets)
    }

    /// Starts a service on the disk, from the loaded records, with the operator's current secret, and the former one or none.
    fn over(disk: Disk, clock: Clock, loaded: Loaded, [current, former]: [&str; 2]) -> Self {
        let secret = |text: &str| Secret::from(text.as_bytes().to_vec());
        let settings = CatalogueSettings {
            initial: InitialBooks::five().expect("five books"),
            secret: secret(current),
            former_secret: (!former.is_empty()).then(|| secret(former)),
            password_cost: Cost { memory_kib: 8, passes: 1, lanes: 1 },
            hashing_threads: 2,
            build: HeaderValue::from_static("testing"),
            clock: clock.clone(),
            entropy: Entropy::system(),
        };
        let catalogue = build_catalogue(settings, disk.clone(), loaded).expect("a sound store");
        Self { catalogue, clock, disk }
    }

    pub(crate) fn refuse_as_crashed(&self, line: &str) -> Reply {
        self.catalogue.refuse(Refusal::Crashed, &request(line, "", "")).into()
    }

    pub(crate) fn reset(&self) {
        block_on(self.catalogue.reset()).expect("the initial state");
    }

    pub(crate) fn send(&self, line: &str, authorization: &str, body: &str) -> Reply {
        self.send_request(&request(line, authorization, body))
    }

    pub(crate) fn send_request(&self, request: &Request) -> Reply {
        block_on(self.catalogue.answer(request)).into()
    }

    pub(crate) fn get(&self, path: &str, authorization: &str) -> Reply {
        self.send(&format!("GET {path}"), authorization, "")
    }

    pub(crate) fn post(&self, path: &str, authorization: &str, body: &Value) -> Reply {
        self.send(&format!("POST {path}"), authorization, &body.to_string())
    }

    pub(crate) fn login(&self, email: &str) -> Value {
        let reply = self.post("/auth/login", "", &json!({ "email": email, "password": PASSWORD }));
        assert_eq!(reply.status, 200, "{}", reply.body);
        reply.body
    }

    /// Registers a user and logs in; returns the authorization of the session.
    pub(crate) fn registered(&self, email: &str, role: &str) -> String {
        self.register(email, role);
        format!("Bearer {}", text(&self.login(email)["tokens"]["sessionToken"]))
    }

    pub(crate) fn register(&self, email: &str, role: &str) {
        let body = json!({ "email": email, "password": PASSWORD, "role": role });
        assert_eq!(self.post("/auth/registro", "", &body).status, 201);
    }

    /// Registers an admin and enables the second factor.
    pub(crate) fn enrolled_admin(&self, email: &str) -> Protected {
        let session = self.registered(email, "admin");
        let enabled = self.post("/2fa/enable", &session, &json!({})).body;
        let codes = enabled["backupCodes"].as_array().expect("codes").iter().map(text).collect();
        Protected { session, codes, secret: text(&enabled["secret"]) }
    }

    /// Logs in; returns the id of the login that waits for its second factor.
    pub(crate) fn pending_login(&self, email: &str) -> String {
        text(&self.login(email)["sessionId"])
    }

    pub(crate) fn verify(&self, session: &str, code: &str, trust: bool) -> Reply {
        let body = json!({ "sessionId": session, "token": code, "trustDevice": trust });
        self.post("/auth/verify-2fa", "", &body)
    }
}

pub(crate) struct Protected {
    pub(crate) session: String,
    pub(crate) codes: Vec<String>,
    /// In hex.
    pub(crate) secret: String,
}

pub(crate) fn request(line: &str, authorization: &str, body: &str) -> Request {
    let (method, path) = line.split_once(' ').expect("a method and a path");
    Request {
        method: Method::from_bytes(method.as_bytes()).expect("a method"),
        uri: path.parse().expect("a target"),
        headers: HeaderMap::from_iter([(AUTHORIZATION, HeaderValue::from_str(authorization).expect("a header value"))]),
        body: Bytes::from(body.to_owned()),
        peer: IpAddr::V4(Ipv4Addr::LOCALHOST),
        client: Client::default(),
    }
}

impl From<libros_server::message::Reply> for Reply {
    fn from(reply: libros_server::message::Reply) -> Self {
        let text = String::from_utf8(reply.body.to_vec()).expect("UTF-8");
        // A body may be too deep for this reader; `text` has it.
        let body = serde_json::from_str(&text).unwrap_or(Value::Null);
        Self { status: reply.status.as_u16(), headers: reply.headers, text, body }
    }
}
