//! The blog outline: entries of a title and a content.

use serde_json::{Value, json};

use super::super::world::World;
use super::{failure, policy, reply};
use crate::impostor::http::{Reply, Request};

/// Answers a request on /posts.
pub(crate) fn answer(world: &World, request: &Request) -> Reply {
    let segments: Vec<&str> = request.path.split('/').skip(1).collect();
    let at = |id: &str| world.lock().entries.iter().position(|entry| entry["id"] == id);
    match (request.method.as_str(), segments.as_slice()) {
        ("GET", ["posts"]) => {
            let state = world.lock();
            let deleted = state.deleted_entries.iter().filter(|_| policy(world).blog.lists_deleted);
            reply(world, 200, &state.entries.iter().chain(deleted).cloned().collect())
        }
        ("POST", ["posts"]) => write(world, request, None),
        ("PUT", ["posts", id]) => match at(id) {
            None if !policy(world).blog.put_creates => failure(world, 404, "Post not found"),
            at => write(world, request, at),
        },
        ("GET", ["posts", id]) => match at(id) {
            Some(at) => reply(world, 200, &world.lock().entries[at]),
            None => failure(world, 404, "Post not found"),
        },
        ("DELETE", ["posts", id]) => match at(id) {
            Some(at) => {
                let mut state = world.lock();
                let entry = state.entries.remove(at);
                state.deleted_entries.push(entry);
                Reply::bare(204)
            }
            None => failure(world, 404, "Post not found"),
        },
        _ => failure(world, 404, "Not found"),
    }
}

/// Creates an entry, or replaces the one at a place.
fn write(world: &World, request: &Request, at: Option<usize>) -> Reply {
    let Ok(sent) = serde_json::from_slice::<Value>(&request.body) else {
        return failure(world, 400, "The body is not JSON");
    };
    let Some(title) = sent["title"].as_str().filter(|title| !title.is_empty()) else {
        return failure(world, policy(world).blog.untitled, "title is required");
    };
    let content = sent.get("content").cloned().unwrap_or_else(|| json!(""));
    if !content.is_string() {
        return failure(world, 400, "content must be a string");
    }
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
