//! Users and posts over REST.

use serde_json::Value;

use super::{failure, new_user};
use crate::message::{Reply, Request};
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

/// The name sent, if it is a text with something in it.
pub fn name(sent: Option<&Value>) -> Option<Value> {
    sent.filter(|name| name.as_str().is_some_and(|name| !name.is_empty())).cloned()
}

/// The age sent, if it is a number.
pub fn age(sent: Option<&Value>) -> Option<Value> {
    sent.filter(|age| age.is_number()).cloned()
}
