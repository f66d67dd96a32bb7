//! ETag, Last-Modified and the 304 of the two reads.

use chrono::DateTime;
use serde_json::Value;

use super::super::clock::http_date;
use super::Reply;
use super::headers::{ResponseBuilder, put};
use super::request_context::RequestContext;
use crate::impostor::model::secrets;

/// The ETag of the data returned: the MD5 of its JSON text.
pub(crate) fn etag(cx: &RequestContext<'_>, data: &Value) -> String {
    let policy = &cx.policy().http.etag;
    (policy.form)(secrets::md5(&(policy.text)(data)))
}

/// Adds ETag and Last-Modified, or answers 304 when the request already has the data.
pub(crate) fn answer(cx: &RequestContext<'_>, reply: ResponseBuilder<'_>, etag: &str, data: &Value) -> Reply {
    if matches(cx, etag) || unmodified_since(cx, data) {
        return not_modified(cx, etag);
    }
    reply.header("ETag", etag).header("Last-Modified", http_date(cx.now())).build()
}

fn matches(cx: &RequestContext<'_>, etag: &str) -> bool {
    let matches = cx.policy().http.conditional.if_none_match;
    cx.request.header("if-none-match").is_some_and(|sent| matches(&sent, etag))
}

fn unmodified_since(cx: &RequestContext<'_>, data: &Value) -> bool {
    let since = cx.request.header("if-modified-since");
    let since = since.and_then(|since| DateTime::parse_from_rfc2822(&since).ok());
    let unmodified = cx.policy().http.conditional.unmodified_since;
    since.is_some_and(|since| unmodified(data, since.timestamp_millis(), cx.now()))
}

/// The CORS group, ETag and Cache-Control; nothing else.
pub(crate) fn not_modified(cx: &RequestContext<'_>, etag: &str) -> Reply {
    let policy = &cx.policy().http;
    let mut reply = if policy.conditional.unchanged_has_all_groups { cx.reply(304).build() } else { Reply::bare(304) };
    put(&mut reply, &policy.groups.cors);
    reply.set("ETag", etag);
    reply.set("Cache-Control", "public, max-age=300");
    reply
}
