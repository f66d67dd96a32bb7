//! What the impostor does wherever an implementer may err or choose: header groups, validators, bodies. The default is right.

use serde_json::Value;

use crate::impostor::model::js;
use crate::impostor::model::steps::steps;

/// A header: its name and its value.
pub(crate) type Header = (&'static str, &'static str);

/// Header groups, validators, bodies.
#[derive(Clone, Debug, Default)]
pub struct HttpPolicy {
    pub(crate) groups: HeaderGroups,
    pub(crate) etag: EtagPolicy,
    pub(crate) conditional: ConditionalPolicy,
    /// Whether a body whose Content-Type is not JSON is refused.
    pub(crate) body_must_say_json: bool,
    /// Whether a request that fails leaves its session as it was.
    pub(crate) failure_spares_sessions: bool,
}

steps! {
    /// The header groups whose values are fixed.
    pub(crate) struct HeaderGroups {
        base: Vec<Header> = vec![
            ("Content-Type", "application/json; charset=utf-8"),
            ("X-Content-Type-Options", "nosniff"),
            ("X-Frame-Options", "DENY"),
            ("X-XSS-Protection", "1; mode=block"),
        ];
        cors: Vec<Header> = vec![
            ("Access-Control-Allow-Origin", "*"),
            ("Access-Control-Allow-Methods", "GET, POST, PUT, DELETE, PATCH, OPTIONS, HEAD"),
            ("Access-Control-Allow-Headers", "Content-Type, Authorization, X-API-Version, X-Request-ID"),
            ("Access-Control-Expose-Headers", "X-Total-Count, X-Page-Count, X-Current-Page"),
            ("Access-Control-Max-Age", "86400"),
        ];
        security: Vec<Header> = vec![
            ("Strict-Transport-Security", "max-age=31536000; includeSubDomains"),
            ("Content-Security-Policy", "default-src 'self'"),
            ("Referrer-Policy", "strict-origin-when-cross-origin"),
            ("Permissions-Policy", "geolocation=(), microphone=()"),
        ];
        no_cache: Vec<Header> = vec![
            ("Cache-Control", "no-cache, no-store, must-revalidate"),
            ("Pragma", "no-cache"),
            ("Expires", "0"),
        ];
    }
}

/// Gives a header of a group another value.
pub(crate) fn revalue(group: &mut [Header], name: &str, value: &'static str) {
    group.iter_mut().filter(|(known, _)| *known == name).for_each(|header| header.1 = value);
}

steps! {
    /// What the ETag is made of. Its text is hashed with MD5.
    pub(crate) struct EtagPolicy {
        list_covers: ListEtagCovers = ListEtagCovers::default();
        /// The JSON text of what is covered.
        text: fn(&Value) -> String = js::stringify;
        /// Writes the ETag of a digest.
        form: fn(String) -> String = |digest| digest;
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum ListEtagCovers {
    #[default]
    Items,
    /// The items before field selection.
    WholeItems,
    /// Items and pagination.
    Body,
}

steps! {
    /// When a read answers 304, and with what.
    pub(crate) struct ConditionalPolicy {
        /// Whether an If-None-Match matches an ETag.
        if_none_match: fn(&str, &str) -> bool = |sent, etag| sent == etag;
        /// Whether these data are unmodified since a time, given that and now. The field that it goes by is in no book by itself,
        /// so that they never are.
        unmodified_since: fn(&Value, i64, i64) -> bool = |_, _, _| false;
        /// Whether a 304 carries the groups of the common builder, beside CORS, ETag and Cache-Control.
        unchanged_has_all_groups: bool = false;
    }
}
