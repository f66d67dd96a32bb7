//! The headers of the contract in the documents' order and spelling, and the rule of each. Ignores all others.

use crate::invariants::groups::{PAGINATION, SECURITY};

/// Name, and the rule that a wrong or missing value breaks. [`Kind::rule`] has the rules that depend on the answer.
pub(crate) const HEADERS: &[(&str, &str)] = &[
    ("Content-Type", "headers/content-type"),
    ("X-Content-Type-Options", "headers/content-type-options"),
    ("X-Frame-Options", "headers/frame-options"),
    ("X-XSS-Protection", "headers/xss-protection"),
    ("Access-Control-Allow-Origin", "headers/cors-origin"),
    ("Access-Control-Allow-Methods", "headers/cors-methods"),
    ("Access-Control-Allow-Headers", "headers/cors-request-headers"),
    ("Access-Control-Expose-Headers", "headers/cors-expose"),
    ("Access-Control-Max-Age", "headers/cors-max-age"),
    ("X-API-Version", "versioning/default"),
    ("X-API-Build", "headers/api-build"),
    ("Strict-Transport-Security", "headers/hsts"),
    ("Content-Security-Policy", "headers/content-security-policy"),
    ("Referrer-Policy", "headers/referrer-policy"),
    ("Permissions-Policy", "headers/permissions-policy"),
    ("Cache-Control", "headers/no-cache-control"),
    ("Pragma", "headers/no-cache-pragma"),
    ("Expires", "headers/no-cache-expires"),
    ("X-Total-Count", "headers/total-count"),
    ("X-Page-Count", "headers/page-count"),
    ("X-Current-Page", "headers/current-page"),
    ("X-Per-Page", "headers/per-page"),
    ("X-Has-Next", "headers/has-next"),
    ("X-Has-Prev", "headers/has-prev"),
    ("ETag", "conditional/etag-list"),
    ("Last-Modified", "conditional/last-modified-list"),
    ("WWW-Authenticate", "errors/401-challenge"),
    ("Content-Length", "headers/content-length"),
];

/// All rules that a header can break, for transcripts to declare.
pub(crate) const RULES: [&str; HEADERS.len() + SPECIAL.len()] = {
    let mut rules = [""; HEADERS.len() + SPECIAL.len()];
    let mut index = 0;
    while index < rules.len() {
        rules[index] = if index < HEADERS.len() { HEADERS[index].1 } else { SPECIAL[index - HEADERS.len()] };
        index += 1;
    }
    rules
};

const SPECIAL: [&str; 14] = [
    "errors/401-content-type",
    "login/second-content-type",
    "login/second-headers",
    "headers/cache-list",
    "headers/cache-book",
    "headers/cached-without-pragma",
    "headers/pagination-list-only",
    "conditional/304-cors",
    "conditional/304-etag",
    "conditional/304-cache-list",
    "conditional/304-cache-book",
    "conditional/304-nothing-else",
    "conditional/etag-book",
    "conditional/last-modified-book",
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    List,
    Book,
    ListUnchanged,
    BookUnchanged,
    Preflight,
    Denied,
    SecondFactor,
    /// Another answer of the common builder with a body.
    Plain,
    /// An answer of the common builder without a body.
    Empty,
    /// An answer of the users interface with a body: only its `Content-Type` is compared.
    User,
    /// The answer of the users interface to `OPTIONS`: only its CORS headers are compared.
    UserPreflight,
    /// An answer of a GraphQL endpoint: no header is compared.
    Query,
}

impl Kind {
    /// Whether a header is compared in an answer of this kind.
    pub(crate) fn shows(self, name: &str) -> bool {
        match self {
            Self::User => name == "Content-Type",
            Self::UserPreflight => matches!(
                name,
                "Access-Control-Allow-Origin" | "Access-Control-Allow-Methods" | "Access-Control-Allow-Headers"
            ),
            Self::Query => false,
            _ => true,
        }
    }

    /// Whether a header is optional here; if present, its value must be right.
    pub(crate) fn is_free(self, name: &str) -> bool {
        match name {
            "Content-Length" => !matches!(self, Self::List | Self::Book | Self::Plain),
            "ETag" | "Last-Modified" => matches!(self, Self::Plain | Self::Empty),
            "Content-Type" => matches!(self, Self::Empty | Self::ListUnchanged | Self::BookUnchanged),
            _ => false,
        }
    }

    /// Whether a header and its value are open here: the documents do not forbid a 401 the defaults of a library, nor
    /// `OPTIONS` anything beside CORS, version and security.
    pub(crate) fn is_open(self, name: &str) -> bool {
        let is_of_security = SECURITY.iter().any(|(known, ..)| *known == name);
        match self {
            Self::Denied => !matches!(name, "Content-Type" | "WWW-Authenticate"),
            Self::Preflight => !name.starts_with("Access-Control-") && !name.starts_with("X-API-") && !is_of_security,
            _ => false,
        }
    }

    /// The rule that the value, absence or presence of a header breaks in an answer of this kind.
    pub(crate) fn rule(self, name: &str) -> &'static str {
        let is_cors = name.starts_with("Access-Control-");
        let is_page = PAGINATION.iter().any(|(known, ..)| *known == name);
        match (self, name) {
            (Self::User, _) => "users/content-type",
            (Self::UserPreflight, "Access-Control-Allow-Origin") => "users/options-origin",
            (Self::UserPreflight, "Access-Control-Allow-Methods") => "users/options-methods",
            (Self::UserPreflight, _) => "users/options-headers",
            (Self::ListUnchanged | Self::BookUnchanged, _) if is_cors => "conditional/304-cors",
            (Self::ListUnchanged | Self::BookUnchanged, "ETag") => "conditional/304-etag",
            (Self::ListUnchanged, "Cache-Control") => "conditional/304-cache-list",
            (Self::BookUnchanged, "Cache-Control") => "conditional/304-cache-book",
            (Self::ListUnchanged | Self::BookUnchanged, _) => "conditional/304-nothing-else",
            (Self::SecondFactor, "Content-Type") => "login/second-content-type",
            (Self::SecondFactor, _) => "login/second-headers",
            (Self::Denied, "Content-Type") => "errors/401-content-type",
            (Self::List, "Cache-Control") => "headers/cache-list",
            (Self::Book, "Cache-Control") => "headers/cache-book",
            (Self::List | Self::Book, "Pragma" | "Expires") => "headers/cached-without-pragma",
            (Self::Book, "ETag") => "conditional/etag-book",
            (Self::Book, "Last-Modified") => "conditional/last-modified-book",
            (kind, _) if is_page && kind != Self::List => "headers/pagination-list-only",
            _ => HEADERS.iter().find(|(known, _)| *known == name).map_or("headers/override", |(_, rule)| rule),
        }
    }
}
