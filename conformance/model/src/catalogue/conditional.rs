//! ETag, Last-Modified and the 304 of the two reads.

use chrono::DateTime;
use serde_json::Value;

use super::headers::{self, ResponseBuilder, put};
use super::request_context::RequestContext;
use crate::clock::http_date;
use crate::message::Reply;
use crate::secrets;

/// The ETag of the data returned: the MD5 of its JSON text.
pub(crate) fn etag(cx: &RequestContext<'_>, data: &Value) -> String {
    let steps = &cx.steps.reads;
    (steps.etag)(secrets::md5(&(steps.etag_text)(data)))
}

/// Adds ETag and Last-Modified, or answers 304 when the request already has the data.
pub(crate) fn answer(cx: &RequestContext<'_>, reply: ResponseBuilder<'_>, etag: &str, data: &Value) -> Reply {
    if matches(cx, etag) || unmodified_since(cx, data) {
        return not_modified(etag);
    }
    reply.header("ETag", etag).header("Last-Modified", http_date(cx.now())).build()
}

fn matches(cx: &RequestContext<'_>, etag: &str) -> bool {
    cx.request.header("if-none-match").is_some_and(|sent| (cx.steps.reads.if_none_match)(&sent, etag))
}

fn unmodified_since(cx: &RequestContext<'_>, data: &Value) -> bool {
    let since = cx.request.header("if-modified-since");
    let since = since.and_then(|since| DateTime::parse_from_rfc2822(&since).ok());
    since.is_some_and(|since| (cx.steps.reads.unmodified_since)(data, since.timestamp_millis(), cx.now()))
}

/// The CORS group, ETag and Cache-Control; nothing else.
fn not_modified(etag: &str) -> Reply {
    let mut reply = Reply::bare(304);
    put(&mut reply, headers::CORS);
    reply.set("ETag", etag);
    reply.set("Cache-Control", "public, max-age=300");
    reply
}
