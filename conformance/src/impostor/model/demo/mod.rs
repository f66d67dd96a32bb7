//! The demonstration interfaces: users and posts over REST, registration, blog, GraphQL in full and reduced.
//! No credential is asked for anywhere.

mod blog;
mod execute;
mod graphql;
mod introspection;
mod reduced;
mod rest;
mod schema;
mod signup;

use serde_json::{Value, json};

use super::state::Demo;
use super::world::World;
use crate::impostor::http::{Reply, Request};

pub(crate) use graphql::answer as answer_graphql;
pub(crate) use reduced::answer as answer_reduced;

/// Deepest nesting of a query that is read.
const DEPTH_MAX: u32 = 200;

/// Answers a request of the users interface: users, registration, blog.
pub(crate) fn answer_users(world: &World, request: &Request) -> Reply {
    let path = request.path.as_str();
    if request.method == "OPTIONS" {
        return rest::options(world, path);
    }
    if world.faults.on("users-check-credentials") && request.header("authorization").is_some() {
        return failure(world, 401, "Invalid credential");
    }
    let mut reply = if path.starts_with("/posts") {
        blog::answer(world, request)
    } else if path == "/api/users/register" {
        signup::answer(world, request)
    } else {
        rest::answer(world, request)
    };
    if world.faults.reads("cors-on-every-users-answer") {
        reply.set("Access-Control-Allow-Origin", "*");
    }
    if request.method == "HEAD" {
        reply.body.clear();
    }
    reply
}

/// A JSON answer of these interfaces.
fn reply(world: &World, status: u16, body: &Value) -> Reply {
    let content_type =
        if world.faults.reads("demo-says-charset") { "application/json; charset=utf-8" } else { "application/json" };
    Reply::json(status, content_type, body)
}

/// `{ error: <text> }`
fn failure(world: &World, status: u16, text: &str) -> Reply {
    reply(world, status, &json!({"error": text}))
}

/// Whether a query is nested beyond what is let in, so that reading it cannot exhaust the stack. Brackets in texts between plain
/// quotes and in comments nest nothing.
fn too_deep(query: &str) -> bool {
    let (mut depth, mut in_text, mut in_comment, mut escaped) = (0_u32, false, false, false);
    query.bytes().any(|byte| {
        match byte {
            _ if escaped => escaped = false,
            b'\n' | b'\r' => in_comment = false,
            _ if in_comment => {}
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            _ if in_text => {}
            b'#' => in_comment = true,
            b'{' | b'[' | b'(' => depth += 1,
            b'}' | b']' | b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth > DEPTH_MAX
    })
}

/// Adds a user, whose id is the clock in milliseconds, or the next number no user has.
fn add_user(world: &World, demo: &mut Demo, name: &Value, age: &Value, faults: [&str; 2]) -> Value {
    let taken = |demo: &Demo, id: &str| demo.users.iter().any(|user| user["id"] == id);
    let mut number = world.clock.now();
    let [counts, seconds] = faults;
    if world.faults.on(counts) {
        number = demo.users.len() as i64 + 1;
    }
    if world.faults.on(seconds) {
        number /= 1000;
    }
    while taken(demo, &number.to_string()) && !world.faults.reads("clock-ids-may-repeat") {
        number += 1;
    }
    let user = json!({"id": number.to_string(), "name": name, "age": age});
    demo.users.push(user.clone());
    user
}
