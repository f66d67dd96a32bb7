//! Faults that break rules of the chapter blog.

use serde_json::{Value, json};

use crate::impostor::effect::prelude::*;

pub(crate) const FAULTS: &[Variation] = variations! {
    "blog-list-is-404-when-empty" breaks "blog/list": "An empty blog answers 404."
        => reply |request, reply| not_found_when_empty(request, reply);
    "blog-list-is-no-json" breaks "blog/list": "The blog answers with HTML."
        => reply |request, reply| html(request, reply);
    "blog-listed-entry-is-404" breaks "blog/listed-is-read": "A single entry cannot be read."
        => reply |request, reply| if request.method == "GET" && request.path.starts_with("/posts/") { *reply = Reply::bare(404) };
    "blog-unknown-entry-is-empty" breaks "blog/unknown-id" and "blog/deleted-is-gone": "An id that no entry has answers 200 and an empty object."
        => reply |request, reply| if reads_unknown(request, reply) { *reply = Reply::json(200, &json!({})) };
    "blog-deletes-nothing" breaks "blog/deleted-is-gone": "A deleted entry is there as before."
        => request |request| if request.method == "DELETE" && request.path.starts_with("/posts/") { request.method = "GET".to_owned() };
    "blog-lists-what-was-deleted" breaks "blog/deleted-is-gone": "A deleted entry stays in the list."
        => around |held, request, answer| list_deleted(held, request, answer);
};

/// A read under a number that no entry has.
fn reads_unknown(request: &Request, reply: &Reply) -> bool {
    let number = request.path.strip_prefix("/posts/").and_then(|id| id.parse::<u64>().ok());
    request.method == "GET" && number.is_some() && reply.status == 404
}

fn is_list(request: &Request) -> bool {
    request.method == "GET" && request.path == "/posts"
}

fn not_found_when_empty(request: &Request, reply: &mut Reply) {
    if is_list(request) && reply.body == b"[]" {
        reply.status = 404;
        reply.edit(|body| *body = json!({"error": "No posts"}));
    }
}

fn html(request: &Request, reply: &mut Reply) {
    if is_list(request) {
        reply.set("Content-Type", "text/html");
        reply.body = b"<h1>Blog</h1>".to_vec();
    }
}

fn list_deleted(held: &mut Held, request: &Request, answer: &Answer<'_>) -> Reply {
    let before = held.entries.clone();
    let mut reply = answer(held, request);
    if request.method == "DELETE" {
        let gone: Vec<_> = before.into_iter().filter(|entry| !held.entries.contains(entry)).collect();
        held.past.deleted_entries.extend(gone);
    }
    if let (true, Value::Array(mut list)) = (is_list(request), reply.json_body()) {
        list.extend(held.past.deleted_entries.clone());
        reply.edit(|shown| *shown = list.into());
    }
    reply
}
