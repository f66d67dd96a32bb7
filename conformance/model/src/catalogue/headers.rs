//! The header groups in their order, in which a later one overrides: base, CORS, version, security, cache, pagination, custom.

use crate::js;
use crate::list::Page;
use crate::message::{Reply, Request};

pub type Header = (&'static str, &'static str);

pub const BASE: &[Header] = &[
    ("Content-Type", "application/json; charset=utf-8"),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("X-XSS-Protection", "1; mode=block"),
];

pub const CORS: &[Header] = &[
    ("Access-Control-Allow-Origin", "*"),
    ("Access-Control-Allow-Methods", "GET, POST, PUT, DELETE, PATCH, OPTIONS, HEAD"),
    ("Access-Control-Allow-Headers", "Content-Type, Authorization, X-API-Version, X-Request-ID"),
    ("Access-Control-Expose-Headers", "X-Total-Count, X-Page-Count, X-Current-Page"),
    ("Access-Control-Max-Age", "86400"),
];

pub const SECURITY: &[Header] = &[
    ("Strict-Transport-Security", "max-age=31536000; includeSubDomains"),
    ("Content-Security-Policy", "default-src 'self'"),
    ("Referrer-Policy", "strict-origin-when-cross-origin"),
    ("Permissions-Policy", "geolocation=(), microphone=()"),
];

/// The cache group of answers that may not be cached.
pub const NO_CACHE: &[Header] =
    &[("Cache-Control", "no-cache, no-store, must-revalidate"), ("Pragma", "no-cache"), ("Expires", "0")];

pub fn add_group(reply: &mut Reply, group: &[Header]) {
    group.iter().for_each(|(name, value)| reply.set(name, value));
}

/// The version group: the label of the request, echoed; the build.
pub(crate) fn version(request: &Request, reply: &mut Reply) {
    let label = request.header("x-api-version").filter(|label| !label.is_empty());
    reply.set("X-API-Version", label.as_deref().unwrap_or("1.0.0"));
    reply.set("X-API-Build", "development");
}

/// A reply with the common groups, in their order. It may not be cached. Without a recorded limit there is no rate-limit group.
pub(crate) fn common(request: &Request, status: u16) -> Reply {
    let mut reply = Reply::bare(status);
    add_group(&mut reply, BASE);
    add_group(&mut reply, CORS);
    version(request, &mut reply);
    add_group(&mut reply, SECURITY);
    add_group(&mut reply, NO_CACHE);
    reply
}

pub(crate) fn cache(reply: &mut Reply, directives: &str) {
    NO_CACHE.iter().for_each(|(name, _)| reply.remove(name));
    reply.set("Cache-Control", directives);
}

pub(crate) fn pagination(reply: &mut Reply, page: &Page<'_>) {
    reply.set("X-Total-Count", &page.total.to_string());
    reply.set("X-Page-Count", &page.pages.to_string());
    reply.set("X-Current-Page", &js::number_text(page.page));
    reply.set("X-Per-Page", &page.limit.to_string());
    reply.set("X-Has-Next", &page.has_next.to_string());
    reply.set("X-Has-Prev", &page.has_prev.to_string());
}
