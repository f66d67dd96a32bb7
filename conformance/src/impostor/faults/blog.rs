//! Faults that break rules of the chapter blog.

use serde_json::json;

use super::Fault;
use crate::impostor::http::{Reply, Request};

pub(crate) const FAULTS: &[Fault] = faults! {
    "blog-list-is-404-when-empty" breaks "blog/list": "An empty blog answers 404."
        => reply |request, reply| not_found_when_empty(request, reply);
    "blog-list-is-no-json" breaks "blog/list": "The blog answers with HTML."
        => reply |request, reply| html(request, reply);
    "blog-listed-entry-is-404" breaks "blog/listed-is-read": "A single entry cannot be read."
        => reply |request, reply| if request.method == "GET" && request.path.starts_with("/posts/") { *reply = Reply::bare(404) };
};

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
