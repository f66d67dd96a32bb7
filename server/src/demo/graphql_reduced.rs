//! The reduced GraphQL variant: two query forms, no mutation, `data` without the root's name.
//!
//! A query is parsed as GraphQL and must then be one of the forms; GraphQL's execution takes no part.
//! Source: demonstration-endpoints, "GraphQL endpoint", the reduced variant.

use http::{Method, StatusCode};
use juniper::{DefaultScalarValue, SchemaType};
use serde_json::{Value, json};

use self::form::{Form, Shown};
use super::users_store::{User, UsersStore};
use super::{Demo, failure::Failure, preflight};
use crate::json_body::{object, text};
use crate::message::{Reply, Request};
use libros_server_query::json;

mod form;

#[derive(Debug)]
pub(crate) struct GraphqlReduced {
    users: UsersStore,
    /// The schema to parse queries by; it allows more forms than are accepted.
    schema: SchemaType<DefaultScalarValue>,
}

impl GraphqlReduced {
    /// Makes the interface. It never changes its state, so it needs no reset.
    pub(crate) fn new() -> Self {
        Self { users: UsersStore::initial(), schema: form::schema() }
    }
}

impl Demo for GraphqlReduced {
    fn respond(&self, request: &Request) -> Result<Reply, Failure> {
        // rule: graphql-reduced/options-status, graphql-reduced/options-other-path
        if request.method == Method::OPTIONS {
            // rule: graphql-reduced/options-cors
            return Ok(preflight("POST, OPTIONS"));
        }
        // rule: graphql-reduced/other-method, graphql-reduced/trailing-slash
        if request.path() != "/graphql" || request.method != Method::POST {
            return Err(Failure::PathUnknown);
        }
        let mut fields = object(&request.body)?;
        // rule: graphql-reduced/query-missing, graphql-reduced/query-type
        let query = text(&mut fields, "query")?;
        let Form { id, fields } = form::read(&query, &self.schema)?;
        let data: Value = match id {
            // rule: graphql-reduced/users-list, graphql-reduced/users-all
            None => self.users.all().iter().map(|user| shown(user, &fields)).collect(),
            // rule: graphql-reduced/user-object, graphql-reduced/user-unknown
            Some(id) => self.users.find(&id).map_or(Value::Null, |user| shown(&user, &fields)),
        };
        Ok(Reply::json(StatusCode::OK, json::write(&json!({ "data": data }))))
    }
}

fn shown(user: &User, fields: &[Shown<'_>]) -> Value {
    let own = json!({ "id": user.id, "name": user.name, "age": user.age });
    let member = |(name, of_posts): &Shown<'_>| {
        let value = match of_posts {
            None => own[name].clone(),
            // rule: graphql-reduced/posts-field
            Some("id") => user.posts.iter().map(|post| json!({ "id": post.id })).collect(),
            Some(_) => user.posts.iter().map(|post| json!({ "title": post.title })).collect(),
        };
        ((*name).to_owned(), value)
    };
    Value::Object(fields.iter().map(member).collect())
}
