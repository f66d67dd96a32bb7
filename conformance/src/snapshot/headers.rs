//! The headers that a transcript shows, in the documents' order and spelling, and the rule of each.

use crate::invariants::groups::{BASE, CORS, NO_CACHE, PAGINATION, Row, SECURITY};

/// Name and rule.
type Header = (&'static str, &'static str);

const VERSION: [Header; 2] = [("X-API-Version", "versioning/default"), ("X-API-Build", "headers/api-build")];

/// Those that answers carry beside their groups.
const OWN: [Header; 4] = [
    ("ETag", "conditional/etag-list"),
    ("Last-Modified", "conditional/last-modified-list"),
    ("WWW-Authenticate", "errors/401-challenge"),
    ("Content-Length", "headers/content-length"),
];

pub(crate) fn headers() -> impl Iterator<Item = Header> {
    let of = |groups: &'static [&'static [Row]]| groups.iter().copied().flatten().map(|(name, _, rule)| (*name, *rule));
    let content_type = [("Content-Type", "headers/content-type")];
    content_type
        .into_iter()
        .chain(of(&[BASE, CORS]))
        .chain(VERSION)
        .chain(of(&[SECURITY, NO_CACHE, PAGINATION]))
        .chain(OWN)
}
