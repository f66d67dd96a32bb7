//! Tests and changes of catalogue messages that several effects share. Knows no fault, no reading and no book.

use libros_conformance_model::catalogue::headers::Header;
use libros_conformance_model::js;
use libros_conformance_model::message::{Framing, Interface, Reply, Request};
use serde_json::{Value, json};

use crate::impostor::world::Shared;

pub(crate) fn of_books(request: &Request) -> bool {
    request.path.starts_with("/libros")
}

pub(crate) fn of_auth(request: &Request) -> bool {
    request.path.starts_with("/auth")
}

pub(crate) fn of_two_factor(request: &Request) -> bool {
    request.path.starts_with("/2fa/")
}

/// Whether the path of the request is below a prefix of the catalogue.
pub(crate) fn of_catalogue(request: &Request) -> bool {
    of_books(request) || of_auth(request) || of_two_factor(request)
}

pub(crate) fn of_users(request: &Request) -> bool {
    request.interface == Interface::Users
}

pub(crate) fn of_graphql(request: &Request) -> bool {
    request.interface == Interface::Graphql
}

pub(crate) fn of_reduced(request: &Request) -> bool {
    request.interface == Interface::GraphqlReduced
}

pub(crate) fn query(request: &Request) -> String {
    request.json_body()["query"].as_str().unwrap_or_default().to_owned()
}

pub(crate) fn has_credential(request: &Request) -> bool {
    request.header("x-api-key").is_some() || request.header("authorization").is_some()
}

pub(crate) fn is_options(request: &Request, reply: &Reply) -> bool {
    request.method == "OPTIONS" && from_catalogue(reply)
}

/// Whether the request is the OPTIONS that a browser sends ahead of another.
pub(crate) fn is_preflight(request: &Request) -> bool {
    request.header("access-control-request-method").is_some()
}

pub(crate) fn is_malformed(request: &Request) -> bool {
    js::parse(&request.body).is_err()
}

/// The second segment of a book path; empty segments do not count.
pub(crate) fn id_segment(request: &Request) -> Option<&str> {
    let mut segments = request.path.split('/').filter(|segment| !segment.is_empty());
    segments.nth(1).filter(|_| of_books(request))
}

/// Whether a book path names an id: its second segment is an integer other than 0.
pub(crate) fn names_id(request: &Request) -> bool {
    id_of(request).is_some()
}

pub(crate) fn id_of(request: &Request) -> Option<f64> {
    id_segment(request).and_then(js::parse_int).filter(|id| *id != 0.0)
}

pub(crate) fn names_unknown(state: &Shared, request: &Request) -> bool {
    id_of(request).is_some_and(|id| state.place(id).is_none())
}

/// Replaces the second segment of a book path by its respelling, if `respell` gives one.
pub(crate) fn respell_id(request: &mut Request, respell: fn(&str) -> Option<String>) {
    if let Some(respelt) = id_segment(request).and_then(respell) {
        request.path = format!("/libros/{respelt}");
    }
}

/// Changes the path of the request, if the new one is a path of the catalogue.
pub(crate) fn take_path(request: &mut Request, change: impl FnOnce(&str) -> String) {
    let changed = change(&request.path);
    let before = std::mem::replace(&mut request.path, changed);
    if !of_catalogue(request) {
        request.path = before;
    }
}

/// Drops the first segment, if the rest is a path of the catalogue.
pub(crate) fn skip_segment(request: &mut Request, segment: &str) {
    take_path(request, |path| path.strip_prefix(segment).unwrap_or(path).to_owned());
}

/// Makes the path one that the model does not know.
pub(crate) fn lose_path(request: &mut Request) {
    request.path.insert_str(0, "/unknown");
}

pub(crate) fn from_catalogue(reply: &Reply) -> bool {
    reply.has("X-API-Build")
}

pub(crate) fn from_builder(reply: &Reply) -> bool {
    from_catalogue(reply) && reply.has("X-Frame-Options")
}

pub(crate) fn shows_list(reply: &Reply) -> bool {
    reply.status == 200 && reply.has("X-Per-Page")
}

pub(crate) fn shows_book(reply: &Reply) -> bool {
    reply.status == 200 && reply.has("ETag") && !shows_list(reply)
}

/// Answers with this status and body instead; the headers stay.
pub(crate) fn answer_as(reply: &mut Reply, status: u16, body: &Value) {
    reply.status = status;
    reply.body = js::stringify(body).into_bytes();
}

/// Turns the reply into the failure `{ error: <text> }`.
pub(crate) fn refuse(reply: &mut Reply, status: u16, text: &str) {
    answer_as(reply, status, &json!({"error": text}));
    reply.framing = Framing::Length;
    let of_lists = ["X-Total-Count", "X-Page-Count", "X-Current-Page", "X-Per-Page", "X-Has-Next", "X-Has-Prev"];
    of_lists.iter().chain(&["ETag", "Last-Modified"]).for_each(|name| reply.remove(name));
    reply.set("Cache-Control", "no-cache, no-store, must-revalidate");
}

/// Replaces the Cache-Control of a reply that forbids caching.
pub(crate) fn cache(reply: &mut Reply, value: &str) {
    if reply.has("Pragma") {
        reply.remove("Pragma");
        reply.remove("Expires");
        reply.set("Cache-Control", value);
    }
}

pub(crate) fn remove_group(reply: &mut Reply, group: &[Header]) {
    group.iter().for_each(|(name, _)| reply.remove(name));
}

/// Gives a failure `{ error: <text> }` another body, made of the text.
pub(crate) fn reword(reply: &mut Reply, body: fn(&Value) -> Value) {
    reply.edit(|failure| *failure = body(&failure["error"]));
}

pub(crate) fn edit_success(
    request: &Request,
    reply: &mut Reply,
    [method, path]: [&str; 2],
    change: impl FnOnce(&mut Value),
) {
    if request.is(method, path) && reply.status < 300 {
        reply.edit(change);
    }
}

/// Changes a string; any other value stays as it is.
pub(crate) fn edit_text(text: &mut Value, change: impl FnOnce(&str) -> String) {
    if let Some(known) = text.as_str() {
        *text = json!(change(known));
    }
}

pub(crate) fn asks_second_factor(request: &Request, reply: &Reply) -> bool {
    request.is("POST", "/auth/login") && reply.status == 200 && reply.json_body().get("sessionId").is_some()
}

pub(crate) fn without_data() -> Reply {
    Reply::json(200, &json!({"data": null}))
}

pub(crate) fn fail_unexpectedly(reply: &mut Reply) {
    let failure = json!({
        "codigo": "INTERNAL_ERROR",
        "mensaje": "Unexpected failure",
        "timestamp": "2026-01-01T00:00:00.000Z",
        "requestId": "req_1767225600000_1",
    });
    answer_as(reply, 500, &json!({ "error": failure }));
}
