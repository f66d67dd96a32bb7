//! The demonstration interfaces: users and posts over REST, registration, blog, GraphQL in full and reduced.
//! No credential is asked for anywhere.

mod answers;
mod blog;
mod document;
mod execute;
pub(crate) mod graphql;
pub(crate) mod graphql_reduced;
mod introspection;
mod schema;
mod signup;
mod users;

use crate::message::{Reply, Request};
use crate::state::State;
use crate::steps::Steps;
use answers::preflight;

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
