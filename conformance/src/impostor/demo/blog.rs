//! The blog outline: entries of a title and a content.

use serde_json::{Value, json};

use super::super::http::{Reply, Request};
use super::super::world::World;
use super::{failure, reply};

/// Answers a request on /posts.
pub(super) fn answer(world: &World, request: &Request) -> Reply {
    let segments: Vec<&str> = request.path.split('/').skip(1).collect();
    let at = |id: &str| {
        world
            .lock()
            .entries
            .iter()
            .position(|entry| entry["id"] == id)
    };
    match (request.method.as_str(), segments.as_slice()) {
        ("GET", ["posts"])
            if world.faults.on("blog-list-is-404-when-empty")
                && world.lock().entries.is_empty() =>
        {
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
            None => failure(world, 404, "Post not found"),
        },
        ("GET" | "DELETE", ["posts", id]) => match at(id) {
            Some(at) if request.method == "GET" => reply(world, 200, &world.lock().entries[at]),
            Some(at) => {
                world.lock().entries.remove(at);
                Reply::bare(204)
            }
            None => failure(world, 404, "Post not found"),
        },
        _ => failure(world, 404, "Not found"),
    }
}

fn write(world: &World, request: &Request, at: Option<usize>) -> Reply {
    let Ok(sent) = serde_json::from_slice::<Value>(&request.body) else {
        return failure(world, 400, "The body is no JSON");
    };
    let Some(title) = sent["title"].as_str().filter(|title| !title.is_empty()) else {
        return failure(world, 400, "title is required");
    };
    let content = sent.get("content").cloned().unwrap_or_else(|| json!(""));
    let mut state = world.lock();
    if let Some(at) = at {
        let entry = json!({"id": state.entries[at]["id"], "title": title, "content": content});
        state.entries[at] = entry.clone();
        return reply(world, 200, &entry);
    }
    let entry = json!({"id": state.next_entry.to_string(), "title": title, "content": content});
    state.next_entry += 1;
    state.entries.push(entry.clone());
    reply(world, 201, &entry)
}
