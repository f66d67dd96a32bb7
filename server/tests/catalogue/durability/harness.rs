//! A service over such a disk: requests begun, polled and answered.

use std::net::{IpAddr, Ipv4Addr};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context as TaskContext, Waker};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use libros_server::catalogue::Catalogue;
use libros_server::message::{Client, Interface as _, Request};
use libros_server_system::clock::Clock;
use serde_json::Value;

use crate::disk::{self, Disk, Mode, SECRET, wait};

/// A catalogue and its disk.
pub(crate) struct Service {
    catalogue: Catalogue,
    pub(crate) disk: Disk,
}

/// What a request came to.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) text: String,
    pub(crate) body: Value,
}

/// A request under way.
pub(crate) type Exchange<'a> = Pin<Box<dyn Future<Output = Reply> + 'a>>;

impl Service {
    /// One in the initial state.
    pub(crate) fn new() -> Self {
        Self::over(Disk::default())
    }

    /// The same after a stop and a start.
    pub(crate) fn restarted(self) -> Self {
        let disk = self.disk.clone();
        drop(self);
        Self::over(disk)
    }

    fn over(disk: Disk) -> Self {
        let catalogue = disk::catalogue(&disk, disk.loaded(), Clock::new(), [SECRET, ""]);
        Self { catalogue, disk }
    }

    /// Starts a request; it goes on when it is polled.
    pub(crate) fn begin(&self, line: &str, credential: Credential<'_>, body: &str) -> Exchange<'_> {
        let (method, path) = line.split_once(' ').expect("a method and a path");
        let (name, value) = credential.header();
        let request = Arc::new(Request {
            method: Method::from_bytes(method.as_bytes()).expect("a method"),
            uri: path.parse().expect("a target"),
            headers: HeaderMap::from_iter([(name, HeaderValue::from_str(&value).expect("a header value"))]),
            body: Bytes::from(body.to_owned()),
            peer: IpAddr::V4(Ipv4Addr::LOCALHOST),
            client: Client::default(),
        });
        Box::pin(async move {
            let reply = self.catalogue.answer(&request).await;
            let text = String::from_utf8(reply.body.to_vec()).expect("UTF-8");
            // A body may be too deep for this reader; then the text tells.
            let body = serde_json::from_str(&text).unwrap_or(Value::Null);
            Reply { status: reply.status.as_u16(), text, body }
        })
    }

    /// A whole exchange.
    pub(crate) fn send(&self, line: &str, credential: Credential<'_>, body: &str) -> Reply {
        wait(self.begin(line, credential, body))
    }
}

impl Drop for Service {
    /// A test that fails while the disk hangs shall end.
    fn drop(&mut self) {
        self.disk.set(Mode::Working);
    }
}

/// Who asks.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Credential<'a> {
    Nobody,
    /// The initial admin, who reads, writes and deletes books, by a JWT: its use leaves the store nothing to note.
    Admin,
    /// A session token.
    Session(&'a str),
}

impl Credential<'_> {
    fn header(self) -> (HeaderName, String) {
        match self {
            Self::Nobody => (HeaderName::from_static("user-agent"), "test".to_owned()),
            Self::Admin => {
                let payload = STANDARD.encode(r#"{"email":"admin@biblioteca.example"}"#);
                (HeaderName::from_static("authorization"), format!("JWT e30=.{payload}.x"))
            }
            Self::Session(token) => (HeaderName::from_static("authorization"), format!("Bearer {token}")),
        }
    }
}

/// Polls an exchange once; whether it is answered already.
pub(crate) fn is_answered(exchange: &mut Exchange<'_>) -> bool {
    exchange.as_mut().poll(&mut TaskContext::from_waker(Waker::noop())).is_ready()
}
