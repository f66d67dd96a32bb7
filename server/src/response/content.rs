//! What a handler says: a status below 400, a JSON text, and which headers it gets.
//!
//! A handler never names a header of the common groups; its [`HeaderProfile`] says which groups there are.

use bytes::Bytes;
use http::StatusCode;

use crate::json;

/// A response before its headers.
#[derive(Debug, Clone, PartialEq)]
pub struct Response {
    /// The status.
    pub status: StatusCode,
    /// The body, JSON text; `None` for none at all.
    pub body: Option<Bytes>,
    /// Which headers it gets.
    pub profile: HeaderProfile,
}

/// Which headers a response gets.
#[derive(Debug, Clone, PartialEq)]
pub enum HeaderProfile {
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

impl Response {
    /// 200 with a JSON text that nobody may keep.
    #[must_use]
    pub(crate) fn ok(json: impl Into<Bytes>) -> Self {
        Self::plain(StatusCode::OK, json)
    }

    /// 201 with a JSON text.
    #[must_use]
    pub(crate) fn created(json: impl Into<Bytes>) -> Self {
        Self::plain(StatusCode::CREATED, json)
    }

    /// 204.
    #[must_use]
    pub(crate) fn no_content() -> Self {
        Self {
            status: StatusCode::NO_CONTENT,
            body: None,
            // rule: headers/delete-groups
            profile: HeaderProfile::full(Cache::NoCache),
        }
    }

    /// 200 with Content-Type as its only header.
    #[must_use]
    pub(crate) fn bare(json: impl Into<Bytes>) -> Self {
        Self { status: StatusCode::OK, body: Some(json.into()), profile: HeaderProfile::Bare }
    }

    /// The same answer, to be kept as `cache` says and validated by `etag` (hex, no quotes).
    #[must_use]
    pub(crate) fn kept(mut self, cache: Cache, etag: String) -> Self {
        self.profile = HeaderProfile::Full { cache, page: None, etag: Some(etag) };
        self
    }

    /// The same answer with pagination headers.
    #[must_use]
    pub(crate) fn paged(mut self, pagination: Pagination) -> Self {
        if let HeaderProfile::Full { page, .. } = &mut self.profile {
            *page = Some(pagination);
        }
        self
    }

    /// 200 without a body, for `OPTIONS`.
    pub(crate) fn preflight() -> Self {
        Self {
            // rule: routing/options-status
            status: StatusCode::OK,
            // rule: routing/options-no-body
            body: None,
            profile: HeaderProfile::Preflight,
        }
    }

    pub(crate) fn not_modified(etag: String) -> Self {
        Self {
            status: StatusCode::NOT_MODIFIED,
            // rule: conditional/304-no-body
            body: None,
            profile: HeaderProfile::NotModified { etag },
        }
    }

    pub(crate) fn plain(status: StatusCode, json: impl Into<Bytes>) -> Self {
        Self { status, body: Some(json.into()), profile: HeaderProfile::full(Cache::NoCache) }
    }

    pub(crate) fn denied(status: StatusCode, json: impl Into<Bytes>) -> Self {
        Self { status, body: Some(json.into()), profile: HeaderProfile::Denied }
    }
}

impl Pagination {
    /// The current page as JavaScript prints it, `1e+21` for a page of many digits.
    #[must_use]
    pub(crate) fn page_text(&self) -> String {
        let mut text = String::new();
        json::write_number_to(&mut text, self.page);
        text
    }
}

impl HeaderProfile {
    /// The common builder with this cache row, without pagination or ETag.
    #[must_use]
    pub(crate) fn full(cache: Cache) -> Self {
        Self::Full { cache, page: None, etag: None }
    }
}
