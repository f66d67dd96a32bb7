//! ETag, Last-Modified and the 304 of the two reads.

use chrono::DateTime;
use serde_json::Value;

use super::super::clock::{self, http_date};
use super::Exchange;
use super::headers::{self, Dress};
use crate::impostor::http::{Framing, Reply};
use crate::impostor::model::{js, secrets};

/// The ETag of the data returned: the MD5 of its JSON text.
pub(crate) fn etag(exchange: &Exchange<'_>, data: &Value) -> String {
    let text = match () {
        () if exchange.on("etag-of-the-ids") => ids(data),
        () if exchange.on("etag-over-escaped-text") => escaped(&js::stringify(data)),
        () if exchange.on("list-etag-over-spaced-text") && data.is_array() => spaced(data),
        () if exchange.on("book-etag-over-spaced-text") && data.is_object() => spaced(data),
        () => js::stringify(data),
    };
    let digest = secrets::md5(&text);
    if exchange.reads("etag-quoted") { format!("\"{digest}\"") } else { digest }
}

/// Characters beyond ASCII as escapes, which other JSON writers prefer.
fn escaped(text: &str) -> String {
    let units = text.encode_utf16().map(|unit| match u8::try_from(unit) {
        Ok(byte) if byte.is_ascii() => char::from(byte).to_string(),
        _ => format!("\\u{unit:04x}"),
    });
    units.collect()
}

/// JSON with white space, as people like to read it.
fn spaced(data: &Value) -> String {
    serde_json::to_string_pretty(data).unwrap_or_default()
}

fn ids(data: &Value) -> String {
    match data {
        Value::Array(books) => books.iter().map(ids).collect::<Vec<_>>().join(","),
        book => js::text_of(&book["id"]),
    }
}

/// Adds ETag and Last-Modified, or answers 304 when the request already has the data.
pub(crate) fn answer(exchange: &Exchange<'_>, dress: Dress<'_>, etag: &str, data: &Value) -> Reply {
    let list = data.is_array();
    if matches(exchange, etag, list) || unmodified_since(exchange, data) {
        return not_modified(exchange, etag, list);
    }
    let mut reply = dress.header("ETag", etag).header("Last-Modified", last_modified(exchange, data)).done();
    let unstamped = if list { "list-lacks-last-modified" } else { "book-lacks-last-modified" };
    if exchange.on(unstamped) {
        reply.remove("Last-Modified");
    }
    if exchange.on("book-lacks-etag") && !list {
        reply.remove("ETag");
    }
    reply
}

fn last_modified(exchange: &Exchange<'_>, data: &Value) -> String {
    let now = exchange.now();
    if exchange.on("last-modified-iso") {
        return clock::iso(now);
    }
    if exchange.on("last-modified-says-utc") {
        return clock::format(now, "%a, %d %b %Y %H:%M:%S UTC");
    }
    if exchange.on("last-modified-of-the-book")
        && let Some(at) = stamp(data)
    {
        return http_date(at);
    }
    if exchange.on("last-modified-of-the-start") && data.is_array() {
        return "Mon, 01 Jan 2024 00:00:00 GMT".to_owned();
    }
    http_date(now)
}

/// When the book was last written.
fn stamp(book: &Value) -> Option<i64> {
    let text = book.get("fechaActualizacion").or(book.get("fechaCreacion"))?.as_str()?;
    DateTime::parse_from_rfc3339(text).ok().map(|at| at.timestamp_millis())
}

fn matches(exchange: &Exchange<'_>, etag: &str, list: bool) -> bool {
    let Some(known) = exchange.request.header("if-none-match") else {
        return false;
    };
    let ignored = if list { "list-ignores-if-none-match" } else { "book-ignores-if-none-match" };
    if exchange.on(ignored) {
        return false;
    }
    if exchange.on("no-cache-request-skips-304")
        && exchange.request.header("cache-control").is_some_and(|value| value.contains("no-cache"))
    {
        return false;
    }
    if exchange.reads("if-none-match-as-http") {
        let bare = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
        return known.trim() == "*" || known.split(',').any(|tag| bare(tag) == etag);
    }
    known == etag || exchange.on("any-if-none-match-matches")
}

/// The field `ultimaModificacion` that the documents compare with is never there, so this has no effect.
fn unmodified_since(exchange: &Exchange<'_>, data: &Value) -> bool {
    let Some(since) = exchange.request.header("if-modified-since") else {
        return false;
    };
    let Ok(since) = DateTime::parse_from_rfc2822(&since) else {
        return false;
    };
    let since = since.timestamp_millis();
    if exchange.reads("modification-field-honoured") {
        let field = data.get("ultimaModificacion").and_then(Value::as_str);
        return field
            .and_then(|text| DateTime::parse_from_rfc3339(text).ok())
            .is_some_and(|at| at.timestamp_millis() <= since);
    }
    if data.is_array() {
        return exchange.on("list-honours-if-modified-since") && since / 1000 >= exchange.now() / 1000;
    }
    exchange.on("book-honours-if-modified-since") && stamp(data).is_some_and(|at| at / 1000 <= since / 1000)
}

/// The CORS group, ETag and Cache-Control; nothing else.
pub(crate) fn not_modified(exchange: &Exchange<'_>, etag: &str, list: bool) -> Reply {
    let mut reply = if exchange.on("304-carries-everything") { exchange.dress(304).done() } else { Reply::bare(304) };
    if !exchange.on("304-lacks-cors") {
        headers::cors(exchange, &mut reply);
    }
    if !exchange.on("304-lacks-etag") {
        reply.set("ETag", etag);
    }
    let cache = if list && exchange.on("304-list-says-no-cache") {
        "no-cache, no-store, must-revalidate"
    } else if !list && exchange.on("304-book-says-private") {
        "private, max-age=60"
    } else {
        "public, max-age=300"
    };
    reply.set("Cache-Control", cache);
    if exchange.on("304-has-version") {
        headers::version(exchange, &mut reply);
    }
    if exchange.on("304-has-last-modified") {
        reply.set("Last-Modified", &http_date(exchange.now()));
    }
    if exchange.on("304-has-body") {
        reply.body = b"null".to_vec();
        reply.framing = Framing::Forced;
    }
    reply
}
