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
use self::request::Ask;
use self::schema::Schema;
use super::document;
use super::failure::Failure;
use super::people::People;
use super::reply;
use crate::clock::Clock;
use crate::message::{Interface, Refusal, Reply, Request};

mod limits;
mod media;
mod request;
mod schema;
mod stack;

/// Braces a query may have to be answered on the stack of the thread that serves.
const BRACES_PLAIN: usize = 32;
/// Errors an answer lists at most: a query can hold thousands of faults, a reader none of that patience.
const ERRORS_MAX: usize = 20;
/// Characters of an error's text: some repeat a name of the query, which can be as long as the query.
const ERROR_CHARS_MAX: usize = 300;

/// The full endpoint, over its own copy of the users.
pub struct Graphql {
    people: Arc<People>,
    schema: Schema,
}

/// What became of a query.
enum Outcome {
    /// It was executed; some fields may have failed.
    Executed { data: Value, errors: Vec<ServerError> },
    /// It was not, or its answer would have been too large.
    Refused(Vec<ServerError>),
}

impl Graphql {
    /// The endpoint in its initial state.
    #[must_use]
    pub fn new(clock: Clock) -> Self {
        let people = Arc::new(People::initial()); // rule: graphql/own-data
        let schema = schema::schema(&people, clock);
        Self { people, schema }
    }

    /// Goes back to the initial state. The clock is left alone.
    pub fn reset(&self) {
        self.people.reset();
    }

    async fn respond(&self, request: &Request) -> Result<Reply, Failure> {
        // rule: graphql/other-path-or-method
        if request.method == Method::OPTIONS {
            return Ok(reply::preflight("GET, POST, OPTIONS"));
        }
        if request.path != "/graphql" {
            return Err(Failure::PathUnknown);
        }
        let ask = match request.method {
            Method::POST if !media::is_json(&request.headers) => {
                return Err(Failure::NotCalledJson);
            }
            Method::POST => Ask::from_body(&request.body)?,
            Method::GET => {
                Ask::from_query_string(request.query.as_deref().unwrap_or_default())?.ok_or(Failure::PathUnknown)?
            }
            _ => return Err(Failure::PathUnknown),
        };
        let media = Media::wanted(&request.headers);
        let only_queries = request.method == Method::GET;
        // A few braces nest no deeper than any stack takes, fragments followed.
        if ask.query.bytes().filter(|byte| *byte == b'{').count() <= BRACES_PLAIN {
            return self.reply(ask, only_queries, media).await;
        }
        // rule: graphql/nesting
        stack::on_a_deep_one(async || self.reply(ask, only_queries, media).await).unwrap_or(Err(Failure::Crashed))
    }

    async fn reply(&self, ask: Ask, only_queries: bool, media: Media) -> Result<Reply, Failure> {
        Ok(render(self.run(ask, only_queries).await?, media))
    }

    async fn run(&self, ask: Ask, only_queries: bool) -> Result<Outcome, Failure> {
        let document = match read(&ask.query) {
            Ok(document) => document,
            Err(error) => return Ok(Outcome::Refused(vec![error])),
        };
        if only_queries && may_change(&document, ask.operation_name.as_deref()) {
            return Err(Failure::MutationByGet);
        }
        let budget = Arc::new(Budget::for_users(self.people.count()));
        let mut request = async_graphql::Request::new(ask.query).variables(ask.variables).data(Arc::clone(&budget));
        request.operation_name = ask.operation_name;
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
    async fn answer(&self, request: &Request) -> Reply {
        self.respond(request).await.unwrap_or_else(|failure| failure.render())
    }

    fn refuse(&self, refusal: Refusal, _request: &Request) -> Reply {
        Failure::from(refusal).render()
    }
}

/// Parses a query and judges its size.
fn read(query: &str) -> Result<ExecutableDocument, ServerError> {
    let document =
        document::parse(query, limits::DEPTH_MAX).map_err(|fault| ServerError::new(fault.text, fault.place))?;
    limits::check(&document)?; // rule: graphql/limits
    Ok(document)
}

/// Whether the operation that would be run is not a plain query. Nothing is run when there is no such operation.
fn may_change(document: &ExecutableDocument, name: Option<&str>) -> bool {
    let operation = match &document.operations {
        DocumentOperations::Single(operation) => Some(operation),
        // One that has a name is among several, too.
        DocumentOperations::Multiple(operations) => match name {
            Some(name) => operations.get(name),
            None => operations.values().next().filter(|_| operations.len() == 1),
        },
    };
    operation.is_some_and(|operation| operation.node.ty != OperationType::Query)
}

/// The answer as text.
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
