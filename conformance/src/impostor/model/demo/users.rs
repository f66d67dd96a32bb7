//! Users and posts over REST.

use serde_json::Value;

use super::super::state::Interface;
use super::super::world::World;
use super::{add_user, failure, new_user, policy, posts_shown, preflight, reply};
use crate::impostor::http::{Reply, Request};

/// 204 on any path, with the CORS headers of this interface.
pub(crate) fn options(world: &World, path: &str) -> Reply {
    preflight(world, &policy(world).users.preflight, path.starts_with("/users"))
}

/// Answers a request on users and their posts.
pub(crate) fn answer(world: &World, request: &Request) -> Reply {
    let policy = &policy(world).users;
    let path = request.path.as_str();
    let path = if policy.ignores_trailing_slash { path.trim_end_matches('/') } else { path };
    let segments: Vec<&str> = path.split('/').skip(1).collect();
    match (request.method.as_str(), segments.as_slice()) {
        ("GET", ["users"]) => list(world),
        ("GET", ["users", id]) => read(world, id),
        ("GET", ["users", id, "posts"]) => posts(world, id),
        ("POST", ["users"]) => create(world, request),
        (_, ["users"] | ["users", _] | ["users", _, "posts"]) => failure(world, policy.wrong_method, "Not found"),
        _ => failure(world, policy.unknown_path, "Not found"),
    }
}

fn list(world: &World) -> Reply {
    let mut state = world.lock();
    reply(world, 200, &Value::Array(state.demo(Interface::Users, policy(world)).users.clone()))
}

fn read(world: &World, id: &str) -> Reply {
    let mut state = world.lock();
    let demo = state.demo(Interface::Users, policy(world));
    match demo.users.iter().find(|user| user["id"] == id) {
        Some(user) => reply(world, 200, user),
        None => failure(world, 404, "User not found"),
    }
}

fn posts(world: &World, id: &str) -> Reply {
    let mut state = world.lock();
    let demo = state.demo(Interface::Users, policy(world));
    match demo.users.iter().find(|user| user["id"] == id) {
        Some(user) => reply(world, 200, &posts_shown(demo, user, policy(world).users.posts_of_everybody).into()),
        None => failure(world, 404, "User not found"),
    }
}

fn create(world: &World, request: &Request) -> Reply {
    let demo_policy = policy(world);
    let policy = &demo_policy.users;
    let Ok(sent) = serde_json::from_slice::<Value>(&request.body) else {
        return failure(world, policy.malformed, "The body is not JSON");
    };
    let name = policy.name.unwrap_or(name)(sent.get("name"));
    let age = policy.age.unwrap_or(age)(sent.get("age"));
    let (Some(name), Some(age)) = (name, age) else {
        return failure(world, 400, "name and age are required");
    };
    let mut state = world.lock();
    let demo = state.demo(Interface::Users, demo_policy);
    let mut user = new_user(world, demo, &name, &age, policy.new_id);
    if policy.keeps_other_fields {
        for (name, value) in sent.as_object().into_iter().flatten() {
            if user.get(name).is_none() {
                user[name] = value.clone();
            }
        }
    }
    add_user(world, demo, user.clone());
    state.share_users(Interface::Users, demo_policy);
    reply(world, 201, &user)
}

/// The name sent, if it is a text with something in it.
pub(crate) fn name(sent: Option<&Value>) -> Option<Value> {
    sent.filter(|name| name.as_str().is_some_and(|name| !name.is_empty())).cloned()
}

/// The age sent, if it is a number.
pub(crate) fn age(sent: Option<&Value>) -> Option<Value> {
    sent.filter(|age| age.is_number()).cloned()
}
