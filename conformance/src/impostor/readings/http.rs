//! Permitted readings other than the reference's: paths, header groups, validators, error bodies, version labels.

use chrono::DateTime;
use libros_conformance_model::catalogue::headers::{Header, NO_CACHE};
use libros_conformance_model::js;
use libros_conformance_model::list::query::percent_decode;
use libros_conformance_model::refusals::NOT_JSON;
use serde_json::{Value, json};

use crate::impostor::effect::prelude::*;

pub(crate) const READINGS: &[Variation] = variations! {
    "etag-quoted" by "conditional/etag-quotes": "The ETag is in double quotes."
        => steps |s| s.reads.etag = |digest| format!("\"{digest}\"");
    "etag-in-upper-case" by "conditional/etag-case": "The ETag is written in upper case."
        => steps |s| s.reads.etag = |digest| digest.to_uppercase();
    "etag-over-escaped-text" by silence: "The ETag is that of a JSON text whose characters beyond ASCII are escaped."
        => steps |s| s.reads.etag_text = escaped;
    "etag-over-indented-text" by silence: "The ETag is that of an indented JSON text."
        => steps |s| s.reads.etag_text = |data| serde_json::to_string_pretty(data).unwrap_or_default();
    "etag-over-text-with-line-end" by silence: "The ETag is that of the JSON text and a line end."
        => steps |s| s.reads.etag_text = |data| js::stringify(data) + "\n";
    "etag-of-the-stored-order" by silence: "A book shows its fields by name, and the ETag is that of the order in which they are stored."
        => start |state| sort_fields(state)
        => after |held, request, reply| show_sorted(held, request, reply)
        => steps |s| s.reads.etag_text = |data| js::stringify(&as_stored(data));
    "reads-with-a-line-end" by silence: "The JSON of what is read is indented and ends in a line end, and the ETag is that of the compact text."
        => reply |_request, reply| if reply.has("ETag") && reply.has("X-Frame-Options") { indent(reply) };
    "if-none-match-as-http" by "conditional/match-candidates" "conditional/match-star": "If-None-Match takes lists, weak tags and the asterisk."
        => steps |s| s.reads.if_none_match = matches_as_in_http;
    "modification-field-honoured" by "conditional/since-field": "If-Modified-Since heeds a field ultimaModificacion."
        => steps |s| s.reads.unmodified_since = unmodified_by_field;
    "any-json-is-an-object" by "errors/body-not-object": "JSON that is not an object counts as an object without fields."
        => request |request| if of_catalogue(request) && js::parse(&request.body).is_ok_and(|body| !body.is_object()) { empty_object(request) };
    "null-body-is-500" by "errors/body-not-object": "A book whose body is null is an unexpected failure."
        => reply |request, reply| if of_books(request) && reply.status == 400 && request.body == b"null" { fail_unexpectedly(reply) };
    "bad-percent-is-500" by "list/form-decoding": "A bad percent sign in a query is an unexpected failure."
        => reply |request, reply| if of_books(request) && shows_list(reply) && !percent_decode(&request.query).1 {
            refuse(reply, 500, "Unexpected failure");
            fail_unexpectedly(reply);
        };
    "byte-order-mark-skipped" by "errors/byte-order-mark": "A byte order mark is skipped."
        => request |request| skip_byte_order_mark(request);
    "closed-keys-in-any-case" by "errors/key-case-closed": "Keys of a registration and a login are read in any letter case."
        => request |request| if of_auth(request) { lower_keys(request, &["email", "password"]) };
    "empty-body-is-empty-object" by "errors/empty-body": "An empty body counts as an object without fields."
        => request |request| if of_catalogue(request) && request.body.is_empty() { empty_object(request) };
    "invalid-utf8-replaced" by "errors/invalid-utf8": "Bytes that are not UTF-8 are replaced."
        => request |request| if of_catalogue(request) { request.body = String::from_utf8_lossy(&request.body).into_owned().into_bytes() };
    "other-content-types-refused" by "errors/request-content-type": "A Content-Type other than JSON is refused."
        => around |held, request, answer| refuse_other_content_types(held, request, answer);
    "further-keys-refused" by "errors/further-keys" "users/extra-fields" "signup/further-keys": "Keys that the documents do not name are refused."
        => request |request| if has_further_keys(request) { request.body = b"{".to_vec() };
    "realm-quoted" by "errors/401-realm": "The realm is in double quotes."
        => reply |_request, reply| if from_builder(reply) && reply.status == 401 { reply.set("WWW-Authenticate", "Bearer realm=\"LibraryCatalogueService\"") };
    "401-bare" by silence: "A 401 carries Content-Type and WWW-Authenticate alone."
        => reply |_request, reply| if from_builder(reply) && reply.status == 401 { reply.headers.retain(|(name, _)| matches!(name.as_str(), "Content-Type" | "WWW-Authenticate")) };
    "deleted-without-content-type" by silence: "The 204 of a delete has no Content-Type."
        => reply |request, reply| if of_books(request) && reply.status == 204 { reply.remove("Content-Type") };
    "malformed-before-405" by "verification/method-before-body" "books/method-before-body": "Malformed JSON answers 400 whatever the method."
        => reply |request, reply| if from_builder(reply) && reply.status == 405 && !request.body.is_empty() && is_malformed(request) { reply.status = 400 };
    "brackets-refused" by "list/bracketed-names": "A name with brackets is refused."
        => reply |request, reply| if of_books(request) && shows_list(reply) && has_bracket_in_a_name(&request.query) { refuse(reply, 400, "brackets in a name") };
    "bad-percent-is-400" by "list/form-decoding": "A bad percent sign in a query is refused."
        => reply |request, reply| if of_books(request) && shows_list(reply) && !percent_decode(&request.query).1 { refuse(reply, 400, "a bad percent sign") };
    "one-text-for-all-refusals" by "errors/wording": "Every refusal has the same text."
        => reply |_request, reply| if from_builder(reply) && (400..500).contains(&reply.status) { reply.edit(|body| if body["error"].is_string() { body["error"] = json!("Petición rechazada") }) };
    "too-deep-is-422" by "errors/nested-too-deep": "JSON of more than a hundred levels answers 422."
        => reply |request, reply| if of_books(request) && reply.status == 400 && request.body.iter().filter(|byte| **byte == b'[').count() > 100 { reply.status = 422 };
    "absolute-form-refused" by "routing/absolute-form": "A request target in absolute form is refused."
        => reply |request, reply| if request.absolute && from_builder(reply) { refuse(reply, 400, "an absolute target") };
    "auth-wrong-method-is-400" by "routing/auth-wrong-method": "A known /auth path answers 400 to another method."
        => reply |request, reply| if matches!(request.path.as_str(), "/auth/registro" | "/auth/login" | "/auth/api-keys") && reply.status == 404 { reply.status = 400 };
    "head-elsewhere-is-400" by "routing/head-elsewhere": "HEAD outside of the books answers 400."
        => reply |request, reply| if request.method == "HEAD" && from_builder(reply) && !of_catalogue(request) { reply.status = 400 };
    "trailing-slash-is-400" by "routing/trailing-slash-elsewhere": "A slash after an /auth or /2fa path is refused."
        => reply |request, reply| if (of_auth(request) || of_two_factor(request)) && request.path.ends_with('/') && reply.status == 404 { reply.status = 400 };
    "paths-redirected-to-lower-case" by "routing/path-case": "A path with capitals is redirected to that in lower case."
        => reply |request, reply| if reply.status == 404 && from_builder(reply) && !request.path.contains('%') && request.path.chars().any(|c| c.is_ascii_uppercase()) {
            reply.status = 301;
            reply.set("Location", &request.path.to_ascii_lowercase());
        };
    "401-with-defaults" by silence: "A 401 has the Referrer-Policy and the Cache-Control of a library."
        => reply |_request, reply| if from_builder(reply) && reply.status == 401 {
            reply.set("Referrer-Policy", "no-referrer");
            reply.set("Cache-Control", "no-store");
        };
    "options-has-cache" by "headers/options-own": "OPTIONS answers with the no-cache group, and the time of a page."
        => reply |request, reply| if request.method == "OPTIONS" && from_catalogue(reply) {
            add_group(reply, NO_CACHE);
            reply.set("Last-Modified", "Wed, 01 Jan 2025 00:00:00 GMT");
        };
    "request-id-of-its-own" by "headers/library-headers": "Every answer has an X-Request-ID of the server's own making."
        => reply |_request, reply| reply.set("X-Request-ID", "d4a2f1c0-5b7e-4c7a-9a53-6f0f2f7b1e11");
    "options-has-content-type" by "headers/options-own": "OPTIONS answers with a Content-Type."
        => reply |request, reply| if request.method == "OPTIONS" && from_catalogue(reply) { reply.set("Content-Type", "application/json; charset=utf-8") };
    "accept-refused" by "headers/request-accept": "Accept of another media type answers 406."
        => reply |request, reply| if from_builder(reply) && accepts_no_json(request) { refuse(reply, 406, "This media type cannot be had") };
    "compressed-when-asked" by "headers/request-accept-encoding": "A body is compressed for who takes gzip."
        => reply |request, reply| if from_builder(reply) && request.header("accept-encoding").is_some_and(|kinds| kinds.contains("gzip")) { compress(reply) };
    "no-cache-request-skips-304" by "headers/request-cache-control": "Cache-Control no-cache of the request keeps it from a 304."
        => request |request| if request.header("cache-control").is_some_and(|value| value.contains("no-cache")) { request.remove("If-None-Match") };
    "paths-ignore-case" by "routing/path-case": "/Libros is the collection."
        => request |request| take_path(request, str::to_lowercase);
    "rate-limit-without-policy" by "headers/rate-limit-policy": "Answers to API keys carry the rate-limit headers but the policy."
        => reply |request, reply| if from_builder(reply) && request.header("x-api-key").is_some() { add_group(reply, &RATE_LIMIT[..3]) };
    "rate-limit-of-a-gateway" by "headers/rate-limit-policy": "Answers carry the rate-limit headers of a gateway."
        => reply |_request, reply| if from_builder(reply) { add_group(reply, &GATEWAY_RATE_LIMIT) };
    "rate-limit-told" by "headers/rate-limit-policy": "Answers to API keys carry the rate-limit headers."
        => reply |request, reply| if from_builder(reply) && request.header("x-api-key").is_some() { add_group(reply, &RATE_LIMIT) };
    "absolute-form-unknown" by "routing/absolute-form": "A request target in absolute form is an unknown path."
        => request |request| if request.absolute && of_catalogue(request) { lose_path(request) };
    "auth-wrong-method-is-405" by "routing/auth-wrong-method": "A known /auth path answers 405 to another method."
        => reply |request, reply| if matches!(request.path.as_str(), "/auth/registro" | "/auth/login" | "/auth/api-keys") && reply.status == 404 { reply.status = 405 };
    "empty-segments-kept" by "routing/empty-segments": "An empty segment is the second one."
        => request |request| keep_empty_segments(request);
    "empty-segments-unknown" by "routing/empty-segments": "A path with an empty segment is an unknown one."
        => request |request| if of_books(request) && request.path.contains("//") { lose_path(request) };
    "tags-in-several-lines-refused" by "conditional/match-candidates": "If-None-Match in several lines is refused."
        => reply |request, reply| if from_catalogue(reply) && request.headers.iter().filter(|(name, _)| name.eq_ignore_ascii_case("If-None-Match")).count() > 1 { refuse(reply, 400, "Duplicate header line") };
    "head-elsewhere-is-405" by "routing/head-elsewhere": "HEAD outside of the books answers 405."
        => reply |request, reply| if request.method == "HEAD" && from_builder(reply) && !of_catalogue(request) { reply.status = 405 };
    "head-elsewhere-is-501" by "routing/head-elsewhere": "HEAD outside of the books answers 501."
        => reply |request, reply| if request.method == "HEAD" && from_builder(reply) && !of_catalogue(request) { reply.status = 501 };
    "paths-decoded" by "routing/path-percent-encoded": "Paths are percent-decoded before routing."
        => request |request| take_path(request, |path| percent_decode(path).0);
    "paths-normalised" by "routing/path-as-sent": "Paths are normalised before routing."
        => request |request| take_path(request, |path| path.replace("/./", "/").replace("//", "/"));
    "trailing-slash-passes" by "routing/trailing-slash-elsewhere": "A slash after an /auth or /2fa path is passed over."
        => request |request| skip_trailing_slash(request);
    "label-in-another-encoding" by "versioning/echo-beyond-ascii": "A label beyond ASCII comes back as UTF-8, read as if it were Latin-1."
        => reply |_request, reply| edit_label(reply, |label| label.bytes().map(char::from).collect());
    "label-cut-to-ascii" by "versioning/echo-beyond-ascii": "Letters of a label beyond ASCII come back as question marks."
        => reply |_request, reply| edit_label(reply, |label| label.replace(|letter: char| !letter.is_ascii(), "?"));
    "label-beyond-ascii-refused" by "versioning/echo-beyond-ascii": "A label beyond ASCII answers 400."
        => reply |request, reply| if from_builder(reply) && has_label_beyond_ascii(request) { refuse(reply, 400, "Unreadable header") };
    "label-beyond-ascii-passed-over" by "versioning/echo-beyond-ascii": "A label beyond ASCII counts as none."
        => request |request| if has_label_beyond_ascii(request) { request.remove("X-API-Version") };
    "empty-label-echoed" by "versioning/empty-label": "An empty X-API-Version comes back empty."
        => reply |request, reply| if request.header("x-api-version").is_some_and(|label| label.is_empty()) && from_catalogue(reply) { reply.set("X-API-Version", "") };
    "last-label-line-counts" by "versioning/several-lines": "Of several X-API-Version lines the last comes back."
        => request |request| keep_last_label(request);
};

const RATE_LIMIT: [Header; 4] = [
    ("X-RateLimit-Limit", "1000"),
    ("X-RateLimit-Remaining", "999"),
    ("X-RateLimit-Reset", "60"),
    ("X-RateLimit-Policy", "1000;w=60"),
];

/// Those of Spring Cloud Gateway, `RedisRateLimiter`.
const GATEWAY_RATE_LIMIT: [Header; 4] = [
    ("X-RateLimit-Remaining", "19"),
    ("X-RateLimit-Requested-Tokens", "1"),
    ("X-RateLimit-Burst-Capacity", "20"),
    ("X-RateLimit-Replenish-Rate", "10"),
];

fn has_bracket_in_a_name(query: &str) -> bool {
    let mut names = query.split('&').filter_map(|pair| pair.split('=').next());
    names.any(|name| percent_decode(name).0.contains('['))
}

/// A list has no such field, and a book only where it was sent with one.
fn unmodified_by_field(data: &Value, since: i64, _: i64) -> bool {
    let modified = data.get("ultimaModificacion").and_then(Value::as_str);
    let modified = modified.and_then(|text| DateTime::parse_from_rfc3339(text).ok());
    modified.is_some_and(|at| at.timestamp_millis() <= since)
}

fn fail_unexpectedly(reply: &mut Reply) {
    let failure = json!({
        "codigo": "INTERNAL_ERROR",
        "mensaje": "Unexpected failure",
        "timestamp": "2026-01-01T00:00:00.000Z",
        "requestId": "req_1767225600000_1",
    });
    reply.status = 500;
    reply.edit(|body| *body = json!({ "error": failure }));
}

fn compress(reply: &mut Reply) {
    if !reply.body.is_empty() {
        reply.body = gzip(&reply.body);
        reply.set("Content-Encoding", "gzip");
    }
}

fn empty_object(request: &mut Request) {
    request.body = b"{}".to_vec();
}

fn skip_byte_order_mark(request: &mut Request) {
    if of_catalogue(request) && request.body.starts_with(b"\xef\xbb\xbf") {
        request.body.drain(..3);
    }
}

/// Cuts a path off before an empty segment: it is the one that counts.
fn keep_empty_segments(request: &mut Request) {
    if let Some(at) = request.path.find("//").filter(|_| of_books(request)) {
        request.path.truncate(at + 1);
    }
}

fn skip_trailing_slash(request: &mut Request) {
    let trimmed = request.path.trim_end_matches('/').to_owned();
    if (of_auth(request) || of_two_factor(request)) && trimmed != "/2fa" {
        request.path = trimmed;
    }
}

fn edit_label(reply: &mut Reply, edit: impl Fn(&str) -> String) {
    if let Some(label) = reply.header("X-API-Version").map(edit) {
        reply.set("X-API-Version", &label);
    }
}

fn keep_last_label(request: &mut Request) {
    if let Some(last) = request.headers.iter().rfind(|(name, _)| name.eq_ignore_ascii_case("x-api-version")).cloned() {
        request.remove("X-API-Version");
        request.headers.push(last);
    }
}

fn has_label_beyond_ascii(request: &Request) -> bool {
    request.header("x-api-version").is_some_and(|label| !label.is_ascii())
}

/// JSON with characters beyond ASCII as escapes, which other JSON writers prefer.
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

fn indent(reply: &mut Reply) {
    reply.body = serde_json::to_vec_pretty(&reply.json_body()).unwrap_or_default();
    reply.body.push(b'\n');
}

fn accepts_no_json(request: &Request) -> bool {
    request.header("accept").is_some_and(|accept| !accept.contains("json") && !accept.contains('*'))
}

/// The asterisk, a list of tags, a weak tag.
fn matches_as_in_http(sent: &str, etag: &str) -> bool {
    let strong = |tag: &str| tag.trim().trim_start_matches("W/") == etag;
    sent.trim() == "*" || sent.split(',').any(strong)
}

/// Refuses a body whose Content-Type is not JSON where a body that is none would be refused.
fn refuse_other_content_types(held: &mut Held, request: &Request, answer: &Answer<'_>) -> Reply {
    let is_other = request.header("content-type").is_some_and(|kind| !kind.contains("json"));
    if !is_other || !of_catalogue(request) {
        return answer(held, request);
    }
    let mut unread = request.clone();
    spoil_body(&mut unread);
    let mut reply = answer(held, &unread);
    if reply.refuses_with(NOT_JSON) {
        refuse(&mut reply, 415, "the body must be JSON");
    }
    reply
}
