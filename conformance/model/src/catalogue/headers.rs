//! The header groups and the common response builder: base, CORS, version, security, cache, pagination, custom;
//! a later group overrides an earlier one.

use serde_json::Value;

use crate::js;
use crate::list::Page;
use crate::message::{Reply, Request};

/// A header: its name and its value.
pub type Header = (&'static str, &'static str);

/// The base group.
pub const BASE: &[Header] = &[
    ("Content-Type", "application/json; charset=utf-8"),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("X-XSS-Protection", "1; mode=block"),
];

/// The CORS group.
pub const CORS: &[Header] = &[
    ("Access-Control-Allow-Origin", "*"),
    ("Access-Control-Allow-Methods", "GET, POST, PUT, DELETE, PATCH, OPTIONS, HEAD"),
    ("Access-Control-Allow-Headers", "Content-Type, Authorization, X-API-Version, X-Request-ID"),
    ("Access-Control-Expose-Headers", "X-Total-Count, X-Page-Count, X-Current-Page"),
    ("Access-Control-Max-Age", "86400"),
];

/// The security group.
pub const SECURITY: &[Header] = &[
    ("Strict-Transport-Security", "max-age=31536000; includeSubDomains"),
    ("Content-Security-Policy", "default-src 'self'"),
    ("Referrer-Policy", "strict-origin-when-cross-origin"),
    ("Permissions-Policy", "geolocation=(), microphone=()"),
];

/// The cache group of what may not be cached.
pub const NO_CACHE: &[Header] =
    &[("Cache-Control", "no-cache, no-store, must-revalidate"), ("Pragma", "no-cache"), ("Expires", "0")];

/// A cache group. Ages in seconds.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Cache {
    No,
    Public(u32),
    Private(u32),
}

/// Sets the headers of a group.
pub fn put(reply: &mut Reply, group: &[Header]) {
    group.iter().for_each(|(name, value)| reply.set(name, value));
}

/// The version group: the label of the request, echoed; the build.
pub(crate) fn version(request: &Request, reply: &mut Reply) {
    let label = request.header("x-api-version").filter(|label| !label.is_empty());
    reply.set("X-API-Version", label.as_deref().unwrap_or("1.0.0"));
    reply.set("X-API-Build", "development");
}

/// The common response builder.
pub(crate) struct ResponseBuilder<'a> {
    request: &'a Request,
    status: u16,
    body: Option<String>,
    cache: Cache,
    page: Option<Page>,
    custom: Vec<(&'static str, String)>,
}

impl<'a> ResponseBuilder<'a> {
    pub(crate) fn new(request: &'a Request, status: u16) -> Self {
        Self { request, status, body: None, cache: Cache::No, page: None, custom: Vec::new() }
    }

    pub(crate) fn body(mut self, body: &Value) -> Self {
        self.body = Some(js::stringify(body));
        self
    }

    /// With this cache group instead of no-cache.
    pub(crate) fn cache(mut self, cache: Cache) -> Self {
        self.cache = cache;
        self
    }

    /// With the pagination group.
    pub(crate) fn page(mut self, page: &Page) -> Self {
        self.page = Some(page.clone());
        self
    }

    /// With a header of its own.
    pub(crate) fn header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.custom.push((name, value.into()));
        self
    }

    /// Puts the groups together in their order of override.
    pub(crate) fn build(self) -> Reply {
        let mut reply = Reply::bare(self.status);
        put(&mut reply, BASE);
        put(&mut reply, CORS);
        version(self.request, &mut reply);
        put(&mut reply, SECURITY);
        match self.cache {
            Cache::No => put(&mut reply, NO_CACHE),
            Cache::Public(age) => reply.set("Cache-Control", &format!("public, max-age={age}")),
            Cache::Private(age) => reply.set("Cache-Control", &format!("private, max-age={age}")),
        }
        // No rate-limit record is ever given, so that group is not sent.
        if let Some(page) = &self.page {
            pagination(&mut reply, page);
        }
        for (name, value) in &self.custom {
            reply.set(name, value);
        }
        reply.body = self.body.unwrap_or_default().into_bytes();
        reply
    }
}

fn pagination(reply: &mut Reply, page: &Page) {
    reply.set("X-Total-Count", &page.total.to_string());
    reply.set("X-Page-Count", &page.pages.to_string());
    reply.set("X-Current-Page", &js::number_text(page.page));
    reply.set("X-Per-Page", &page.limit.to_string());
    reply.set("X-Has-Next", &page.has_next.to_string());
    reply.set("X-Has-Prev", &page.has_prev.to_string());
}
