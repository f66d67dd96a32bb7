//! The demonstration interfaces, all without credentials: users and posts over REST, registration, blog, GraphQL in full and reduced.

mod document;
mod execute;
pub(crate) mod graphql;
pub(crate) mod graphql_reduced;
mod introspection;
pub(crate) mod rest;
mod schema;

use serde_json::json;

use crate::message::Reply;

pub(crate) fn failure(status: u16, text: &str) -> Reply {
    Reply::json(status, &json!({"error": text}))
}

/// 204 on any path, with the CORS headers of an interface that allows these methods.
pub(crate) fn preflight(methods: &str) -> Reply {
    let mut reply = Reply::bare(204);
    reply.set("Access-Control-Allow-Origin", "*");
    reply.set("Access-Control-Allow-Methods", methods);
    reply.set("Access-Control-Allow-Headers", "Content-Type");
    reply
}
