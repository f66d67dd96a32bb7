//! One connection: requests read, answered and written until either side has enough.

use std::convert::Infallible;
use std::net::IpAddr;
use std::pin::pin;
use std::sync::Arc;

use bytes::Bytes;
use http::header::{CONNECTION, EXPECT};
use http::{HeaderValue, request};
use hyper::Response;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio_io_timeout::TimeoutWriter;

use super::Limits;
use super::admission::{Admission, Charge};
use super::body::{self, BodyError, Outgoing};
use super::overload;
use super::panic::{Panicked, caught};
use crate::message::{Interface, Refusal, Reply, Request};

/// What a connection may buffer of heads and bodies it has not yet handed on, in each direction.
const BUFFER_MAX: usize = 64 << 10;

/// Serves a connection until it is closed, or `stop` turns true and the request under way is answered.
pub(super) async fn serve<I: Interface>(
    stream: TcpStream,
    peer: IpAddr,
    interface: Arc<I>,
    limits: Limits,
    admission: &Arc<Admission>,
    mut stop: watch::Receiver<bool>,
) {
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "small packets may be delayed");
    }
    let service = service_fn(|request: hyper::Request<Incoming>| {
        let interface = Arc::clone(&interface);
        async move {
            let (head, body) = request.into_parts();
            let reply = answer(&*interface, head, body, peer, &limits, admission.charge()).await;
            Ok::<_, Infallible>(into_response(reply, admission.charge()))
        }
    });
    // Timed only while the client takes nothing.
    let mut stream = Box::pin(TimeoutWriter::new(stream));
    stream.as_mut().set_timeout_pinned(Some(limits.write_within));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head_within)
        // A client may close its side once it has sent its request.
        .half_close(true)
        // Holding replies back for pipelined ones would lose them, and the 400 too, where a malformed request follows.
        .pipeline_flush(false)
        .max_buf_size(BUFFER_MAX)
        .serve_connection(TokioIo::new(stream), service);
    let mut connection = pin!(connection);
    let stopping = async { _ = stop.wait_for(|stop| *stop).await };
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = stopping => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%peer, %error, "a connection ended early");
    }
}

/// The interface's answer to a request, or the transport's in its place; `charge` pays for the body until it is there.
async fn answer<I: Interface>(
    interface: &I,
    head: request::Parts,
    body: Incoming,
    peer: IpAddr,
    limits: &Limits,
    mut charge: Charge,
) -> Reply {
    let waits = head.headers.contains_key(EXPECT);
    let (body, refusal) = match body::read(body, limits, waits, &mut charge).await {
        Ok(body) => (body, None),
        Err(BodyError::Overloaded) => {
            tracing::debug!(%peer, "no bytes left for a request");
            return overload::reply();
        }
        Err(BodyError::Refused(refusal)) => (Bytes::new(), Some(refusal)),
    };
    let request = into_request(head, body, peer);
    let mut reply = match refusal {
        None => match caught(pin!(interface.answer(&request))).await {
            Ok(reply) => reply,
            Err(Panicked) => interface.refuse(Refusal::Crashed, &request),
        },
        Some(refusal) => interface.refuse(refusal, &request),
    };
    if refusal.is_some() {
        // What is left of the body would be taken for the next request.
        reply.headers.insert(CONNECTION, HeaderValue::from_static("close"));
    }
    tracing::debug!(
        method = %request.method,
        path = request.path,
        status = reply.status.as_u16(),
        bytes = reply.body.len(),
        %peer,
        "answered"
    );
    reply
}

fn into_request(head: request::Parts, body: Bytes, peer: IpAddr) -> Request {
    Request {
        method: head.method,
        // A target in absolute form has its path taken out of it.
        // rule: routing/absolute-form
        path: head.uri.path().to_owned(),
        query: head.uri.query().map(str::to_owned),
        headers: head.headers,
        body,
        peer,
    }
}

fn into_response(reply: Reply, charge: Charge) -> Response<Outgoing> {
    let mut response = Response::new(Outgoing::new(reply.body, charge));
    *response.status_mut() = reply.status;
    *response.headers_mut() = reply.headers;
    response
}
