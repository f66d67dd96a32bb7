//! The blog outline: entries of a title and a content.

use serde_json::{Value, json};

use super::answers::failure;
use crate::message::{Reply, Request};
use crate::state::State;

/// Answers a request on /posts.
pub(crate) fn answer(state: &mut State, request: &Request) -> Reply {
    let segments: Vec<&str> = request.path.split('/').skip(1).collect();
    let place = |id: &str| state.entries.iter().position(|entry| entry["id"] == id);
    let (at, method) = match (request.method.as_str(), segments.as_slice()) {
        ("GET", ["posts"]) => return Reply::json(200, &Value::Array(state.entries.clone())),
        ("POST", ["posts"]) => return write(state, request, None),
        (method @ ("GET" | "PUT" | "DELETE"), ["posts", id]) => (place(id), method),
        _ => return failure(404, "Not found"),
    };
    match (at, method) {
        (None, _) => failure(404, "Post not found"),
        (Some(at), "GET") => Reply::json(200, &state.entries[at]),
        (Some(at), "PUT") => write(state, request, Some(at)),
        (Some(at), _) => {
            state.entries.remove(at);
            Reply::bare(204)
        }
    }
}

/// Creates an entry, or replaces the one at a place.
fn write(state: &mut State, request: &Request, at: Option<usize>) -> Reply {
    let Ok(sent) = serde_json::from_slice::<Value>(&request.body) else {
        return failure(400, "The body is not JSON");
    };
    let Some(title) = sent["title"].as_str().filter(|title| !title.is_empty()) else {
        return failure(400, "title is required");
    };
    let content = sent.get("content").cloned().unwrap_or_else(|| json!(""));
    if !content.is_string() {
        return failure(400, "content must be a string");
    }
    let mut entry = json!({"id": (state.entries_made + 1).to_string(), "title": title, "content": content});
    if let Some(at) = at {
        entry["id"] = state.entries[at]["id"].take();
        state.entries[at] = entry.clone();
        return Reply::json(200, &entry);
    }
    state.entries_made += 1;
    state.entries.push(entry.clone());
    Reply::json(201, &entry)
}
