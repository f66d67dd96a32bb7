//! Variations of the chapter conditional.

use std::sync::OnceLock;

use chrono::{DateTime, FixedOffset};
use libros_conformance_model::catalogue::headers;
use libros_conformance_model::clock::{http_date, iso};
use libros_conformance_model::list::{body, list};

use crate::impostor::effect::prelude::*;

pub(crate) const VARIATIONS: &[Variation] = variations! {
    "etag-covers-pagination" breaks "conditional/etag-items-only": "The ETag of a list covers its pagination too."
        => steps |s| s.reads.list_etag_covers = |page, _, _, steps| body(page, steps);
    "etag-of-the-ids" breaks "conditional/etag-follows-data": "The ETag covers only the ids, and stays the same when a book changes."
        => steps |s| s.reads.etag_text = ids;
    "etag-before-selection" breaks "conditional/etag-follows-selection": "The ETag of a list covers the whole books, whatever fields were selected."
        => steps |s| s.reads.list_etag_covers = |_, books, query, steps| list(books, &without_fields(query), steps).items();
    "book-lacks-etag" breaks "conditional/etag-book": "A single book has no ETag."
        => reply |_request, reply| if shows_book(reply) { reply.remove("ETag") };
    "list-lacks-last-modified" breaks "conditional/last-modified-list": "A list has no Last-Modified."
        => reply |_request, reply| if shows_list(reply) { reply.remove("Last-Modified") };
    "last-modified-of-the-start" breaks "conditional/last-modified-list": "Last-Modified of a list is one fixed time."
        => reply |_request, reply| if shows_list(reply) { reply.set("Last-Modified", "Mon, 01 Jan 2024 00:00:00 GMT") };
    "last-modified-stands-still" breaks "conditional/last-modified-list" and "conditional/last-modified-book": "Last-Modified is always the time of the service's first answer."
        => reply |_request, reply| {
            if let Some(now) = reply.header("Last-Modified").map(str::to_owned) {
                reply.set("Last-Modified", FIRST.get_or_init(|| now));
            }
        };
    "book-lacks-last-modified" breaks "conditional/last-modified-book": "A single book has no Last-Modified."
        => reply |_request, reply| if shows_book(reply) { reply.remove("Last-Modified") };
    "last-modified-of-the-book" breaks "conditional/last-modified-book": "Last-Modified of a book is the time of its last write."
        => reply |_request, reply| if shows_book(reply) && let Some(at) = last_write(&reply.json_body()) {
            reply.set("Last-Modified", &http_date(at));
        };
    "last-modified-iso" breaks "conditional/last-modified-form": "Last-Modified is an ISO 8601 text."
        => reply |_request, reply| change_last_modified(reply, |at| iso(at.timestamp_millis()));
    "last-modified-says-utc" breaks "conditional/last-modified-form": "Last-Modified ends in UTC instead of GMT."
        => reply |_request, reply| change_last_modified(reply, |at| at.format("%a, %d %b %Y %H:%M:%S UTC").to_string());
    "list-ignores-if-none-match" breaks "conditional/list-match": "A list ignores If-None-Match."
        => request |request| if of_books(request) && !names_id(request) { request.remove("If-None-Match") };
    "book-ignores-if-none-match" breaks "conditional/book-match": "A single book ignores If-None-Match."
        => request |request| if of_books(request) && names_id(request) { request.remove("If-None-Match") };
    "any-if-none-match-matches" breaks "conditional/no-match": "Any If-None-Match is answered 304."
        => steps |s| s.reads.if_none_match = |_, _| true;
    "if-none-match-ignores-letter-case" breaks "conditional/no-match": "If-None-Match matches the ETag in any letter case."
        => steps |s| s.reads.if_none_match = str::eq_ignore_ascii_case;
    "if-none-match-compares-beginnings" breaks "conditional/no-match": "If-None-Match equals every ETag that begins with it."
        => steps |s| s.reads.if_none_match = |sent, etag| etag.starts_with(sent);
    "304-for-keys-only" breaks "conditional/list-match" and "conditional/book-match": "If-None-Match counts for API keys only."
        => request |request| if of_books(request) && request.header("authorization").is_some() { request.remove("If-None-Match") };
    "304-for-the-first-page-only" breaks "conditional/list-match": "If-None-Match counts for the first page only."
        => request |request| if of_books(request) && request.query.contains("page=") { request.remove("If-None-Match") };
    "304-has-body" breaks "conditional/304-no-body": "A 304 has a body."
        => reply |request, reply| if is_304(request, reply) {
            (reply.body, reply.framing) = (b"null".to_vec(), Framing::Forced);
        };
    "304-lacks-cors" breaks "conditional/304-cors": "A 304 has no CORS headers."
        => reply |request, reply| if is_304(request, reply) { remove_group(reply, headers::CORS) };
    "304-lacks-etag" breaks "conditional/304-etag": "A 304 has no ETag."
        => reply |request, reply| if is_304(request, reply) { reply.remove("ETag") };
    "304-list-says-no-cache" breaks "conditional/304-cache-list": "The Cache-Control of a list's 304 forbids caching."
        => reply |request, reply| if is_304(request, reply) && !names_id(request) { reply.set("Cache-Control", "no-cache, no-store, must-revalidate") };
    "304-book-says-private" breaks "conditional/304-cache-book": "The Cache-Control of a book's 304 says private, as that of a 200 does."
        => reply |request, reply| if is_304(request, reply) && names_id(request) { reply.set("Cache-Control", "private, max-age=60") };
    "304-carries-everything" breaks "conditional/304-nothing-else": "A 304 carries every header group."
        => around |state, request, answer| carry_everything(state, request, answer);
    "304-has-version" breaks "conditional/304-nothing-else": "A 304 carries the version headers."
        => reply |request, reply| if is_304(request, reply) { reply.set("X-API-Version", "1.0.0") };
    "304-has-last-modified" breaks "conditional/304-nothing-else": "A 304 carries Last-Modified."
        => reply |request, reply| if is_304(request, reply) { reply.set("Last-Modified", &http_date(request.now)) };
    "replace-honours-if-none-match" breaks "conditional/reads-only": "PUT with a matching If-None-Match answers 304 and replaces nothing."
        => around |state, request, answer| match_before_replace(state, request, answer);
    "304-for-unknown-id" breaks "conditional/unknown-id": "If-None-Match on an unknown book answers 304."
        => reply |request, reply| {
            if of_books(request) && reply.status == 404 && request.header("if-none-match").is_some() {
                reply.status = 304;
                reply.body.clear();
            }
        };
    "304-before-credential" breaks "conditional/needs-credential": "A read with If-None-Match is answered without a credential."
        => around |state, request, answer| match_before_credential(state, request, answer);
    "list-honours-if-modified-since" breaks "conditional/since-list": "If-Modified-Since of now or later is answered 304 for a list."
        => steps |s| s.reads.unmodified_since = |data, since, now| data.is_array() && since / 1000 >= now / 1000;
    "if-modified-since-cancels-if-none-match" breaks "conditional/since-list" and "conditional/since-book": "If-None-Match is ignored beside If-Modified-Since."
        => request |request| if request.header("if-modified-since").is_some() { request.remove("if-none-match") };
    "book-honours-if-modified-since" breaks "conditional/since-book": "If-Modified-Since after the last write of a book is answered 304."
        => steps |s| s.reads.unmodified_since =
            |data, since, _| last_write(data).is_some_and(|at| at / 1000 <= since / 1000);
    "list-etag-over-no-json" breaks "conditional/etag-list": "The ETag of a list covers a debug print of its items instead of their JSON."
        => steps |s| s.reads.etag_text = |data| if data.is_array() { printed(data) } else { js::stringify(data) };
    "book-etag-over-no-json" breaks "conditional/etag-book": "The ETag of a book covers a debug print of the book instead of its JSON."
        => steps |s| s.reads.etag_text = |data| if data.is_object() { printed(data) } else { js::stringify(data) };
    "etag-quoted" by "conditional/etag-quotes": "The ETag is in double quotes."
        => steps |s| s.reads.etag = |digest| format!("\"{digest}\"");
    "etag-in-upper-case" by "conditional/etag-case": "The ETag is written in upper case."
        => steps |s| s.reads.etag = |digest| digest.to_uppercase();
    "etag-over-escaped-text" by silence: "The ETag covers a JSON text whose characters beyond ASCII are escaped."
        => steps |s| s.reads.etag_text = escaped;
    "etag-over-indented-text" by silence: "The ETag covers an indented JSON text."
        => steps |s| s.reads.etag_text = |data| serde_json::to_string_pretty(data).unwrap_or_default();
    "etag-over-text-with-line-end" by silence: "The ETag covers the JSON text and a line end."
        => steps |s| s.reads.etag_text = |data| js::stringify(data) + "\n";
    "etag-of-the-stored-order" by silence: "Book fields are shown sorted by name, and the ETag covers them in stored order."
        => start |state| sort_fields(state)
        => after |state, request, reply| show_sorted(state, request, reply)
        => steps |s| s.reads.etag_text = |data| js::stringify(&as_stored(data));
    "reads-with-a-line-end" by silence: "Reads answer with indented JSON and a line end, and the ETag covers the compact text."
        => reply |_request, reply| if reply.has("ETag") && reply.has("X-Frame-Options") {
            reply.body = serde_json::to_vec_pretty(&reply.json_body()).unwrap_or_default();
            reply.body.push(b'\n');
        };
    "if-none-match-as-http" by "conditional/match-candidates" "conditional/match-star": "If-None-Match takes lists, weak tags and the asterisk, as in HTTP."
        => steps |s| s.reads.if_none_match = matches_as_in_http;
    "modification-field-honoured" by "conditional/since-field": "If-Modified-Since is compared with the field ultimaModificacion of a book."
        => steps |s| s.reads.unmodified_since = unmodified_by_field;
    "tags-in-several-lines-refused" by "conditional/match-candidates": "If-None-Match in several lines is refused."
        => reply |request, reply| if from_catalogue(reply) && has_several_tag_lines(request) { refuse(reply, 400, "Duplicate header line") };
};

fn is_304(request: &Request, reply: &Reply) -> bool {
    of_books(request) && reply.status == 304
}

fn has_several_tag_lines(request: &Request) -> bool {
    request.headers.iter().filter(|(name, _)| name.eq_ignore_ascii_case("If-None-Match")).count() > 1
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

fn change_last_modified(reply: &mut Reply, form: fn(DateTime<FixedOffset>) -> String) {
    let at = reply.header("Last-Modified").and_then(|text| DateTime::parse_from_rfc2822(text).ok());
    if let Some(at) = at {
        reply.set("Last-Modified", &form(at));
    }
}

fn last_write(book: &Value) -> Option<i64> {
    milliseconds(book.get("fechaActualizacion").or(book.get("fechaCreacion"))?)
}

fn without_fields(query: &str) -> String {
    query.split('&').filter(|pair| !pair.starts_with("fields=")).collect::<Vec<_>>().join("&")
}

fn match_before_replace(state: &mut Shared, request: &Request, answer: &Answer<'_>) -> Reply {
    let read = Request { method: "GET".to_owned(), ..request.clone() };
    if of_books(request) && request.method == "PUT" && request.header("if-none-match").is_some() {
        let reply = answer(state, &read);
        if reply.status == 304 {
            return reply;
        }
    }
    answer(state, request)
}

fn match_before_credential(state: &mut Shared, request: &Request, answer: &Answer<'_>) -> Reply {
    let reply = answer(state, request);
    let is_read = of_books(request) && request.method == "GET";
    if is_read && reply.status == 401 && request.header("if-none-match").is_some() {
        return as_admin(state, request, answer);
    }
    reply
}

fn carry_everything(state: &mut Shared, request: &Request, answer: &Answer<'_>) -> Reply {
    let reply = answer(state, request);
    if !is_304(request, &reply) {
        return reply;
    }
    let mut full = nowhere(state, request, answer);
    full.status = 304;
    reply.headers.iter().for_each(|(name, value)| full.set(name, value));
    full
}

/// JSON that escapes characters beyond ASCII, as other JSON writers do.
fn escaped(data: &Value) -> String {
    let escape = |unit: u16| match u8::try_from(unit) {
        Ok(byte) if byte.is_ascii() => char::from(byte).to_string(),
        _ => format!("\\u{unit:04x}"),
    };
    js::stringify(data).encode_utf16().map(escape).collect()
}

/// Books with titulo and autor first, as a record with these columns keeps them.
fn as_stored(data: &Value) -> Value {
    let place =
        |name: &str| ["titulo", "autor", "fechaPublicacion"].iter().position(|known| *known == name).unwrap_or(3);
    match data {
        Value::Array(books) => books.iter().map(as_stored).collect(),
        Value::Object(book) => {
            let mut fields: Vec<_> = book.iter().collect();
            fields.sort_by_key(|(name, _)| place(name));
            fields.into_iter().map(|(name, value)| (name.clone(), value.clone())).collect()
        }
        plain => plain.clone(),
    }
}

/// The asterisk, a list of tags, a weak tag.
fn matches_as_in_http(sent: &str, etag: &str) -> bool {
    let strong = |tag: &str| tag.trim().trim_start_matches("W/") == etag;
    sent.trim() == "*" || sent.split(',').any(strong)
}

/// A list has no such field, and a book only where it was sent with one.
fn unmodified_by_field(data: &Value, since: i64, _: i64) -> bool {
    let modified = data.get("ultimaModificacion").and_then(Value::as_str);
    let modified = modified.and_then(|text| DateTime::parse_from_rfc3339(text).ok());
    modified.is_some_and(|at| at.timestamp_millis() <= since)
}
