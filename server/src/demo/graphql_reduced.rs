//! The reduced GraphQL variant: a handful of query forms, no mutation, `data` without the root's name.
//!
//! A query is parsed as GraphQL and then must be one of the forms; nothing of GraphQL's execution takes part.
//! Source: demonstration-endpoints, "GraphQL endpoint", the reduced variant.

use http::{Method, StatusCode};

use self::form::{Form, PostField, Wanted};
use super::body;
use super::failure::Failure;
use super::people::{People, User};
use super::reply;
use crate::json;
use crate::message::{Interface, Refusal, Reply, Request};

mod form;

/// The reduced variant, over its own copy of the users.
#[derive(Debug)]
pub struct GraphqlReduced {
    people: People,
}

impl Default for GraphqlReduced {
    fn default() -> Self {
        Self::new()
    }
}

impl GraphqlReduced {
    /// The interface. Nothing it does changes its state, so it needs no reset.
    #[must_use]
    pub fn new() -> Self {
        Self { people: People::initial() }
    }

    fn respond(&self, request: &Request) -> Result<Reply, Failure> {
        // rule: graphql-reduced/options-status, graphql-reduced/options-other-path
        if request.method == Method::OPTIONS {
            return Ok(reply::preflight("POST, OPTIONS")); // rule: graphql-reduced/options-cors
        }
        // rule: graphql-reduced/other-method
        if request.path != "/graphql" || request.method != Method::POST {
            return Err(Failure::PathUnknown);
        }
        let fields = body::object(&request.body)?;
        let query = body::text(&fields, "query")?; // rule: graphql-reduced/query-missing, graphql-reduced/query-type
        let form = form::read(&query)?;
        Ok(reply::json(StatusCode::OK, self.run(&form)))
    }

    /// The JSON text of the answer to a form.
    fn run(&self, form: &Form) -> String {
        let mut text = String::from(r#"{"data":"#);
        match form {
            // rule: graphql-reduced/users-list, graphql-reduced/users-all
            Form::Users(wanted) => write_list(&mut text, &self.people.all(), |text, user| {
                write_user(text, user, wanted);
            }),
            // rule: graphql-reduced/user-object
            Form::User(id, wanted) => match self.people.find(id) {
                Some(user) => write_user(&mut text, &user, wanted),
                None => text.push_str("null"), // rule: graphql-reduced/user-unknown
            },
        }
        text.push('}');
        text
    }
}

impl Interface for GraphqlReduced {
    async fn answer(&self, request: &Request) -> Reply {
        self.respond(request).unwrap_or_else(|failure| failure.render())
    }

    fn refuse(&self, refusal: Refusal, _request: &Request) -> Reply {
        Failure::from(refusal).render()
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

/// The fields wanted of a user, in the order asked for.
fn write_user(text: &mut String, user: &User, wanted: &[Wanted]) {
    for (index, field) in wanted.iter().enumerate() {
        text.push(if index == 0 { '{' } else { ',' }); // rule: graphql-reduced/fields
        match field {
            Wanted::Id => write_text(text, "id", &user.id),
            Wanted::Name => write_text(text, "name", &user.name),
            Wanted::Age => {
                text.push_str(r#""age":"#);
                json::write_number_to(text, user.age);
            }
            // rule: graphql-reduced/posts-field
            Wanted::Posts(PostField::Id) => {
                text.push_str(r#""posts":"#);
                write_list(text, &user.posts, |text, post| {
                    write_only(text, "id", &post.id);
                });
            }
            Wanted::Posts(PostField::Title) => {
                text.push_str(r#""posts":"#);
                write_list(text, &user.posts, |text, post| {
                    write_only(text, "title", &post.title);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo::agreement::request;
    use serde_json::json;

    fn ask(method: Method, path: &str, body: &str) -> (u16, String) {
        let reply =
            GraphqlReduced::new().respond(&request(method, path, body)).unwrap_or_else(|failure| failure.render());
        (reply.status.as_u16(), String::from_utf8_lossy(&reply.body).into_owned())
    }

    fn query(text: &str) -> (u16, String) {
        ask(Method::POST, "/graphql", &json!({ "query": text }).to_string())
    }

    #[test]
    fn users_is_a_list_of_the_fields_asked_for() {
        assert_eq!(
            query("{ users { age id } }"),
            (200, r#"{"data":[{"age":34,"id":"1"},{"age":27,"id":"2"},{"age":61,"id":"3"}]}"#.to_owned())
        );
    }

    #[test]
    fn user_is_an_object_or_null() {
        let with_posts = r#"{ user(id: "2") { name posts { title } } }"#;
        assert_eq!(
            query(with_posts),
            (200, r#"{"data":{"name":"Tomás","posts":[{"title":"A shelf for maps"}]}}"#.to_owned())
        );
        assert_eq!(query("{ user(id: 3) { posts { id } } }"), (200, r#"{"data":{"posts":[]}}"#.to_owned()));
        assert_eq!(query(r#"{ user(id: "no") { id } }"#), (200, r#"{"data":null}"#.to_owned()));
    }

    #[test]
    fn a_body_without_a_query_text_is_refused() {
        for body in ["", "{", "[]", "{}", r#"{"query":null}"#, r#"{"query":["{users{id}}"]}"#] {
            assert_eq!(ask(Method::POST, "/graphql", body).0, 400, "{body}");
        }
    }

    #[test]
    fn another_method_or_path_is_unknown_but_for_options() {
        for (method, path) in
            [(Method::GET, "/graphql"), (Method::PUT, "/graphql"), (Method::POST, "/"), (Method::POST, "/graphql/")]
        {
            assert_eq!(
                ask(method, path, r#"{"query":"{users{id}}"}"#),
                (404, r#"{"error":"Route not found"}"#.to_owned())
            );
        }
        assert_eq!(ask(Method::OPTIONS, "/graphql", ""), (204, String::new()));
        assert_eq!(ask(Method::OPTIONS, "/elsewhere", ""), (204, String::new()));
    }
}
