//! The shapes of a reply of the demonstration interfaces, and every header they carry. Decides no status.

use bytes::Bytes;
use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN, CONTENT_TYPE,
};
use http::{HeaderMap, HeaderValue, StatusCode};

use crate::message::Reply;

/// A JSON text under `application/json`.
pub(super) fn json(status: StatusCode, text: impl Into<Bytes>) -> Reply {
    // rule: users/content-type
    typed(status, "application/json", text)
}

pub(super) fn typed(status: StatusCode, media_type: &'static str, text: impl Into<Bytes>) -> Reply {
    let mut headers = HeaderMap::with_capacity(1);
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    Reply { status, headers, body: text.into() }
}

/// 204 without a header.
pub(super) fn no_content() -> Reply {
    Reply { status: StatusCode::NO_CONTENT, headers: HeaderMap::new(), body: Bytes::new() }
}

/// What `OPTIONS` gets: 204, and which methods a page of another origin may use.
pub(super) fn preflight(methods: &'static str) -> Reply {
    let mut reply = no_content();
    for (name, value) in [
        // rule: users/options-origin
        (ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        (ACCESS_CONTROL_ALLOW_METHODS, methods),
        // rule: users/options-headers
        (ACCESS_CONTROL_ALLOW_HEADERS, "Content-Type"),
    ] {
        reply.headers.insert(name, HeaderValue::from_static(value));
    }
    reply
}
