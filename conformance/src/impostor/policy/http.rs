//! What the impostor does wherever an implementer may err or choose: header groups, validators, bodies. The default is right.

use serde_json::Value;

use crate::impostor::model::js;

/// A header: its name and its value.
pub(crate) type Header = (&'static str, &'static str);

/// Header groups, validators, bodies.
#[derive(Clone, Debug, Default)]
pub struct HttpPolicy {
    pub(crate) groups: HeaderGroups,
    pub(crate) etag: EtagPolicy,
    pub(crate) conditional: ConditionalPolicy,
    pub(crate) request_content_type: RequestContentType,
    pub(crate) sessions_after_failure: SessionsAfterFailure,
}

/// The header groups whose values are fixed.
#[derive(Clone, Debug)]
pub(crate) struct HeaderGroups {
    pub(crate) base: Vec<Header>,
    pub(crate) cors: Vec<Header>,
    pub(crate) security: Vec<Header>,
    pub(crate) no_cache: Vec<Header>,
}

impl Default for HeaderGroups {
    fn default() -> Self {
        Self {
            base: vec![
                ("Content-Type", "application/json; charset=utf-8"),
                ("X-Content-Type-Options", "nosniff"),
                ("X-Frame-Options", "DENY"),
                ("X-XSS-Protection", "1; mode=block"),
            ],
            cors: vec![
                ("Access-Control-Allow-Origin", "*"),
                ("Access-Control-Allow-Methods", "GET, POST, PUT, DELETE, PATCH, OPTIONS, HEAD"),
                ("Access-Control-Allow-Headers", "Content-Type, Authorization, X-API-Version, X-Request-ID"),
                ("Access-Control-Expose-Headers", "X-Total-Count, X-Page-Count, X-Current-Page"),
                ("Access-Control-Max-Age", "86400"),
            ],
            security: vec![
                ("Strict-Transport-Security", "max-age=31536000; includeSubDomains"),
                ("Content-Security-Policy", "default-src 'self'"),
                ("Referrer-Policy", "strict-origin-when-cross-origin"),
                ("Permissions-Policy", "geolocation=(), microphone=()"),
            ],
            no_cache: vec![
                ("Cache-Control", "no-cache, no-store, must-revalidate"),
                ("Pragma", "no-cache"),
                ("Expires", "0"),
            ],
        }
    }
}

/// Gives a header of a group another value.
pub(crate) fn revalue(group: &mut [Header], name: &str, value: &'static str) {
    group.iter_mut().filter(|(known, _)| *known == name).for_each(|header| header.1 = value);
}

/// What the ETag is made of. Its text is hashed with MD5.
#[derive(Clone, Debug)]
pub(crate) struct EtagPolicy {
    pub(crate) list_covers: ListEtagCovers,
    /// The JSON text of what is covered.
    pub(crate) text: fn(&Value) -> String,
    pub(crate) form: EtagForm,
}

impl Default for EtagPolicy {
    fn default() -> Self {
        Self { list_covers: ListEtagCovers::default(), text: js::stringify, form: EtagForm::default() }
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

/// How an ETag is written.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum EtagForm {
    #[default]
    Bare,
    Quoted,
    UpperCase,
}

/// When a read answers 304, and with what.
#[derive(Clone, Debug)]
pub(crate) struct ConditionalPolicy {
    pub(crate) if_none_match: IfNoneMatch,
    /// Whether these data are unmodified since a time, given that and now. The field that it goes by is in no book by itself,
    /// so that they never are.
    pub(crate) unmodified_since: fn(&Value, i64, i64) -> bool,
    pub(crate) not_modified: NotModified,
}

impl Default for ConditionalPolicy {
    fn default() -> Self {
        Self {
            if_none_match: IfNoneMatch::default(),
            unmodified_since: |_, _, _| false,
            not_modified: NotModified::default(),
        }
    }
}

/// Which If-None-Match matches.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum IfNoneMatch {
    #[default]
    EqualToEtag,
    /// As HTTP has it: a list, a weak tag, the asterisk.
    AsInHttp,
    Anything,
}

/// What a 304 carries beside CORS, ETag and Cache-Control.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum NotModified {
    #[default]
    Nothing,
    /// The groups of the common builder.
    AllGroups,
}

/// What a Content-Type of a request other than JSON does.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum RequestContentType {
    #[default]
    Unread,
    MustBeJson,
}

/// What becomes of the sessions when a request fails.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum SessionsAfterFailure {
    /// Their use counts all the same.
    #[default]
    Extended,
    AsBefore,
}
