//! Users and posts over REST.

use serde_json::{Value, json};

use super::super::state::Endpoint;
use super::super::world::World;
use super::{add_user, failure, reply};
use crate::impostor::http::{Reply, Request};

/// 204 on any path, with the CORS headers of this interface.
pub(crate) fn options(world: &World, path: &str) -> Reply {
    let on = |fault: &str| world.faults.on(fault);
    if on("users-options-unknown-path-is-404") && !path.starts_with("/users") {
        return failure(world, 404, "Not found");
    }
    let mut reply = Reply::bare(world.faults.pick("users-options-is-200", 200, 204));
    if !on("users-options-lacks-origin") {
        reply.set("Access-Control-Allow-Origin", "*");
    }
    let methods = world.faults.pick("users-options-allows-put", "GET,POST,PUT,DELETE,OPTIONS", "GET,POST,OPTIONS");
    reply.set("Access-Control-Allow-Methods", methods);
    let headers = world.faults.pick("users-options-allows-any-header", "*", "Content-Type");
    reply.set("Access-Control-Allow-Headers", headers);
    reply
}

/// Answers a request on users and their posts.
pub(crate) fn answer(world: &World, request: &Request) -> Reply {
    let path = if world.faults.reads("demo-trailing-slash-passes") {
        request.path.trim_end_matches('/')
    } else {
        &request.path
    };
    let segments: Vec<&str> = path.split('/').skip(1).collect();
    match (request.method.as_str(), segments.as_slice()) {
        ("GET", ["users"]) => list(world),
        ("GET", ["users", id]) => read(world, id),
        ("GET", ["users", id, "posts"]) => posts(world, id),
        ("POST", ["users"]) => create(world, request),
        (_, ["users"] | ["users", _] | ["users", _, "posts"]) if world.faults.reads("demo-wrong-method-is-405") => {
            failure(world, 405, "Method not allowed")
        }
        _ if world.faults.on("users-unknown-path-is-400") => failure(world, 400, "Unknown path"),
        _ => failure(world, 404, "Not found"),
    }
}

fn list(world: &World) -> Reply {
    let mut users = world.lock().demo(Endpoint::Rest, &world.faults).users.clone();
    if world.faults.on("created-user-not-listed") {
        users.truncate(3);
    }
    if world.faults.on("created-user-listed-twice") && users.len() > 3 {
        users.extend(users.last().cloned());
    }
    if world.faults.on("users-list-lacks-the-first") {
        users.remove(0);
    }
    reply(world, 200, &Value::Array(users))
}

fn unknown(world: &World) -> Reply {
    if world.faults.on("users-errors-say-message") {
        return reply(world, 404, &json!({"message": "User not found"}));
    }
    if world.faults.on("users-errors-have-status") {
        return reply(world, 404, &json!({"error": "User not found", "status": 404}));
    }
    failure(world, 404, "User not found")
}

fn read(world: &World, id: &str) -> Reply {
    let mut state = world.lock();
    let demo = state.demo(Endpoint::Rest, &world.faults);
    match demo.users.iter().find(|user| user["id"] == id) {
        Some(user) if world.faults.on("user-read-wrapped") => reply(world, 200, &json!({"user": user})),
        Some(user) => reply(world, 200, user),
        None if world.faults.on("unknown-user-is-null") => reply(world, 200, &Value::Null),
        None => unknown(world),
    }
}

fn posts(world: &World, id: &str) -> Reply {
    let mut state = world.lock();
    let demo = state.demo(Endpoint::Rest, &world.faults);
    if !demo.users.iter().any(|user| user["id"] == id) {
        if world.faults.on("posts-of-unknown-user-are-empty") {
            return reply(world, 200, &json!([]));
        }
        return unknown(world);
    }
    let everybody = world.faults.on("posts-of-everybody");
    let mut posts: Vec<Value> = demo.posts.iter().filter(|post| post["userId"] == id || everybody).cloned().collect();
    if posts.is_empty() && world.faults.on("no-posts-is-404") {
        return failure(world, 404, "No posts");
    }
    if world.faults.on("posts-lack-user-id") {
        posts.iter_mut().filter_map(Value::as_object_mut).for_each(|post| _ = post.shift_remove("userId"));
    }
    if world.faults.on("posts-ids-are-numbers") {
        for post in &mut posts {
            post["id"] = json!(post["id"].as_str().and_then(|id| id.parse::<u64>().ok()));
        }
    }
    reply(world, 200, &Value::Array(posts))
}

/// The name sent, or null when it is not good.
fn name(world: &World, sent: &Value) -> Value {
    let on = |fault: &str| world.faults.on(fault);
    match sent.get("name") {
        None if on("user-without-name-accepted") => json!("anonymous"),
        Some(Value::String(name)) if name.is_empty() && !on("user-with-empty-name-accepted") => Value::Null,
        Some(Value::String(name)) if name.trim().is_empty() && world.faults.reads("blank-name-refused") => Value::Null,
        Some(name @ Value::String(_)) => name.clone(),
        Some(name) if on("user-with-number-as-name-accepted") => name.clone(),
        _ => Value::Null,
    }
}

/// The age sent, or null when it is not good.
fn age(world: &World, sent: &Value) -> Value {
    let on = |fault: &str| world.faults.on(fault);
    // Where GraphQL shows the same users, an age is its Int.
    let whole_only = world.faults.reads("age-whole-only") || world.faults.reads("demo-data-shared");
    match sent.get("age") {
        None if on("user-without-age-accepted") => json!(0),
        Some(Value::String(age)) if on("user-with-age-as-text-accepted") => {
            json!(age.parse::<f64>().unwrap_or(0.0))
        }
        Some(Value::Bool(_) | Value::Null) if on("user-with-odd-age-accepted") => json!(1),
        Some(age @ Value::Number(_)) if age.as_f64() == Some(0.0) && on("user-with-age-0-refused") => Value::Null,
        Some(age @ Value::Number(number)) => {
            let whole = number.as_f64().is_some_and(|age| age >= 0.0 && age.fract() == 0.0);
            if whole || !whole_only { age.clone() } else { Value::Null }
        }
        _ => Value::Null,
    }
}

fn create(world: &World, request: &Request) -> Reply {
    let on = |fault: &str| world.faults.on(fault);
    let Ok(sent) = serde_json::from_slice::<Value>(&request.body) else {
        let status = world.faults.pick("users-malformed-is-500", 500, 400);
        return failure(world, status, "The body is no JSON");
    };
    let (name, age) = (name(world, &sent), age(world, &sent));
    if name.is_null() || age.is_null() {
        if on("users-errors-say-message") {
            return reply(world, 400, &json!({"message": "name and age are required"}));
        }
        if on("users-error-empty") {
            return failure(world, 400, "");
        }
        return failure(world, 400, "name and age are required");
    }
    let mut state = world.lock();
    let mut user = add_user(
        world,
        state.demo(Endpoint::Rest, &world.faults),
        &name,
        &age,
        ["user-id-counts", "user-id-in-seconds"],
    );
    if world.faults.reads("extra-user-fields-stored") {
        let extra = sent.as_object().cloned().unwrap_or_default();
        for (name, value) in extra.into_iter().filter(|(name, _)| !matches!(name.as_str(), "id" | "name" | "age")) {
            user[name] = value;
        }
        let demo = state.demo(Endpoint::Rest, &world.faults);
        demo.users.pop();
        demo.users.push(user.clone());
    }
    drop(state);
    if on("created-user-has-posts") {
        user["posts"] = json!([]);
    }
    if on("created-user-name-trimmed") {
        user["name"] = json!(name.as_str().map(str::trim));
    }
    reply(world, world.faults.pick("created-user-is-200", 200, 201), &user)
}
