//! The transport of the full GraphQL interface.

use serde_json::{Value, json};

use super::super::list::query::Query;
use super::super::list::steps::ListSteps;
use super::super::state::Interface;
use super::super::world::World;
use super::execute::execute;
use super::schema;
use super::{failure, policy, reply};
use crate::impostor::http::{Reply, Request};

/// Answers a request of the full GraphQL interface.
pub(crate) fn answer(world: &World, request: &Request) -> Reply {
    let policy = &policy(world).graphql;
    if request.method == "OPTIONS" {
        return cors(Reply::bare(policy.options));
    }
    if request.path != "/graphql" && !(policy.serves_every_path && request.method == "POST") {
        return failure(world, 404, "Not found");
    }
    if request.method == "GET" && policy.get_shows_page {
        return page();
    }
    let sent: Value = match (request.method.as_str(), asked_by_get(request)) {
        ("POST", _) if !called_json(request) => return failure(world, 415, "send JSON, and say so"),
        ("POST", _) => serde_json::from_slice(&request.body).unwrap_or_default(),
        ("GET", Some(query)) if policy.serves_get => json!({"query": query}),
        _ => return failure(world, policy.wrong_method, "Not found"),
    };
    let only = sent["query"].as_array().filter(|list| policy.coerces_query && list.len() == 1);
    let Some(text) = only.map_or(&sent["query"], |list| &list[0]).as_str() else {
        let (status, body) = (policy.without_query)();
        return reply(world, status, &body);
    };
    let fits = |name: &str, of: fn(&Value) -> bool| sent.get(name).is_none_or(|value| value.is_null() || of(value));
    if !fits("operationName", Value::is_string)
        || !["variables", "extensions"].iter().all(|n| fits(n, Value::is_object))
    {
        return failure(world, 400, "operationName must be a string, variables an object");
    }
    match run(world, text, &sent) {
        Ok(data) => {
            let (status, body) = policy.answer.unwrap_or(under_data)(text, &data);
            reply(world, status, &body)
        }
        Err(text) => reply(world, policy.query_error, &json!({"errors": [{"message": text}]})),
    }
}

/// The data of a query, or its error.
fn run(world: &World, text: &str, sent: &Value) -> Result<Value, String> {
    let policy = policy(world);
    let none = json!({});
    let variables = sent.get("variables").filter(|_| policy.graphql.takes_variables);
    let query = schema::Query::read(text, sent["operationName"].as_str(), variables.unwrap_or(&none))?;
    let mut state = world.lock();
    let data = execute(world, state.demo(Interface::Graphql, policy), &query);
    state.share_users(Interface::Graphql, policy);
    data
}

fn page() -> Reply {
    let mut page = Reply::plain(200, "<!doctype html><title>GraphiQL</title>");
    page.set("Content-Type", "text/html; charset=utf-8");
    page
}

fn under_data(_: &str, data: &Value) -> (u16, Value) {
    (200, json!({"data": data}))
}

/// The query in the query string.
fn asked_by_get(request: &Request) -> Option<String> {
    Query::parse(&request.query, &ListSteps::default()).all("query").first().map(|text| text.to_string())
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
