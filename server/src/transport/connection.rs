//! One connection: reads requests and writes answers until either side ends it.

use std::convert::Infallible;
use std::net::IpAddr;
use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt as _, StreamExt as _};
use http::header::{CONNECTION, EXPECT};
use http::{HeaderValue, Version, request};
use hyper::Response;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::sync::watch;

use super::admission::BodyError;
use super::body::{self, Outgoing, outgoing};
use super::stream::{Socket, Stream};
use super::{Limits, admission::Admission, head_deadline::HeadDeadline, overload};
use crate::message::{Client, Interface, Pending, Refusal, Reply, Request};

/// Most bytes that a connection buffers in each direction.
const BUFFER_MAX: usize = 64 << 10;

/// Serves a connection until it is closed, its client is too slow, or `stop` turns true and the request under way is answered.
pub(super) async fn serve(
    socket: TcpStream,
    peer: IpAddr,
    interface: Arc<dyn Interface>,
    limits: Limits,
    admission: &Arc<Admission>,
    mut stop: watch::Receiver<bool>,
) {
    if let Err(error) = socket.set_nodelay(true) {
        tracing::debug!(%error, "small packets may be delayed");
    }
    let head = HeadDeadline::new(limits.head_within);
    let socket = Socket::new(socket);
    let service = Service { interface: &*interface, peer, limits: &limits, admission, head: &head, socket: &socket };
    let stream = Stream::new(Arc::clone(&socket), limits.write_within, &head);
    let connection = http1::Builder::new()
        // Timed here: the library would make a timer for each request.
        .header_read_timeout(None)
        // A client may close its side once it has sent its request.
        .half_close(true)
        // Holding back replies to pipelined requests would lose them if a malformed request follows, and its 400, too.
        .pipeline_flush(false)
        .max_buf_size(BUFFER_MAX)
        .serve_connection(TokioIo::new(stream), service);
    let mut connection = pin!(connection);
    let interrupted = async {
        tokio::select! {
            _ = stop.wait_for(|stop| *stop) => true,
            () = head.missed() => false,
        }
    };
    // Polled only when the deadline woke it, not at each request.
    let mut interrupted = FuturesUnordered::from_iter([interrupted]);
    let ended = tokio::select! {
        biased;
        ended = connection.as_mut() => Some(ended),
        is_stopping = interrupted.select_next_some() => if is_stopping {
            connection.as_mut().graceful_shutdown();
            tokio::select! { ended = connection => Some(ended), () = head.missed() => None }
        } else {
            None
        },
    };
    match ended {
        Some(Ok(())) => {}
        Some(Err(error)) => tracing::debug!(%peer, %error, "a connection ended early"),
        None => tracing::debug!(%peer, "no head of a request came in time"),
    }
}

#[derive(Clone, Copy)]
struct Service<'a> {
    interface: &'a dyn Interface,
    peer: IpAddr,
    limits: &'a Limits,
    admission: &'a Arc<Admission>,
    head: &'a HeadDeadline,
    socket: &'a Arc<Socket>,
}

impl<'a> hyper::service::Service<hyper::Request<Incoming>> for Service<'a> {
    type Response = Response<Outgoing>;
    type Error = Infallible;
    /// Boxed, since the library moves it, and it is large.
    type Future = Pending<'a, Result<Response<Outgoing>, Infallible>>;

    fn call(&self, request: hyper::Request<Incoming>) -> Self::Future {
        let service = *self;
        service.head.head_read();
        let (head, body) = request.into_parts();
        Box::pin(async move { Ok(service.read_and_answer(head, body).await) })
    }
}

impl Service<'_> {
    /// Reads the body and answers; the bytes of the body count as in use until then.
    async fn read_and_answer(self, head: request::Parts, body: Incoming) -> Response<Outgoing> {
        let waits = head.headers.contains_key(EXPECT);
        let mut charge = self.admission.charge();
        let reply = match body::read(body, self.limits, waits, &mut charge).await {
            Ok(body) => self.answer(&self.request(head, body)).await,
            Err(BodyError::Overloaded) => {
                tracing::debug!(peer = %self.peer, "no bytes left for a request");
                overload::reply()
            }
            Err(BodyError::Refused(refusal)) => {
                let mut reply = self.refuse(refusal, &self.request(head, Bytes::new()));
                // The rest of the body would be read as the next request.
                reply.headers.insert(CONNECTION, HeaderValue::from_static("close"));
                reply
            }
        };
        self.response(reply)
    }

    /// The interface's answer, or the transport's where the interface panics.
    async fn answer(self, request: &Request) -> Reply {
        // State that handlers share stays valid after a panic at any point: it is replaced whole. So locks ignore their poisoning.
        let answered = AssertUnwindSafe(async { self.interface.answer(request).await });
        match answered.catch_unwind().await {
            Ok(reply) => {
                log(request, &reply);
                reply
            }
            Err(_) => self.refuse(Refusal::Crashed, request),
        }
    }

    fn refuse(&self, refusal: Refusal, request: &Request) -> Reply {
        let reply = self.interface.refuse(refusal, request);
        log(request, &reply);
        reply
    }

    fn request(&self, head: request::Parts, body: Bytes) -> Request {
        // Only requests with a body take long enough to watch for a client that left; HTTP/1.0 clients close their half early.
        let is_watched = head.version == Version::HTTP_11 && !body.is_empty();
        let client = if is_watched { Client::of(self.socket) } else { Client::default() };
        Request { method: head.method, uri: head.uri, headers: head.headers, body, peer: self.peer, client }
    }

    fn response(&self, reply: Reply) -> Response<Outgoing> {
        self.head.answered();
        let mut response = Response::new(outgoing(reply.body, self.admission.charge()));
        *response.status_mut() = reply.status;
        *response.headers_mut() = reply.headers;
        response
    }
}

fn log(request: &Request, reply: &Reply) {
    tracing::debug!(
        method = %request.method,
        path = request.path(),
        status = reply.status.as_u16(),
        bytes = reply.body.len(),
        peer = %request.peer,
        "answered"
    );
}
