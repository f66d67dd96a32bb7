//! The transport of the full GraphQL interface.

use serde_json::{Value, json};

use super::execute::execute;
use super::schema::Query;
use super::{failure, preflight};
use crate::list::query;
use crate::list::steps::ListSteps;
use crate::message::{Reply, Request};
use crate::refusals::NO_QUERY;
use crate::state::State;
use crate::steps::Steps;

pub(crate) fn answer(steps: &Steps, state: &mut State, request: &Request) -> Reply {
    if request.method == "OPTIONS" {
        return preflight("GET, POST, OPTIONS");
    }
    let in_query_string = query::Query::parse(&request.query, &ListSteps::default());
    let sent: Value = match (request.method.as_str(), request.path.as_str(), in_query_string.all("query").first()) {
        ("POST", "/graphql", _) if !has_json_type(request) => {
            return failure(415, "Content-Type must be application/json");
        }
        ("POST", "/graphql", _) => serde_json::from_slice(&request.body).unwrap_or_default(),
        ("GET", "/graphql", Some(query)) => json!({"query": query}),
        _ => return failure(404, "Not found"),
    };
    let Some(text) = sent["query"].as_str() else { return failure(400, NO_QUERY) };
    let fits = |name: &str, of: fn(&Value) -> bool| sent.get(name).is_none_or(|value| value.is_null() || of(value));
    if !fits("operationName", Value::is_string)
        || !["variables", "extensions"].iter().all(|n| fits(n, Value::is_object))
    {
        return failure(400, "operationName must be a string; variables and extensions must be objects");
    }
    let query = Query::read(text, sent["operationName"].as_str(), &sent["variables"]);
    match query.and_then(|query| execute(steps, &mut state.graphql_demo, request.now, &query)) {
        Ok(data) => Reply::json(200, &json!({"data": data})),
        Err(text) => Reply::json(400, &json!({"errors": [{"message": text}]})),
    }
}

/// Whether Content-Type names JSON, and no charset but UTF-8.
fn has_json_type(request: &Request) -> bool {
    let kind = request.header("content-type").unwrap_or_default().to_ascii_lowercase().replace([' ', '"'], "");
    let (kind, charset) = kind.split_once(';').unwrap_or((&kind, ""));
    kind == "application/json" && matches!(charset, "" | "charset=utf-8")
}
