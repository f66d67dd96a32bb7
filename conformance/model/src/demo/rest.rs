//! The REST interfaces: users and their posts, the registration route outline, the blog outline.

use serde_json::{Value, json};

use super::{failure, preflight};
use crate::message::{Interface, Reply, Request};
use crate::records::Demo;
use crate::refusals::EMAIL_TAKEN;
use crate::state::State;
use crate::steps::Steps;

pub(crate) fn answer(steps: &Steps, state: &mut State, request: &Request) -> Reply {
    let mut reply = match (request.method.as_str(), request.path.as_str()) {
        ("OPTIONS", _) => preflight("GET,POST,OPTIONS"),
        ("POST", "/users") => create_user(steps, state, request).unwrap_or_else(|reply| reply),
        ("POST", "/api/users/register") => register(steps, state, request).unwrap_or_else(|reply| reply),
        (_, path) if path.starts_with("/posts") => blog(state, request).unwrap_or_else(|reply| reply),
        _ => users(steps, &state.users_demo, request),
    };
    if request.method == "HEAD" {
        reply.body.clear();
    }
    reply
}

fn segments(request: &Request) -> Vec<&str> {
    request.path.split('/').skip(1).collect()
}

fn sent(request: &Request) -> Result<Value, Reply> {
    serde_json::from_slice(&request.body).map_err(|_| failure(400, "The body is not JSON"))
}

fn users(steps: &Steps, demo: &Demo, request: &Request) -> Reply {
    let (of_user, id) = match (request.method.as_str(), segments(request).as_slice()) {
        ("GET", ["users"]) => return Reply::json(200, &demo.users.clone().into()),
        ("GET", ["users", id]) => (false, *id),
        ("GET", ["users", id, "posts"]) => (true, *id),
        _ => return failure(404, "Not found"),
    };
    match demo.user(id) {
        Some(user) if of_user => Reply::json(200, &(steps.demo.posts_of)(request.interface, demo, user).into()),
        Some(user) => Reply::json(200, user),
        None => failure(404, "User not found"),
    }
}

fn create_user(steps: &Steps, state: &mut State, request: &Request) -> Result<Reply, Reply> {
    let sent = sent(request)?;
    let (name, age) = ((steps.demo.name)(sent.get("name")), (steps.demo.age)(sent.get("age")));
    let (name, age) = name.zip(age).ok_or_else(|| failure(400, "name and age are required"))?;
    let user = new_user(steps, request.interface, request.now, &state.users_demo, &name, &age);
    state.users_demo.users.push(user.clone());
    Ok(Reply::json(201, &user))
}

/// A user whose id is the clock in milliseconds, or the next number no user has.
pub(crate) fn new_user(steps: &Steps, interface: Interface, now: i64, demo: &Demo, name: &Value, age: &Value) -> Value {
    let taken: Vec<&str> = demo.users.iter().filter_map(|user| user["id"].as_str()).collect();
    let number = (steps.demo.new_number)(interface, now, demo.users.len());
    let id = (steps.demo.free_number)(number, &taken).to_string();
    json!({"id": id, "name": name, "age": age})
}

fn register(steps: &Steps, state: &mut State, request: &Request) -> Result<Reply, Reply> {
    let sent = sent(request)?;
    let takes_password = (steps.demo.takes_signup_password)(sent.get("password"));
    let email = (steps.demo.signup_email)(sent.get("email")).filter(|_| takes_password);
    let email = email.ok_or_else(|| failure(400, "an e-mail and a password of 8 characters or more are required"))?;
    if state.signups.iter().any(|(_, known)| *known == email) {
        return Err(failure(400, EMAIL_TAKEN));
    }
    let taken: Vec<&str> = state.signups.iter().map(|(id, _)| id.as_str()).collect();
    let number = (steps.demo.new_signup_number)(request.now, taken.len());
    let id = (steps.demo.free_number)(number, &taken).to_string();
    state.signups.push((id.clone(), email.clone()));
    Ok(Reply::json(201, &json!({"id": id, "email": email})))
}

fn blog(state: &mut State, request: &Request) -> Result<Reply, Reply> {
    let place = |id: &str| {
        let at = state.entries.iter().position(|entry| entry["id"] == id);
        at.ok_or_else(|| failure(404, "Post not found"))
    };
    match (request.method.as_str(), segments(request).as_slice()) {
        ("GET", ["posts"]) => Ok(Reply::json(200, &state.entries.clone().into())),
        ("POST", ["posts"]) => write(state, request, None),
        ("GET", ["posts", id]) => Ok(Reply::json(200, &state.entries[place(id)?])),
        ("PUT", ["posts", id]) => write(state, request, Some(place(id)?)),
        ("DELETE", ["posts", id]) => {
            state.entries.remove(place(id)?);
            Ok(Reply::bare(204))
        }
        _ => Err(failure(404, "Not found")),
    }
}

/// Creates an entry, or replaces the one at a place.
fn write(state: &mut State, request: &Request, at: Option<usize>) -> Result<Reply, Reply> {
    let sent = sent(request)?;
    let title = sent["title"].as_str().filter(|title| !title.is_empty());
    let title = title.ok_or_else(|| failure(400, "title is required"))?;
    let content = sent.get("content").cloned().unwrap_or_else(|| json!(""));
    if !content.is_string() {
        return Err(failure(400, "content must be a string"));
    }
    let mut entry = json!({"id": (state.entries_made + 1).to_string(), "title": title, "content": content});
    if let Some(at) = at {
        entry["id"] = state.entries[at]["id"].take();
        state.entries[at] = entry.clone();
        return Ok(Reply::json(200, &entry));
    }
    state.entries_made += 1;
    state.entries.push(entry.clone());
    Ok(Reply::json(201, &entry))
}
