//! The reduced GraphQL variant: two query forms, no mutation, `data` without the root's name.
//!
//! A query is parsed as GraphQL and must then be one of the forms; GraphQL's execution takes no part.
//! Source: demonstration-endpoints, "GraphQL endpoint", the reduced variant.

use http::{Method, StatusCode};
use juniper::{DefaultScalarValue, SchemaType};

use self::form::{Form, PostField, UserField};
use super::Demo;
use super::body;
use super::failure::Failure;
use super::reply;
use super::users_store::{User, UsersStore};
use crate::message::{Reply, Request};
use libros_server_query::json;

mod form;

/// The reduced variant, over its own copy of the users.
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

    /// The JSON text of the answer to a form.
    fn run(&self, form: &Form) -> String {
        let mut text = String::from(r#"{"data":"#);
        match form {
            // rule: graphql-reduced/users-list, graphql-reduced/users-all
            Form::Users(fields) => write_list(&mut text, &self.users.all(), |text, user| {
                write_user(text, user, fields);
            }),
            // rule: graphql-reduced/user-object
            Form::User(id, fields) => match self.users.find(id) {
                Some(user) => write_user(&mut text, &user, fields),
                // rule: graphql-reduced/user-unknown
                None => text.push_str("null"),
            },
        }
        text.push('}');
        text
    }
}

impl Demo for GraphqlReduced {
    fn respond(&self, request: &Request) -> Result<Reply, Failure> {
        // rule: graphql-reduced/options-status, graphql-reduced/options-other-path
        if request.method == Method::OPTIONS {
            // rule: graphql-reduced/options-cors
            return Ok(reply::preflight("POST, OPTIONS"));
        }
        // rule: graphql-reduced/other-method, graphql-reduced/trailing-slash
        if request.path() != "/graphql" || request.method != Method::POST {
            return Err(Failure::PathUnknown);
        }
        let fields = body::object(&request.body)?;
        // rule: graphql-reduced/query-missing, graphql-reduced/query-type
        let query = body::text(&fields, "query")?;
        let form = form::read(&query, &self.schema)?;
        Ok(reply::json(StatusCode::OK, self.run(&form)))
    }
}

fn write_list<T>(text: &mut String, items: &[T], write: impl Fn(&mut String, &T)) {
    text.push('[');
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        write(text, item);
    }
    text.push(']');
}

/// The selected fields of a user, in the order of the query.
fn write_user(text: &mut String, user: &User, fields: &[UserField]) {
    for (index, field) in fields.iter().enumerate() {
        text.push(if index == 0 { '{' } else { ',' });
        match field {
            UserField::Id => write_text(text, "id", &user.id),
            UserField::Name => write_text(text, "name", &user.name),
            UserField::Age => {
                text.push_str(r#""age":"#);
                json::write_number_to(text, user.age);
            }
            UserField::Posts(field) => {
                text.push_str(r#""posts":"#);
                // rule: graphql-reduced/posts-field
                write_list(text, &user.posts, |text, post| match field {
                    PostField::Id => write_only(text, "id", &post.id),
                    PostField::Title => write_only(text, "title", &post.title),
                });
            }
        }
    }
    text.push('}');
}

fn write_text(text: &mut String, name: &str, value: &str) {
    json::write_text_to(text, name);
    text.push(':');
    json::write_text_to(text, value);
}

fn write_only(text: &mut String, name: &str, value: &str) {
    text.push('{');
    write_text(text, name, value);
    text.push('}');
}
