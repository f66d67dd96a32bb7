//! One request and one reply, fully read, and the interface that turns the one into the other.
//!
//! Everything above the transport uses these types only. Never touches a socket.

use std::net::IpAddr;
use std::pin::Pin;
use std::sync::{Arc, Weak};

use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};

/// A request, its body read whole.
#[derive(Debug, Clone)]
pub struct Request {
    /// The method as sent.
    pub method: Method,
    /// The target as sent.
    pub uri: Uri,
    /// The headers, in the order sent.
    pub headers: HeaderMap,
    /// The body; empty when there is none.
    pub body: Bytes,
    /// The address at the other end of the connection.
    pub peer: IpAddr,
    /// The client that waits for the reply.
    pub client: Client,
}

impl Request {
    /// The path as sent: undecoded, without the query.
    pub fn path(&self) -> &str {
        // A target in absolute form has its path taken out of it.
        // rule: routing/absolute-form
        self.uri.path()
    }

    /// The text after the `?`, undecoded; `None` without a `?`.
    pub fn query(&self) -> Option<&str> {
        self.uri.query()
    }
}

/// A connection, as the transport sees it.
pub trait Connection: std::fmt::Debug + Send + Sync {
    /// Whether its client waits for a reply. Asking may send something.
    fn presence(&self) -> Presence;
}

/// Whether a client waits for a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// It has closed nothing.
    There,
    /// It has closed its sending half, as some waiting clients do, or the whole connection: at first, both look the same.
    Doubtful,
    /// The connection has ended.
    Gone,
}

/// The client of a connection that may end at any time; the default client stays for ever.
#[derive(Debug, Clone, Default)]
pub struct Client(Option<Weak<dyn Connection>>);

impl Client {
    /// The client of a connection.
    pub fn of(connection: &Arc<impl Connection + 'static>) -> Self {
        Self(Some(Arc::downgrade(connection) as Weak<dyn Connection>))
    }

    /// Whether it waits for a reply. Asking may send something.
    pub fn presence(&self) -> Presence {
        let connection = self.0.as_ref().map(Weak::upgrade);
        connection.map_or(Presence::There, |open| open.map_or(Presence::Gone, |open| open.presence()))
    }
}

/// A reply, complete except for what the transport adds (`Date`, framing).
#[derive(Debug, Clone)]
pub struct Reply {
    /// The status.
    pub status: StatusCode,
    /// Every header of the reply.
    pub headers: HeaderMap,
    /// The body; empty for none.
    pub body: Bytes,
}

impl Reply {
    pub(crate) fn empty(status: StatusCode) -> Self {
        Self { status, headers: HeaderMap::new(), body: Bytes::new() }
    }

    /// A JSON text under `application/json`.
    pub(crate) fn json(status: StatusCode, text: impl Into<Bytes>) -> Self {
        // rule: users/content-type
        Self::typed(status, "application/json", text)
    }

    /// A reply whose one header is its media type.
    pub(crate) fn typed(status: StatusCode, media_type: &'static str, body: impl Into<Bytes>) -> Self {
        let headers = HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static(media_type))]);
        Self { status, headers, body: body.into() }
    }
}

/// Why the transport answers in an interface's place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The body is larger than the limit.
    BodyTooLarge,
    /// The body ended early or could not be read in time.
    BodyUnreadable,
    /// The handler panicked.
    Crashed,
}

/// A value that is ready at once, after a commit, or after work on other threads.
pub type Pending<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// One HTTP interface: what a listener serves. The transport holds it as `dyn`: hyper is compiled once, not once an interface.
pub trait Interface: Send + Sync + 'static {
    /// Answers a request. The transport catches a panic, here or in the future, and then calls [`Interface::refuse`].
    fn answer<'a>(&'a self, request: &'a Request) -> Pending<'a, Reply>;

    /// Answers, in the interface's own envelope, a request that the transport refused. Its body is empty.
    fn refuse(&self, refusal: Refusal, request: &Request) -> Reply;
}
