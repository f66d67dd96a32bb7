//! The demonstration interfaces: users and posts over REST, registration, blog, GraphQL in full and reduced.
//! No credential is asked for anywhere.

mod blog;
mod document;
pub(crate) mod execute;
mod graphql;
mod graphql_reduced;
mod introspection;
mod schema;
pub(crate) mod signup;
pub(crate) mod users;

use serde_json::{Value, json};

use super::records::Demo;
use super::world::World;
use crate::impostor::http::{Reply, Request};
use crate::impostor::policy::demo::{DemoPolicy, Preflight, TakenId};

pub(crate) use graphql::answer as answer_graphql;
pub(crate) use graphql_reduced::answer as answer_reduced;

/// What these interfaces go by.
fn policy(world: &World) -> &DemoPolicy {
    &world.policy.demo
}

/// Answers a request of the users interface: users, registration, blog.
pub(crate) fn answer_users(world: &World, request: &Request) -> Reply {
    let policy = &policy(world).users;
    let path = request.path.as_str();
    if request.method == "OPTIONS" {
        return users::options(world, path);
    }
    let mut reply = if policy.refuses_credentials && request.header("authorization").is_some() {
        failure(world, 401, "Invalid credential")
    } else if path.starts_with("/posts") {
        blog::answer(world, request)
    } else if path == "/api/users/register" {
        signup::answer(world, request)
    } else {
        users::answer(world, request)
    };
    policy.headers.iter().for_each(|(name, value)| reply.set(name, value));
    if request.method == "HEAD" {
        reply.body.clear();
    }
    reply
}

/// A JSON answer of these interfaces.
fn reply(world: &World, status: u16, body: &Value) -> Reply {
    Reply::json(status, policy(world).content_type, body)
}

/// `{ error: <text> }`
fn failure(world: &World, status: u16, text: &str) -> Reply {
    reply(world, status, &json!({"error": text}))
}

/// The answer to OPTIONS.
fn preflight(world: &World, policy: &Preflight, path_known: bool) -> Reply {
    if !path_known && policy.unknown_path_is_404 {
        return failure(world, 404, "Not found");
    }
    let mut reply = Reply::bare(policy.status);
    policy.headers.iter().for_each(|(name, value)| reply.set(name, value));
    reply
}

/// The posts of a user.
fn posts_shown(demo: &Demo, user: &Value, of_everybody: bool) -> Vec<Value> {
    demo.posts.iter().filter(|post| of_everybody || post["userId"] == user["id"]).cloned().collect()
}

/// A user whose id is the clock in milliseconds, or the next number no user has.
fn new_user(world: &World, demo: &Demo, name: &Value, age: &Value, new_number: fn(i64, usize) -> i64) -> Value {
    let id = new_id(world, new_number, demo.users.len(), |id| demo.users.iter().any(|user| user["id"] == id));
    json!({"id": id, "name": name, "age": age})
}

/// A new id, given how many there are.
fn new_id(world: &World, new_number: fn(i64, usize) -> i64, count: usize, is_taken: impl Fn(&str) -> bool) -> String {
    let mut number = new_number(world.clock.now(), count);
    while is_taken(&number.to_string()) && policy(world).taken_id == TakenId::CountsOn {
        number += 1;
    }
    number.to_string()
}

/// Adds a user to the collection.
fn add_user(world: &World, demo: &mut Demo, user: Value) {
    if policy(world).taken_id == TakenId::TakesItsPlace {
        demo.users.retain(|other| other["id"] != user["id"]);
    }
    demo.users.push(user);
}
