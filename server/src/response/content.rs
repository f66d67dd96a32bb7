//! What a handler says: a status below 400, a JSON text, and how it is to be dressed.
//!
//! A handler never names a header of the common groups; [`Dress`] says which groups it gets.

use bytes::Bytes;
use http::StatusCode;

use crate::json;

/// An answer before its headers.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The status.
    pub status: StatusCode,
    /// The body, JSON text; `None` for none at all.
    pub body: Option<Bytes>,
    /// Which headers it gets.
    pub dress: Dress,
}

/// Which headers an answer gets.
#[derive(Debug, Clone, PartialEq)]
pub enum Dress {
    /// The common builder: base, CORS, version, security, cache, and pagination when given.
    Full {
        /// The cache row.
        cache: Cache,
        /// Pagination headers.
        page: Option<Pagination>,
        /// The MD5 of the data, in hex; with it Last-Modified. The answer may turn into a 304.
        etag: Option<String>,
    },
    /// The common builder for a refused credential: no-cache, then a Content-Type of its own and WWW-Authenticate.
    Denied,
    /// Content-Type alone: a login that waits for its second factor.
    Bare,
    /// CORS, version and security: `OPTIONS`.
    Preflight,
    /// CORS, the ETag and a public cache row: 304.
    NotModified {
        /// The ETag that matched.
        etag: String,
    },
}

/// A row of the cache table that some operation uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cache {
    /// Never kept by anyone.
    NoCache,
    /// Kept by anyone for 300 s.
    Public,
    /// Kept by the client for 60 s.
    Private,
}

/// The pagination object. Counts are JS numbers: a page may lie beyond every integer type.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pagination {
    /// Current page, at least 1.
    pub page: f64,
    /// Items a page, 1 to 100.
    pub limit: usize,
    /// Items after filtering.
    pub total: usize,
    /// Pages in all.
    pub pages: usize,
    /// Whether a later item exists.
    pub has_next: bool,
    /// Whether the page is beyond the first.
    pub has_prev: bool,
}

impl Answer {
    /// 200 with a JSON text that nobody may keep.
    #[must_use]
    pub fn ok(json: impl Into<Bytes>) -> Self {
        Self::plain(StatusCode::OK, json)
    }

    /// 201 with a JSON text.
    #[must_use]
    pub fn created(json: impl Into<Bytes>) -> Self {
        Self::plain(StatusCode::CREATED, json)
    }

    /// 204.
    #[must_use]
    pub fn no_content() -> Self {
        Self {
            status: StatusCode::NO_CONTENT,
            body: None,
            // rule: headers/delete-groups
            dress: Dress::full(Cache::NoCache),
        }
    }

    /// 200 with Content-Type as its only header.
    #[must_use]
    pub fn bare(json: impl Into<Bytes>) -> Self {
        Self { status: StatusCode::OK, body: Some(json.into()), dress: Dress::Bare }
    }

    /// The same answer, to be kept as `cache` says and validated by `etag` (hex, no quotes).
    #[must_use]
    pub fn kept(mut self, cache: Cache, etag: String) -> Self {
        self.dress = Dress::Full { cache, page: None, etag: Some(etag) };
        self
    }

    /// The same answer with pagination headers.
    #[must_use]
    pub fn paged(mut self, pagination: Pagination) -> Self {
        if let Dress::Full { page, .. } = &mut self.dress {
            *page = Some(pagination);
        }
        self
    }

    /// 200 without a body, for `OPTIONS`.
    pub(super) fn preflight() -> Self {
        Self {
            // rule: routing/options-status
            status: StatusCode::OK,
            // rule: routing/options-no-body
            body: None,
            dress: Dress::Preflight,
        }
    }

    pub(super) fn not_modified(etag: String) -> Self {
        Self {
            status: StatusCode::NOT_MODIFIED,
            // rule: conditional/304-no-body
            body: None,
            dress: Dress::NotModified { etag },
        }
    }

    pub(super) fn plain(status: StatusCode, json: impl Into<Bytes>) -> Self {
        Self { status, body: Some(json.into()), dress: Dress::full(Cache::NoCache) }
    }

    pub(super) fn denied(status: StatusCode, json: impl Into<Bytes>) -> Self {
        Self { status, body: Some(json.into()), dress: Dress::Denied }
    }
}

impl Pagination {
    /// The current page as JavaScript prints it, `1e+21` for a page of many digits.
    #[must_use]
    pub fn page_text(&self) -> String {
        let mut text = String::new();
        json::write_number_to(&mut text, self.page);
        text
    }
}

impl Dress {
    /// The common builder with this cache row, without pagination or ETag.
    #[must_use]
    pub fn full(cache: Cache) -> Self {
        Self::Full { cache, page: None, etag: None }
    }
}
