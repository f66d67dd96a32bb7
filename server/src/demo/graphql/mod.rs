//! The full GraphQL endpoint: from a request to an answer, by the conventions of GraphQL over HTTP.
//!
//! The documents ask for `POST` with `{ query }` only. Variables, operation names, introspection, `GET` for queries and the media
//! type `application/graphql-response+json` are additions. Source: demonstration-endpoints, "GraphQL endpoint".

use std::sync::Arc;

use http::{Method, StatusCode};
use juniper::{GraphQLError, OperationType, ValidatedOperation};
use serde::Serialize;
use serde_json::{Value, json};

use self::limits::Budget;
use self::media::Media;
use self::request::GraphqlRequest;
use self::schema::Schema;
use super::document::{self, QueryError};
use super::{Demo, failure::Failure, preflight, users_store::UsersStore};
use crate::message::{Reply, Request};
use libros_server_system::clock::Clock;

pub(super) mod limits;
mod media;
mod request;
pub(super) mod schema;

/// Most errors in an answer: a query can have thousands.
const ERRORS_MAX: usize = 20;
/// Characters of an error's text: some errors repeat a name of the query, which can be as long as the query.
const ERROR_CHARS_MAX: usize = 300;

pub(crate) struct Graphql {
    users: Arc<UsersStore>,
    schema: Schema,
}

#[derive(Serialize)]
struct Outcome {
    /// `None` where the query was not executed, or its answer would have been too large.
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<juniper::Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    errors: Vec<Value>,
}

impl Graphql {
    pub(crate) fn new(clock: Clock) -> Self {
        // rule: graphql/own-data
        let users = Arc::new(UsersStore::initial());
        let schema = schema::schema(&users, clock);
        Self { users, schema }
    }

    /// Restores the initial users. The clock keeps its offset.
    pub(crate) fn reset(&self) {
        self.users.reset();
    }

    fn run(&self, asked: &GraphqlRequest, only_queries: bool) -> Result<Outcome, Failure> {
        let refused = |errors| Ok(Outcome { data: None, errors });
        if let Err(error) = self.check(asked) {
            return refused(vec![error]);
        }
        let operation = match ValidatedOperation::new(&asked.query, asked.operation_name.as_deref(), &self.schema) {
            Ok(operation) => operation,
            Err(error) => return refused(listed(error)),
        };
        if only_queries && operation.operation_type() != OperationType::Query {
            return Err(Failure::MutationByGet);
        }
        let budget = Budget::for_users(self.users.count());
        let executed = operation.execute_sync(&asked.variables, &budget);
        if let Err(error) = budget.balance() {
            return refused(vec![json!({ "message": error.to_string() })]);
        }
        match executed {
            Ok((data, errors)) => Ok(Outcome { data: Some(data), errors: values(&errors) }),
            Err(error) => refused(listed(error)),
        }
    }

    /// Makes the checks that the library's validation lacks.
    fn check(&self, asked: &GraphqlRequest) -> Result<(), Value> {
        let document =
            document::parse(&asked.query, &self.schema.schema).map_err(|QueryError { text, place }| match place {
                Some(place) => json!({ "message": text, "locations": [place] }),
                None => json!({ "message": text }),
            })?;
        // rule: graphql/limits
        limits::check(&document, &asked.variables, &self.schema.schema).map_err(|text| json!({ "message": text }))
    }
}

impl Demo for Graphql {
    fn respond(&self, request: &Request) -> Result<Reply, Failure> {
        // rule: graphql/other-path-or-method
        if request.method == Method::OPTIONS {
            return Ok(preflight("GET, POST, OPTIONS"));
        }
        if request.path() != "/graphql" {
            return Err(Failure::PathUnknown);
        }
        let asked = match request.method {
            Method::POST if !media::is_json(&request.headers) => return Err(Failure::NotCalledJson),
            Method::POST => GraphqlRequest::from_body(&request.body)?,
            Method::GET => {
                GraphqlRequest::from_query_string(request.query().unwrap_or_default())?.ok_or(Failure::PathUnknown)?
            }
            _ => return Err(Failure::PathUnknown),
        };
        let outcome = self.run(&asked, request.method == Method::GET)?;
        Ok(render(outcome, Media::wanted(&request.headers)))
    }
}

/// The errors for which a query is refused, as an answer lists them.
fn listed(mut error: GraphQLError) -> Vec<Value> {
    if let GraphQLError::ValidationError(errors) = &mut error {
        errors.truncate(ERRORS_MAX);
    }
    values(&error)
}

fn values(errors: &impl Serialize) -> Vec<Value> {
    match serde_json::to_value(errors) {
        Ok(Value::Array(errors)) => errors,
        // The library writes any of its errors as a list.
        _ => vec![json!({ "message": "The query cannot be answered" })],
    }
}

fn render(mut outcome: Outcome, media: Media) -> Reply {
    outcome.errors.truncate(ERRORS_MAX);
    for error in &mut outcome.errors {
        if let Some(Value::String(message)) = error.get_mut("message")
            && let Some((end, _)) = message.char_indices().nth(ERROR_CHARS_MAX)
        {
            message.truncate(end);
            message.push_str(" [...]");
        }
    }
    let status = if outcome.data.is_some() { StatusCode::OK } else { media.refused() };
    // Fails only for a failing writer, or a map whose keys are no texts: there is neither.
    // rule: graphql/data, graphql/only-requested, graphql/extra-keys
    let text = serde_json::to_string(&outcome).unwrap_or_default();
    Reply::typed(status, media.name(), text)
}

#[cfg(test)]
mod tests;
