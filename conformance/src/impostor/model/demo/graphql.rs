//! The transport of the full GraphQL endpoint.

use serde_json::{Value, json};

use super::super::list::query::Query;
use super::super::state::Endpoint;
use super::super::world::World;
use super::execute::execute;
use super::schema;
use super::{failure, reply};
use crate::impostor::http::{Reply, Request};
use crate::impostor::policy::list::QueryPolicy;

/// Answers a request of the full GraphQL endpoint.
pub(crate) fn answer(world: &World, request: &Request) -> Reply {
    if request.method == "OPTIONS" {
        return cors(Reply::bare(204));
    }
    let parameters = Query::parse(&request.query, &QueryPolicy::default());
    let asked = parameters.all("query").first();
    let served = request.method == "GET" && asked.is_some() && !world.faults.reads("graphql-get-refused");
    if request.path != "/graphql" || request.method != "POST" && !served {
        let known = request.path == "/graphql" && world.faults.reads("graphql-wrong-method-is-405");
        return failure(world, if known { 405 } else { 404 }, "Not found");
    }
    if request.method == "POST" && !called_json(request) {
        return failure(world, 415, "send JSON, and say so");
    }
    let sent: Value = match asked {
        Some(query) if served => json!({"query": query}),
        _ => serde_json::from_slice(&request.body).unwrap_or_default(),
    };
    let Some(text) = sent["query"].as_str() else {
        if world.faults.reads("graphql-unreadable-as-errors") {
            return reply(world, 400, &json!({"errors": [{"message": "no query"}]}));
        }
        return failure(world, 400, "query must be a text");
    };
    let fits = |name: &str, of: fn(&Value) -> bool| sent.get(name).is_none_or(|value| value.is_null() || of(value));
    if !fits("operationName", Value::is_string)
        || !["variables", "extensions"].iter().all(|n| fits(n, Value::is_object))
    {
        return failure(world, 400, "operationName must be a text, variables an object");
    }
    let none = json!({});
    let variables = sent.get("variables").filter(|_| !world.faults.reads("graphql-variables-ignored"));
    let outcome = schema::Query::read(text, sent["operationName"].as_str(), variables.unwrap_or(&none))
        .and_then(|query| execute(world, world.lock().demo(Endpoint::Graphql, &world.faults), &query));
    match outcome {
        Ok(data) if world.faults.on("graphql-answers-data-bare") => reply(world, 200, &data),
        Ok(data) if world.faults.on("graphql-answers-201-to-mutations") && text.contains("mutation") => {
            reply(world, 201, &json!({"data": data}))
        }
        Ok(data)
            if data["user"].is_null()
                && data.get("user").is_some()
                && world.faults.on("graphql-unknown-user-is-error") =>
        {
            reply(world, 200, &json!({"data": data, "errors": [{"message": "User not found"}]}))
        }
        Ok(data) if world.faults.reads("graphql-extensions") => {
            reply(world, 200, &json!({"data": data, "extensions": {}}))
        }
        Ok(data) => reply(world, 200, &json!({"data": data})),
        Err(text) => {
            let status = if world.faults.reads("graphql-errors-are-200") { 200 } else { 400 };
            reply(world, status, &json!({"errors": [{"message": text}]}))
        }
    }
}

/// Whether the body says that it is JSON, in UTF-8.
fn called_json(request: &Request) -> bool {
    let kind = request.header("content-type").unwrap_or_default().to_ascii_lowercase().replace([' ', '"'], "");
    let (kind, charset) = kind.split_once(';').unwrap_or((&kind, ""));
    kind == "application/json" && matches!(charset, "" | "charset=utf-8")
}

fn cors(mut reply: Reply) -> Reply {
    reply.set("Access-Control-Allow-Origin", "*");
    reply.set("Access-Control-Allow-Methods", "GET, POST, OPTIONS");
    reply.set("Access-Control-Allow-Headers", "Content-Type");
    reply
}
