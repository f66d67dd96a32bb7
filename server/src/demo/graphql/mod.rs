//! The full GraphQL endpoint: from a request to an answer, by the conventions of GraphQL over HTTP.
//!
//! The documents ask for `POST` with `{ query }`; variables, operation names, introspection, `GET` for queries and the media
//! type `application/graphql-response+json` are beyond them. Source: demonstration-endpoints, "GraphQL endpoint".

use std::sync::Arc;

use async_graphql::parser::types::{DocumentOperations, ExecutableDocument, OperationType};
use async_graphql::{ServerError, Value};
use http::{Method, StatusCode};
use serde::Serialize;

use self::limits::Budget;
use self::media::Media;
use self::request::GraphqlRequest;
use self::schema::Schema;
use super::document;
use super::failure::Failure;
use super::reply;
use super::users_store::UsersStore;
use crate::clock::Clock;
use crate::message::{Awaited, Interface, Refusal, Reply, Request};

mod limits;
mod media;
mod request;
mod schema;

/// Errors an answer lists at most: a query can hold thousands.
const ERRORS_MAX: usize = 20;
/// Characters of an error's text: some errors repeat a name of the query, which can be as long as the query.
const ERROR_CHARS_MAX: usize = 300;

/// The full endpoint, over its own copy of the users.
pub(crate) struct Graphql {
    users: Arc<UsersStore>,
    schema: Schema,
}

enum Outcome {
    /// It was executed; some fields may have failed.
    Executed { data: Value, errors: Vec<ServerError> },
    /// It was not, or its answer would have been too large.
    Refused(Vec<ServerError>),
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

    async fn respond(&self, request: &Request) -> Result<Reply, Failure> {
        // rule: graphql/other-path-or-method
        if request.method == Method::OPTIONS {
            return Ok(reply::preflight("GET, POST, OPTIONS"));
        }
        if request.path() != "/graphql" {
            return Err(Failure::PathUnknown);
        }
        let asked = match request.method {
            Method::POST if !media::is_json(&request.headers) => {
                return Err(Failure::NotCalledJson);
            }
            Method::POST => GraphqlRequest::from_body(&request.body)?,
            Method::GET => {
                GraphqlRequest::from_query_string(request.query().unwrap_or_default())?.ok_or(Failure::PathUnknown)?
            }
            _ => return Err(Failure::PathUnknown),
        };
        let outcome = self.run(asked, request.method == Method::GET).await?;
        Ok(render(outcome, Media::wanted(&request.headers)))
    }

    async fn run(&self, asked: GraphqlRequest, only_queries: bool) -> Result<Outcome, Failure> {
        let document = match read(&asked.query) {
            Ok(document) => document,
            Err(error) => return Ok(Outcome::Refused(vec![error])),
        };
        if only_queries && may_change(&document, asked.operation_name.as_deref()) {
            return Err(Failure::MutationByGet);
        }
        let budget = Arc::new(Budget::for_users(self.users.count()));
        let mut request = async_graphql::Request::new(asked.query).variables(asked.variables).data(Arc::clone(&budget));
        request.operation_name = asked.operation_name;
        request.set_parsed_query(document);
        let response = self.schema.execute(request).await;
        if let Err(error) = budget.balance() {
            return Ok(Outcome::Refused(vec![ServerError::new(error.to_string(), None)]));
        }
        // Every root field may be null, so a failing field never takes the whole data with it: without data nothing was run.
        Ok(match response.data {
            Value::Null => Outcome::Refused(response.errors),
            data => Outcome::Executed { data, errors: response.errors },
        })
    }
}

impl Interface for Graphql {
    fn answer<'a>(&'a self, request: &'a Request) -> Awaited<'a> {
        Box::pin(async move { self.respond(request).await.unwrap_or_else(|failure| failure.render()) })
    }

    fn refuse(&self, refusal: Refusal, _request: &Request) -> Reply {
        Failure::from(refusal).render()
    }
}

fn read(query: &str) -> Result<ExecutableDocument, ServerError> {
    let document = document::parse(query).map_err(|error| ServerError::new(error.text, error.place))?;
    // rule: graphql/limits
    limits::check(&document)?;
    Ok(document)
}

/// Whether the operation to run is a mutation or a subscription. No such operation: nothing runs.
fn may_change(document: &ExecutableDocument, name: Option<&str>) -> bool {
    let operation = match &document.operations {
        DocumentOperations::Single(operation) => Some(operation),
        // The parser calls a single operation with a name `Multiple`, too.
        DocumentOperations::Multiple(operations) => match name {
            Some(name) => operations.get(name),
            None => operations.values().next().filter(|_| operations.len() == 1),
        },
    };
    operation.is_some_and(|operation| operation.node.ty != OperationType::Query)
}

#[derive(Serialize)]
struct Body<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<&'a Value>,
    #[serde(skip_serializing_if = "<[ServerError]>::is_empty")]
    errors: &'a [ServerError],
}

fn render(outcome: Outcome, media: Media) -> Reply {
    let (status, data, mut errors) = match outcome {
        Outcome::Executed { data, errors } => (StatusCode::OK, Some(data), errors),
        Outcome::Refused(errors) => (media.refused(), None, errors),
    };
    errors.truncate(ERRORS_MAX);
    for error in &mut errors {
        if let Some((end, _)) = error.message.char_indices().nth(ERROR_CHARS_MAX) {
            error.message.truncate(end);
            error.message.push_str(" [...]");
        }
    }
    // rule: graphql/data, graphql/only-requested, graphql/extra-keys
    let body = Body { data: data.as_ref(), errors: &errors };
    // Only a failing writer or a map with odd keys could fail here, and neither is there.
    let text = serde_json::to_string(&body).unwrap_or_default();
    reply::typed(status, media.name(), text)
}

#[cfg(test)]
mod tests;
