//! The reduced GraphQL variant: two query forms, no mutation, `data` without the root's name.
//!
//! A query is parsed as GraphQL and must then be one of the forms; GraphQL's execution takes no part.
//! Source: demonstration-endpoints, "GraphQL endpoint", the reduced variant.

use http::{Method, StatusCode};
use juniper::{DefaultScalarValue, SchemaType};
use serde_json::{Value, json};

use self::form::{Form, PostField, UserField};
use super::users_store::{Post, User, UsersStore};
use super::{Demo, body, failure::Failure, preflight};
use crate::message::{Reply, Request};
use crate::response::failure::object;
use libros_server_query::json;

mod form;

#[derive(Debug)]
pub(crate) struct GraphqlReduced {
    users: UsersStore,
    /// By which a query is parsed; it knows more forms than are taken.
    schema: SchemaType<DefaultScalarValue>,
}

impl GraphqlReduced {
    /// The interface. Nothing it does changes its state, so it needs no reset.
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
        let fields = object(&request.body)?;
        // rule: graphql-reduced/query-missing, graphql-reduced/query-type
        let query = body::text(&fields, "query")?;
        let data: Value = match form::read(&query, &self.schema)? {
            // rule: graphql-reduced/users-list, graphql-reduced/users-all
            Form::Users(fields) => self.users.all().iter().map(|user| shown(user, &fields)).collect(),
            // rule: graphql-reduced/user-object, graphql-reduced/user-unknown
            Form::User(id, fields) => self.users.find(&id).map_or(Value::Null, |user| shown(&user, &fields)),
        };
        Ok(Reply::json(StatusCode::OK, json::write(&json!({ "data": data }))))
    }
}

fn shown(user: &User, fields: &[UserField]) -> Value {
    let member = |field: &UserField| match field {
        UserField::Id => ("id".to_owned(), json!(user.id)),
        UserField::Name => ("name".to_owned(), json!(user.name)),
        UserField::Age => ("age".to_owned(), json!(user.age)),
        UserField::Posts(field) => {
            let shown = |post: &Post| match field {
                PostField::Id => json!({ "id": post.id }),
                PostField::Title => json!({ "title": post.title }),
            };
            // rule: graphql-reduced/posts-field
            ("posts".to_owned(), user.posts.iter().map(shown).collect())
        }
    };
    Value::Object(fields.iter().map(member).collect())
}
