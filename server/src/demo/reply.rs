//! The shapes of a reply of the demonstration interfaces, and every header they carry. Decides no status.

use bytes::Bytes;
use http::header::{ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN};
use http::{HeaderMap, HeaderValue, StatusCode};

use crate::message::Reply;

/// A JSON text under `application/json`.
pub(super) fn json(status: StatusCode, text: impl Into<Bytes>) -> Reply {
    // rule: users/content-type
    Reply::typed(status, "application/json", text)
}

/// What `OPTIONS` gets: 204, and which methods a page of another origin may use.
pub(super) fn preflight(methods: &'static str) -> Reply {
    let headers = [
        // rule: users/options-origin
        (ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        (ACCESS_CONTROL_ALLOW_METHODS, methods),
        // rule: users/options-headers
        (ACCESS_CONTROL_ALLOW_HEADERS, "Content-Type"),
    ];
    let headers = headers.map(|(name, value)| (name, HeaderValue::from_static(value)));
    Reply { headers: HeaderMap::from_iter(headers), ..Reply::empty(StatusCode::NO_CONTENT) }
}
