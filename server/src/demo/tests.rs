//! What the tests of several interfaces share: a request, and an answer without a runtime.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderValue, Method};

use crate::message::Request;

/// Runs a future that never waits.
pub(super) fn block_on<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("an interface without a store waited for something"),
    }
}

/// A request with a JSON body.
pub(super) fn request(method: Method, path: &str, body: &str) -> Request {
    Request {
        method,
        uri: path.parse().expect("a target"),
        headers: HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static("application/json"))]),
        body: Bytes::copy_from_slice(body.as_bytes()),
        peer: std::net::Ipv4Addr::LOCALHOST.into(),
        client: crate::message::Client::default(),
    }
}
