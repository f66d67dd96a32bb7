//! The blog outline: entries of a title and a content.

use serde_json::{Value, json};

use super::super::world::World;
use super::{failure, reply};
use crate::impostor::http::{Reply, Request};

/// Answers a request on /posts.
pub(crate) fn answer(world: &World, request: &Request) -> Reply {
    let segments: Vec<&str> = request.path.split('/').skip(1).collect();
    let at = |id: &str| world.lock().entries.iter().position(|entry| entry["id"] == id);
    match (request.method.as_str(), segments.as_slice()) {
        ("GET", ["posts"]) if world.faults.on("blog-list-is-404-when-empty") && world.lock().entries.is_empty() => {
            failure(world, 404, "No posts")
        }
        ("GET", ["posts"]) if world.faults.on("blog-list-is-no-json") => {
            let mut reply = reply(world, 200, &Value::Null);
            reply.set("Content-Type", "text/html");
            reply.body = b"<h1>Blog</h1>".to_vec();
            reply
        }
        ("GET", ["posts"]) => reply(world, 200, &Value::Array(world.lock().entries.clone())),
        ("POST", ["posts"]) => write(world, request, None),
        ("PUT", ["posts", id]) => match at(id) {
            Some(at) => write(world, request, Some(at)),
            None if world.faults.reads("blog-put-creates") => write(world, request, None),
            None => unknown(world),
        },
        ("GET" | "DELETE", ["posts", id]) => match at(id) {
            Some(at) if request.method == "GET" => reply(world, 200, &world.lock().entries[at]),
            Some(at) => {
                world.lock().entries.remove(at);
                if world.faults.reads("blog-delete-says-so") {
                    return reply(world, 200, &json!({"mensaje": "deleted"}));
                }
                Reply::bare(204)
            }
            None if request.method == "DELETE" && world.faults.reads("blog-delete-is-idempotent") => Reply::bare(204),
            None => unknown(world),
        },
        _ => failure(world, 404, "Not found"),
    }
}

fn unknown(world: &World) -> Reply {
    failure(world, if world.faults.reads("blog-unknown-is-410") { 410 } else { 404 }, "Post not found")
}

fn write(world: &World, request: &Request, at: Option<usize>) -> Reply {
    let Ok(sent) = serde_json::from_slice::<Value>(&request.body) else {
        return failure(world, 400, "The body is no JSON");
    };
    let Some(title) = sent["title"].as_str().filter(|title| !title.is_empty()) else {
        let status = if world.faults.reads("blog-invalid-is-422") { 422 } else { 400 };
        return failure(world, status, "title is required");
    };
    let content = sent.get("content").cloned().unwrap_or_else(|| json!(""));
    if !content.is_string() {
        return failure(world, 400, "content must be a text");
    }
    let more = world.faults.reads("blog-entries-have-more-fields");
    let mut state = world.lock();
    if let Some(at) = at {
        let entry = json!({"id": state.entries[at]["id"], "title": title, "content": content});
        state.entries[at] = entry.clone();
        if world.faults.reads("blog-replace-is-204") {
            return Reply::bare(204);
        }
        return reply(world, 200, &entry);
    }
    let entry = json!({"id": state.next_entry.to_string(), "title": title, "content": content});
    state.next_entry += 1;
    let mut entry = entry;
    if more {
        entry["comments"] = json!([]);
    }
    state.entries.push(entry.clone());
    reply(world, if world.faults.reads("blog-create-is-200") { 200 } else { 201 }, &entry)
}
