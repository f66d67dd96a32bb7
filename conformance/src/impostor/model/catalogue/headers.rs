//! The header groups and the common response builder: base, CORS, version, security, cache, pagination, custom;
//! a later group overrides an earlier one.

use serde_json::Value;

use super::super::js;
use super::super::list::Page;
use super::{Area, Exchange, area};
use crate::impostor::http::{Framing, Reply};

/// A header of a group: name, value, the fault that spoils it, and what the fault sends (nothing: left out).
type Header = (&'static str, &'static str, &'static str, &'static str);

const BASE: [Header; 4] = [
    ("Content-Type", "application/json; charset=utf-8", "content-type-lacks-charset", "application/json"),
    ("X-Content-Type-Options", "nosniff", "content-type-options-missing", ""),
    ("X-Frame-Options", "DENY", "frame-options-sameorigin", "SAMEORIGIN"),
    ("X-XSS-Protection", "1; mode=block", "xss-protection-off", "0"),
];

const CORS: [Header; 5] = [
    ("Access-Control-Allow-Origin", "*", "cors-origin-null", "null"),
    (
        "Access-Control-Allow-Methods",
        "GET, POST, PUT, DELETE, PATCH, OPTIONS, HEAD",
        "cors-methods-lack-patch",
        "GET, POST, PUT, DELETE, OPTIONS, HEAD",
    ),
    (
        "Access-Control-Allow-Headers",
        "Content-Type, Authorization, X-API-Version, X-Request-ID",
        "cors-headers-allow-the-key",
        "Content-Type, Authorization, X-API-Version, X-Request-ID, X-API-Key",
    ),
    (
        "Access-Control-Expose-Headers",
        "X-Total-Count, X-Page-Count, X-Current-Page",
        "cors-exposes-all-pagination",
        "X-Total-Count, X-Page-Count, X-Current-Page, X-Per-Page",
    ),
    ("Access-Control-Max-Age", "86400", "cors-max-age-an-hour", "3600"),
];

const SECURITY: [Header; 4] = [
    ("Strict-Transport-Security", "max-age=31536000; includeSubDomains", "hsts-without-subdomains", "max-age=31536000"),
    ("Content-Security-Policy", "default-src 'self'", "content-security-policy-none", "default-src 'none'"),
    ("Referrer-Policy", "strict-origin-when-cross-origin", "referrer-policy-no-referrer", "no-referrer"),
    (
        "Permissions-Policy",
        "geolocation=(), microphone=()",
        "permissions-policy-adds-camera",
        "geolocation=(), microphone=(), camera=()",
    ),
];

const NO_CACHE: [Header; 3] = [
    ("Cache-Control", "no-cache, no-store, must-revalidate", "no-cache-control-shortened", "no-cache"),
    ("Pragma", "no-cache", "no-cache-pragma-missing", ""),
    ("Expires", "0", "no-cache-expires-minus-1", "-1"),
];

/// A cache group. Ages in seconds.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Cache {
    No,
    Public(u32),
    Private(u32),
}

fn put(exchange: &Exchange<'_>, reply: &mut Reply, group: &[Header]) {
    for (name, value, fault, spoiled) in group {
        let value = if exchange.on(fault) { spoiled } else { value };
        if !value.is_empty() {
            reply.set(name, value);
        }
    }
}

/// The CORS group.
pub(crate) fn cors(exchange: &Exchange<'_>, reply: &mut Reply) {
    put(exchange, reply, &CORS);
}

/// The security group.
pub(crate) fn security(exchange: &Exchange<'_>, reply: &mut Reply) {
    put(exchange, reply, &SECURITY);
}

/// The version group: the label of the request, echoed; the build.
pub(crate) fn version(exchange: &Exchange<'_>, reply: &mut Reply) {
    let sent = exchange.request.header("x-api-version");
    let mut lines = exchange.request.headers.iter().filter(|(name, _)| name.eq_ignore_ascii_case("x-api-version"));
    let last = lines.next_back().map(|(_, value)| value.clone());
    let sent = if exchange.reads("last-label-line-counts") { last } else { sent };
    let default = exchange.pick("version-default-is-2", "2.0.0", "1.0.0");
    let label = match sent.as_deref() {
        None if exchange.on("version-default-missing") => "",
        None => default,
        Some("") if exchange.reads("empty-label-echoed") => {
            reply.set("X-API-Version", "");
            ""
        }
        Some("") => default,
        Some(_) if exchange.on("version-not-echoed") => default,
        Some(label) if exchange.on("version-echo-first-of-list") => label.split(',').next().unwrap_or(default),
        Some(label) => label,
    };
    let label = if exchange.on("version-echo-lower-case") { label.to_lowercase() } else { label.to_owned() };
    if !label.is_empty() {
        reply.set("X-API-Version", &label);
    }
    if exchange.on("warns-of-other-versions") && label != "1.0.0" {
        reply.set("Warning", "299 - \"This API version is deprecated\"");
    }
    let build = if exchange.reads("build-named-otherwise") { "2024.11-rc.2" } else { "development" };
    reply.set("X-API-Build", build);
}

/// A cache group.
pub(crate) fn cache(exchange: &Exchange<'_>, reply: &mut Reply, cache: Cache) {
    let cached = |scope: &str, age: u32| format!("{scope}, max-age={age}");
    match cache {
        Cache::No => return put(exchange, reply, &NO_CACHE),
        Cache::Public(age) => reply.set("Cache-Control", &cached("public", age)),
        Cache::Private(age) => reply.set("Cache-Control", &cached("private", age)),
    }
    if exchange.on("cached-with-pragma") {
        reply.set("Pragma", "no-cache");
    }
    if exchange.on("cached-with-expires") {
        reply.set("Expires", "0");
    }
}

/// Builds one reply of the common builder.
pub(crate) struct Dress<'a> {
    exchange: &'a Exchange<'a>,
    status: u16,
    body: Option<String>,
    cache: Cache,
    page: Option<&'a Page>,
    custom: Vec<(&'static str, String)>,
}

impl<'a> Dress<'a> {
    pub(crate) fn new(exchange: &'a Exchange<'a>, status: u16) -> Self {
        Self { exchange, status, body: None, cache: Cache::No, page: None, custom: Vec::new() }
    }

    /// With this body.
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
    pub(crate) fn page(mut self, page: &'a Page) -> Self {
        self.page = Some(page);
        self
    }

    /// With a header of its own.
    pub(crate) fn header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.custom.push((name, value.into()));
        self
    }

    /// Puts the groups together in their order of override.
    pub(crate) fn done(self) -> Reply {
        let exchange = self.exchange;
        let mut reply = Reply::bare(self.status);
        if !self.spoils("base") {
            put(exchange, &mut reply, &BASE);
        }
        if !self.spoils("cors") {
            cors(exchange, &mut reply);
        }
        version(exchange, &mut reply);
        if self.status >= 400 && exchange.on("errors-say-default-version") {
            reply.set("X-API-Version", "1.0.0");
        }
        if !self.spoils("security") {
            security(exchange, &mut reply);
        }
        cache(exchange, &mut reply, self.cache_in_effect());
        rate_limit(exchange, &mut reply);
        if let Some(page) = self.page {
            pagination(exchange, &mut reply, page);
        } else if exchange.on("pagination-headers-on-single-reads") && self.status == 200 {
            reply.set("X-Total-Count", "1");
        }
        for (name, value) in &self.custom {
            if exchange.on("custom-headers-added-twice") {
                reply.headers.push(((*name).to_owned(), value.clone()));
            } else {
                reply.set(name, value);
            }
        }
        echo_request(exchange, &mut reply);
        if let Some(text) = self.body {
            let characters = text.chars().count();
            reply.body = text.into_bytes();
            if exchange.on("content-length-counts-characters") && characters != reply.body.len() {
                reply.framing = Framing::WrongLength(characters);
            }
            if exchange.on("bodies-chunked") {
                reply.framing = Framing::Chunked;
            }
        }
        reply
    }

    /// Whether a fault keeps this group from this kind of reply.
    fn spoils(&self, group: &str) -> bool {
        let on = |fault: &str| self.exchange.on(fault);
        match (self.status, group) {
            (201, "security") => on("created-lacks-security"),
            (204, "cors") => on("deleted-lacks-cors"),
            (200, "cors") if self.exchange.request.method == "GET" => on("reads-lack-cors"),
            (200, "security") => on("successes-lack-security"),
            (404, "security") => on("not-found-lacks-security"),
            (405, "security") => on("not-allowed-lacks-security"),
            (400 | 404 | 405, "cors") => on("errors-lack-cors"),
            (400, "base") => on("bad-requests-lack-base"),
            _ => false,
        }
    }

    fn cache_in_effect(&self) -> Cache {
        let on = |fault: &str| self.exchange.on(fault);
        let method = self.exchange.request.method.as_str();
        match (self.status, area(&self.exchange.request.path)) {
            (200, Area::Auth | Area::TwoFactor) if on("auth-answers-cached") => Cache::Private(60),
            (404, Area::Books) if method == "GET" && on("unknown-book-cached") => Cache::Private(60),
            (404, Area::Elsewhere) if on("unknown-path-cached") => Cache::Public(300),
            (200 | 201, Area::Books) if method != "GET" && on("writes-cached") => Cache::Private(60),
            (400 | 405, _) if on("errors-cached") => Cache::Public(300),
            _ => self.cache,
        }
    }
}

/// No rate-limit record is ever given, so the group is not sent; a permitted reading sends it.
fn rate_limit(exchange: &Exchange<'_>, reply: &mut Reply) {
    let policy = match () {
        () if exchange.on("rate-limit-policy-without-window") => "1000",
        () if exchange.reads("rate-limit-told") => "1000;w=60",
        () => return,
    };
    if exchange.request.header("x-api-key").is_some() {
        reply.set("X-RateLimit-Limit", "1000");
        reply.set("X-RateLimit-Remaining", "999");
        reply.set("X-RateLimit-Reset", "60");
        reply.set("X-RateLimit-Policy", policy);
    }
}

/// Faults that let the request speak in the reply.
fn echo_request(exchange: &Exchange<'_>, reply: &mut Reply) {
    if exchange.on("claims-gzip") && exchange.request.header("accept-encoding").is_some_and(|e| e.contains("gzip")) {
        reply.set("Content-Encoding", "gzip");
    }
}

fn pagination(exchange: &Exchange<'_>, reply: &mut Reply, page: &Page) {
    let shown = page.datos.len().to_string();
    let total = page.total.to_string();
    let pages = page.pages.to_string();
    let number = js::number_text(page.page);
    let before = js::number_text(page.page - 1.0);
    let limit = page.limit.to_string();
    let bit = |b: bool| if b { "1" } else { "0" };
    let rows: [(&str, &str, &str, &str); 6] = [
        ("X-Total-Count", &total, "total-count-of-the-page", &shown),
        ("X-Page-Count", &pages, "page-count-is-total", &total),
        ("X-Current-Page", &number, "current-page-from-0", &before),
        ("X-Per-Page", &limit, "per-page-is-shown", &shown),
        ("X-Has-Next", if page.has_next { "true" } else { "false" }, "has-next-as-bit", bit(page.has_next)),
        ("X-Has-Prev", if page.has_prev { "true" } else { "false" }, "has-prev-as-bit", bit(page.has_prev)),
    ];
    for (name, value, fault, spoiled) in rows {
        reply.set(name, if exchange.on(fault) { spoiled } else { value });
    }
}
