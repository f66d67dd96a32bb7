//! Draws requests to the demonstration interfaces.

use libros_conformance::generate::histories::Ask;
use libros_conformance::implementation::profile::Interface;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use super::draw::{back, object, sent};
use super::vocabulary::word;

pub(crate) fn ask() -> BoxedStrategy<Ask> {
    let methods = select(vec!["OPTIONS", "PUT", "DELETE", "PATCH", "HEAD", "POST"]);
    let reads = (word("user_paths"), prop_oneof![6 => Just("GET"), 1 => methods])
        .prop_map(|(path, method)| at(Interface::Users, Ask::new(method, path)));
    let body = |needed: &[(&'static str, &'static str)], more: &[&str]| {
        object(needed, more.iter().map(|name| (*name).to_owned()).collect())
    };
    let post = |interface, method, path: &'static str, body| {
        sent(method, Just(path.to_owned()), body).prop_map(move |ask| at(interface, ask))
    };
    let signup = [("email", "\"eva@ejemplo.test\""), ("password", "\"clave segura 2026\"")];
    let entry = || body(&[("title", "\"Uno\"")], &["content", "id", "author"]);
    let all = prop_oneof![
        4 => reads,
        2 => post(Interface::Users, "POST", "/users", body(&[("name", "\"Eva\""), ("age", "30")], &["id", "posts", "x"])),
        1 => post(Interface::Registration, "POST", "/api/users/register", body(&signup, &["name", "id"])),
        2 => post(Interface::Blog, "POST", "/posts", entry()),
        1 => post(Interface::Blog, "PUT", "/posts/1", entry()),
        1 => Just(at(Interface::Blog, Ask::new("DELETE", "/posts/1"))),
        5 => graphql(Interface::Graphql),
        4 => graphql(Interface::GraphqlReduced),
    ];
    let with_user = |text: &str, back: usize| text.replace('§', &format!("‹user {back}›"));
    (all, back())
        .prop_map(move |(ask, back)| Ask {
            path: with_user(&ask.path, back),
            body: ask.body.as_ref().map(|body| with_user(body, back)),
            ..ask
        })
        .boxed()
}

fn at(interface: Interface, ask: Ask) -> Ask {
    Ask { interface, ..ask }
}

fn graphql(interface: Interface) -> impl Strategy<Value = Ask> {
    let variables = option::weighted(0.3, select(vec!["{}", "null", "{\"id\":\"1\"}", "{\"id\":1}", "{\"id\":\"§\"}"]));
    let whole = (word("queries"), variables).prop_map(|(query, variables)| {
        let variables = variables.map(|variables| format!(",\"variables\":{variables}")).unwrap_or_default();
        format!("{{\"query\":\"{query}\"{variables}}}")
    });
    let odd = object(&[("query", "\"{ users { id } }\"")], ["query", "operationName", "x"].map(str::to_owned).to_vec());
    let elsewhere = (select(vec!["/graphql/", "/", "/x", "/graphqlx"]), select(vec!["GET", "POST", "OPTIONS", "PUT"]));
    let wrong = select(vec!["PUT", "DELETE", "PATCH", "OPTIONS"]).prop_map(|method| ("/graphql", method));
    let place = prop_oneof![14 => Just(("/graphql", "POST")), 1 => elsewhere, 1 => wrong];
    let body = sent("POST", Just(String::new()), prop_oneof![8 => whole, 1 => odd]);
    (body, place).prop_map(move |(ask, (path, method))| Ask { interface, method, path: path.to_owned(), ..ask })
}
