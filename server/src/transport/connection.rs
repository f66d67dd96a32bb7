//! One connection: requests read, answered and written until either side has enough.

use std::convert::Infallible;
use std::future::{Ready, ready};
use std::net::IpAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::Arc;
use std::thread;

use bytes::Bytes;
use futures_util::FutureExt as _;
use futures_util::future::Either;
use http::header::{CONNECTION, EXPECT};
use http::{HeaderValue, Version, request};
use hyper::Response;
use hyper::body::{Body as _, Incoming};
use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::sync::watch;

use super::body::{self, BodyError, Outgoing};
use super::stream::{Socket, Stream};
use super::{Limits, admission::Admission, head_deadline::HeadDeadline, overload, poll_when_woken::poll_when_woken};
use crate::message::{Answer, Client, Interface, Pending, Refusal, Reply, Request};

/// Largest number of bytes of heads and bodies that a connection buffers in each direction.
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
        // Holding replies back for pipelined ones would lose them, and the 400 too, where a malformed request follows.
        .pipeline_flush(false)
        .max_buf_size(BUFFER_MAX)
        .serve_connection(TokioIo::new(stream), service);
    let mut connection = pin!(connection);
    let interrupted = pin!(async {
        tokio::select! {
            _ = stop.wait_for(|stop| *stop) => true,
            () = head.missed() => false,
        }
    });
    let ended = tokio::select! {
        biased;
        ended = connection.as_mut() => Some(ended),
        is_stopping = poll_when_woken(interrupted) => if is_stopping {
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

type Outcome = Result<Response<Outgoing>, Infallible>;

/// A response that is there, or one that is waited for: boxed, since the library moves it, and it is large.
type Answering<'a> = Either<Ready<Outcome>, Pending<'a, Outcome>>;

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
    type Future = Answering<'a>;

    fn call(&self, request: hyper::Request<Incoming>) -> Answering<'a> {
        let service = *self;
        service.head.head_read();
        let (head, body) = request.into_parts();
        if !body.is_end_stream() || !service.admission.has_room() {
            return Either::Right(Box::pin(async move { Ok(service.read_and_answer(head, body).await) }));
        }
        match service.answer(service.request(head, Bytes::new())) {
            Answer::Now(reply) => Either::Left(ready(Ok(service.response(reply)))),
            Answer::After(reply) => Either::Right(Box::pin(async move { Ok(service.response(reply.await)) })),
        }
    }
}

impl<'a> Service<'a> {
    /// Reads the body and answers; the bytes of the body count as in use until then.
    async fn read_and_answer(self, head: request::Parts, body: Incoming) -> Response<Outgoing> {
        let waits = head.headers.contains_key(EXPECT);
        let mut charge = self.admission.charge();
        let reply = match body::read(body, self.limits, waits, &mut charge).await {
            Ok(body) => self.answer(self.request(head, body)).await,
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
    fn answer(self, request: Request) -> Answer<'a> {
        let request = Arc::new(request);
        // State that handlers share stays valid after a panic at any point: it is replaced whole, under locks whose poisoning is
        // disregarded for that reason.
        match catch_unwind(AssertUnwindSafe(|| self.interface.answer(&request))) {
            Ok(Answer::Now(reply)) => Answer::Now(self.answered(Ok(reply), &request)),
            Ok(Answer::After(pending)) => {
                Answer::after(async move { self.answered(AssertUnwindSafe(pending).catch_unwind().await, &request) })
            }
            Err(panicked) => Answer::Now(self.answered(Err(panicked), &request)),
        }
    }

    fn answered(&self, reply: thread::Result<Reply>, request: &Request) -> Reply {
        match reply {
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
        let mut response = Response::new(Outgoing::new(reply.body, self.admission.charge()));
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
