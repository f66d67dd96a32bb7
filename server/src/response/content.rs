//! The response of a handler: a status below 400, a JSON text, and a profile of headers.
//! A handler names no header of the common groups: its [`HeaderProfile`] selects the groups.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, StatusCode};

use super::once_a_second::OnceASecond;
use libros_server_query::Page;

/// A response before its headers.
#[derive(Debug, Clone)]
pub(crate) struct Response {
    pub(crate) status: StatusCode,
    /// The body, JSON text; `None` for none at all.
    pub(crate) body: Option<Bytes>,
    pub(crate) profile: HeaderProfile,
}

#[derive(Debug, Clone)]
pub(crate) enum HeaderProfile {
    /// The common builder: base, CORS, version, security, no-cache.
    NoCache,
    /// The common builder for a list: kept by anyone for 300 s, with pagination, ETag and Last-Modified. May turn into a 304.
    List(Arc<ListHeaders>),
    /// The common builder for one book: kept by the client for 60 s, with ETag and Last-Modified. May turn into a 304.
    Book { etag: HeaderValue },
    /// The common builder for a refused credential: no-cache, then its own Content-Type and WWW-Authenticate.
    Denied,
    /// Content-Type alone: a login that waits for its second factor.
    Bare,
    /// CORS, version and security: `OPTIONS`.
    Preflight,
    /// CORS, the ETag that matched and a public cache row: 304.
    NotModified { etag: HeaderValue },
}

/// The content of a list's headers, except for the time and the version label.
#[derive(Debug)]
pub(crate) struct ListHeaders {
    /// The MD5 of the items, in hex.
    pub(crate) etag: HeaderValue,
    /// The page without its books.
    pub(crate) page: Page,
    /// All headers in one map, from the second answer on.
    pub(super) laid_out: OnceASecond<HeaderMap>,
    pub(super) answered: AtomicBool,
}

impl Response {
    /// A JSON text that must not be cached.
    fn new(status: StatusCode, json: impl Into<Bytes>) -> Self {
        Self { status, body: Some(json.into()), profile: HeaderProfile::NoCache }
    }

    pub(crate) fn ok(json: impl Into<Bytes>) -> Self {
        Self::new(StatusCode::OK, json)
    }

    pub(crate) fn created(json: impl Into<Bytes>) -> Self {
        Self::new(StatusCode::CREATED, json)
    }

    pub(crate) fn no_content() -> Self {
        Self { status: StatusCode::NO_CONTENT, body: None, profile: HeaderProfile::NoCache }
    }
}

impl ListHeaders {
    pub(crate) fn new(etag: HeaderValue, page: Page) -> Self {
        Self { etag, page, laid_out: OnceASecond::default(), answered: AtomicBool::new(false) }
    }
}
