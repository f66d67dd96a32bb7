//! Users and posts over REST.

use serde_json::{Value, json};

use super::answers::failure;
use crate::message::{Interface, Reply, Request};
use crate::records::Demo;
use crate::state::State;
use crate::steps::Steps;

/// Answers a request on users and their posts.
pub(crate) fn answer(steps: &Steps, state: &mut State, request: &Request) -> Reply {
    let segments: Vec<&str> = request.path.split('/').skip(1).collect();
    let demo = &state.users_demo;
    match (request.method.as_str(), segments.as_slice()) {
        ("GET", ["users"]) => Reply::json(200, &Value::Array(demo.users.clone())),
        ("GET", ["users", id]) => match demo.user(id) {
            Some(user) => Reply::json(200, user),
            None => failure(404, "User not found"),
        },
        ("GET", ["users", id, "posts"]) => match demo.user(id) {
            Some(user) => Reply::json(200, &(steps.demo.posts_of)(request.interface, demo, user).into()),
            None => failure(404, "User not found"),
        },
        ("POST", ["users"]) => create(steps, state, request),
        _ => failure(404, "Not found"),
    }
}

fn create(steps: &Steps, state: &mut State, request: &Request) -> Reply {
    let Ok(sent) = serde_json::from_slice::<Value>(&request.body) else {
        return failure(400, "The body is not JSON");
    };
    let (name, age) = ((steps.demo.name)(sent.get("name")), (steps.demo.age)(sent.get("age")));
    let (Some(name), Some(age)) = (name, age) else {
        return failure(400, "name and age are required");
    };
    let user = new_user(steps, request.interface, request.now, &state.users_demo, &name, &age);
    state.users_demo.users.push(user.clone());
    Reply::json(201, &user)
}

/// A user whose id is the clock in milliseconds, or the next number no user has.
pub(crate) fn new_user(steps: &Steps, interface: Interface, now: i64, demo: &Demo, name: &Value, age: &Value) -> Value {
    let taken: Vec<&str> = demo.users.iter().filter_map(|user| user["id"].as_str()).collect();
    let number = (steps.demo.new_number)(interface, now, demo.users.len());
    let id = (steps.demo.free_number)(number, &taken).to_string();
    json!({"id": id, "name": name, "age": age})
}
