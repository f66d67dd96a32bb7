//! Faults that break rules of the chapter conditional.

use std::sync::OnceLock;

use chrono::{DateTime, FixedOffset};
use libros_conformance_model::catalogue::headers;
use libros_conformance_model::clock::{http_date, iso};
use libros_conformance_model::js;
use libros_conformance_model::list::{body, list};
use serde_json::Value;

use crate::impostor::effect::prelude::*;

pub(crate) const FAULTS: &[Variation] = variations! {
    "etag-covers-pagination" breaks "conditional/etag-items-only": "The ETag of a list covers its pagination too."
        => steps |s| s.reads.list_etag_covers = |page, _, _, steps| body(page, steps);
    "etag-of-the-ids" breaks "conditional/etag-follows-data": "The ETag covers the ids only, so that it stays when a book changes."
        => steps |s| s.reads.etag_text = ids;
    "etag-before-selection" breaks "conditional/etag-follows-selection": "The ETag of a list is that of the whole books, whatever fields were selected."
        => steps |s| s.reads.list_etag_covers = |_, books, query, steps| list(books, &without_fields(query), steps).datos.into();
    "book-lacks-etag" breaks "conditional/etag-book": "A single book has no ETag."
        => reply |_request, reply| if shows_book(reply) { reply.remove("ETag") };
    "list-lacks-last-modified" breaks "conditional/last-modified-list": "A list has no Last-Modified."
        => reply |_request, reply| if shows_list(reply) { reply.remove("Last-Modified") };
    "last-modified-of-the-start" breaks "conditional/last-modified-list": "Last-Modified of a list is one fixed time."
        => reply |_request, reply| if shows_list(reply) { reply.set("Last-Modified", "Mon, 01 Jan 2024 00:00:00 GMT") };
    "last-modified-stands-still" breaks "conditional/last-modified-list" and "conditional/last-modified-book": "Last-Modified is the time of the first answer, ever after."
        => reply |_request, reply| keep_last_modified(reply);
    "book-lacks-last-modified" breaks "conditional/last-modified-book": "A single book has no Last-Modified."
        => reply |_request, reply| if shows_book(reply) { reply.remove("Last-Modified") };
    "last-modified-of-the-book" breaks "conditional/last-modified-book": "Last-Modified of a book is the time it was last written."
        => reply |_request, reply| if shows_book(reply) { say_last_write(reply) };
    "last-modified-iso" breaks "conditional/last-modified-form": "Last-Modified is an ISO 8601 text."
        => reply |_request, reply| change_last_modified(reply, |at| iso(at.timestamp_millis()));
    "last-modified-says-utc" breaks "conditional/last-modified-form": "Last-Modified ends in UTC instead of GMT."
        => reply |_request, reply| change_last_modified(reply, |at| at.format("%a, %d %b %Y %H:%M:%S UTC").to_string());
    "list-ignores-if-none-match" breaks "conditional/list-match": "A list ignores If-None-Match."
        => request |request| if of_books(request) && !names_id(request) { request.remove("If-None-Match") };
    "book-ignores-if-none-match" breaks "conditional/book-match": "A single book ignores If-None-Match."
        => request |request| if of_books(request) && names_id(request) { request.remove("If-None-Match") };
    "any-if-none-match-matches" breaks "conditional/no-match": "Any If-None-Match answers 304."
        => steps |s| s.reads.if_none_match = |_, _| true;
    "304-has-body" breaks "conditional/304-no-body": "A 304 has a body."
        => reply |request, reply| if is_304(request, reply) { force_body(reply) };
    "304-lacks-cors" breaks "conditional/304-cors": "A 304 has no CORS headers."
        => reply |request, reply| if is_304(request, reply) { remove_group(reply, headers::CORS) };
    "304-lacks-etag" breaks "conditional/304-etag": "A 304 has no ETag."
        => reply |request, reply| if is_304(request, reply) { reply.remove("ETag") };
    "304-list-says-no-cache" breaks "conditional/304-cache-list": "A 304 of a list forbids caching."
        => reply |request, reply| if is_304(request, reply) && !names_id(request) { reply.set("Cache-Control", "no-cache, no-store, must-revalidate") };
    "304-book-says-private" breaks "conditional/304-cache-book": "A 304 of a single book says private, as its 200 does."
        => reply |request, reply| if is_304(request, reply) && names_id(request) { reply.set("Cache-Control", "private, max-age=60") };
    "304-carries-everything" breaks "conditional/304-nothing-else": "A 304 carries every group of the builder."
        => around |held, request, answer| carry_everything(held, request, answer);
    "304-has-version" breaks "conditional/304-nothing-else": "A 304 carries the version headers."
        => reply |request, reply| if is_304(request, reply) { reply.set("X-API-Version", "1.0.0") };
    "304-has-last-modified" breaks "conditional/304-nothing-else": "A 304 carries Last-Modified."
        => reply |request, reply| if is_304(request, reply) { reply.set("Last-Modified", &http_date(request.now)) };
    "replace-honours-if-none-match" breaks "conditional/reads-only": "PUT with a matching If-None-Match answers 304 and replaces nothing."
        => around |held, request, answer| match_before_replace(held, request, answer);
    "304-for-unknown-id" breaks "conditional/unknown-id": "If-None-Match on an unknown id answers 304."
        => reply |request, reply| match_unknown_id(request, reply);
    "304-before-credential" breaks "conditional/needs-credential": "A read with If-None-Match is answered without a credential."
        => around |held, request, answer| match_before_credential(held, request, answer);
    "list-honours-if-modified-since" breaks "conditional/since-list": "If-Modified-Since of now or later answers 304 on a list."
        => steps |s| s.reads.unmodified_since = list_unmodified_now;
    "if-modified-since-cancels-if-none-match" breaks "conditional/since-list" and "conditional/since-book": "Beside an If-Modified-Since, If-None-Match is not looked at."
        => request |request| if request.header("if-modified-since").is_some() { request.remove("if-none-match") };
    "book-honours-if-modified-since" breaks "conditional/since-book": "If-Modified-Since after the book's last write answers 304."
        => steps |s| s.reads.unmodified_since = book_unmodified_since_write;
    "list-etag-over-no-json" breaks "conditional/etag-list": "The ETag of a list covers the items as a debugger prints them."
        => steps |s| s.reads.etag_text = |data| if data.is_array() { printed(data) } else { js::stringify(data) };
    "book-etag-over-no-json" breaks "conditional/etag-book": "The ETag of a book covers it as a debugger prints it."
        => steps |s| s.reads.etag_text = |data| if data.is_object() { printed(data) } else { js::stringify(data) };
};

fn is_304(request: &Request, reply: &Reply) -> bool {
    of_books(request) && reply.status == 304
}

fn force_body(reply: &mut Reply) {
    reply.body = b"null".to_vec();
    reply.framing = Framing::Forced;
}

/// The ids alone, with commas between them.
fn ids(data: &Value) -> String {
    match data {
        Value::Array(books) => books.iter().map(ids).collect::<Vec<_>>().join(","),
        book => js::text_of(&book["id"]),
    }
}

/// With single quotes, as Python prints its dictionaries.
fn printed(data: &Value) -> String {
    js::stringify(data).replace('"', "'")
}

/// The time at which the first answer of all went out.
static FIRST: OnceLock<String> = OnceLock::new();

fn keep_last_modified(reply: &mut Reply) {
    if let Some(now) = reply.header("Last-Modified").map(str::to_owned) {
        reply.set("Last-Modified", FIRST.get_or_init(|| now));
    }
}

fn change_last_modified(reply: &mut Reply, form: fn(DateTime<FixedOffset>) -> String) {
    let at = reply.header("Last-Modified").and_then(|text| DateTime::parse_from_rfc2822(text).ok());
    if let Some(at) = at {
        reply.set("Last-Modified", &form(at));
    }
}

fn say_last_write(reply: &mut Reply) {
    if let Some(at) = last_write(&reply.json_body()) {
        reply.set("Last-Modified", &http_date(at));
    }
}

/// When a book was last written.
fn last_write(book: &Value) -> Option<i64> {
    let text = book.get("fechaActualizacion").or(book.get("fechaCreacion"))?.as_str()?;
    DateTime::parse_from_rfc3339(text).ok().map(|at| at.timestamp_millis())
}

fn list_unmodified_now(data: &Value, since: i64, now: i64) -> bool {
    data.is_array() && since / 1000 >= now / 1000
}

fn book_unmodified_since_write(data: &Value, since: i64, _: i64) -> bool {
    last_write(data).is_some_and(|at| at / 1000 <= since / 1000)
}

fn match_unknown_id(request: &Request, reply: &mut Reply) {
    if of_books(request) && reply.status == 404 && request.header("if-none-match").is_some() {
        reply.status = 304;
        reply.body.clear();
    }
}

/// A query without its field selection.
fn without_fields(query: &str) -> String {
    query.split('&').filter(|pair| !pair.starts_with("fields=")).collect::<Vec<_>>().join("&")
}

fn match_before_replace(held: &mut Held, request: &Request, answer: &Answer<'_>) -> Reply {
    let read = Request { method: "GET".to_owned(), ..request.clone() };
    if of_books(request) && request.method == "PUT" && request.header("if-none-match").is_some() {
        let reply = answer(held, &read);
        if reply.status == 304 {
            return reply;
        }
    }
    answer(held, request)
}

fn match_before_credential(held: &mut Held, request: &Request, answer: &Answer<'_>) -> Reply {
    let reply = answer(held, request);
    let is_read = of_books(request) && request.method == "GET";
    if is_read && reply.status == 401 && request.header("if-none-match").is_some() {
        return as_admin(held, request, answer);
    }
    reply
}

fn carry_everything(held: &mut Held, request: &Request, answer: &Answer<'_>) -> Reply {
    let reply = answer(held, request);
    if !is_304(request, &reply) {
        return reply;
    }
    let mut full = nowhere(held, request, answer);
    full.status = 304;
    reply.headers.iter().for_each(|(name, value)| full.set(name, value));
    full
}
