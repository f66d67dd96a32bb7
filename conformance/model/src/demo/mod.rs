//! The demonstration interfaces: users and posts over REST, registration, blog, GraphQL in full and reduced.
//! No credential is asked for anywhere.

mod blog;
mod document;
pub mod execute;
pub(crate) mod graphql;
pub mod graphql_reduced;
mod introspection;
mod schema;
pub mod signup;
pub mod users;

use serde_json::{Value, json};

use crate::message::{Interface, Reply, Request};
use crate::records::Demo;
use crate::state::State;
use crate::steps::Steps;

/// Answers a request of the users interface: users, registration, blog.
pub(crate) fn users_interface(steps: &Steps, state: &mut State, request: &Request) -> Reply {
    let mut reply = match request.path.as_str() {
        _ if request.method == "OPTIONS" => preflight("GET,POST,OPTIONS"),
        path if path.starts_with("/posts") => blog::answer(state, request),
        "/api/users/register" => signup::answer(steps, state, request),
        _ => users::answer(steps, state, request),
    };
    if request.method == "HEAD" {
        reply.body.clear();
    }
    reply
}

/// `{ error: <text> }`
fn failure(status: u16, text: &str) -> Reply {
    Reply::json(status, &json!({"error": text}))
}

/// 204 on any path, with the CORS headers of an interface that allows these methods.
fn preflight(methods: &str) -> Reply {
    let mut reply = Reply::bare(204);
    reply.set("Access-Control-Allow-Origin", "*");
    reply.set("Access-Control-Allow-Methods", methods);
    reply.set("Access-Control-Allow-Headers", "Content-Type");
    reply
}

/// The posts of a user.
pub fn posts_of(demo: &Demo, user: &Value) -> Vec<Value> {
    demo.posts.iter().filter(|post| post["userId"] == user["id"]).cloned().collect()
}

/// A user whose id is the clock in milliseconds, or the next number no user has.
fn new_user(steps: &Steps, interface: Interface, now: i64, demo: &Demo, name: &Value, age: &Value) -> Value {
    let taken: Vec<&str> = demo.users.iter().filter_map(|user| user["id"].as_str()).collect();
    let number = (steps.demo.new_number)(interface, now, demo.users.len());
    let id = (steps.demo.free_number)(number, &taken).to_string();
    json!({"id": id, "name": name, "age": age})
}

/// The number, or the next one that is not taken.
pub fn free_number(mut number: i64, taken: &[&str]) -> i64 {
    while taken.contains(&number.to_string().as_str()) {
        number += 1;
    }
    number
}
