//! Draws requests to the demonstration interfaces.

use libros_conformance::implementation::profile::Interface;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use super::bodies::object;
use super::draw::back;
use super::step::Act;

const QUERIES: [&str; 26] = [
    "{ users { id name age } }",
    "{ users { name posts { title } } }",
    "{ user(id: \\\"§\\\") { id name age } }",
    "{ user(id: \\\"1\\\") { name posts { title } } }",
    "{ user(id: \\\"1\\\") { name posts { id } } }",
    "{ user(id: \\\"2\\\") { posts { id title user { name } } } }",
    "{ user(id: 1) { name } }",
    "{ user(id: \\\"nobody\\\") { id } }",
    "query Q { users { age id } }",
    "{users{id,name}}",
    "{ a: users { id } b: users { name } }",
    "{ users { ...F } } fragment F on User { id age }",
    "{ users { ... on User { name } __typename } }",
    "query Q($id: ID!) { user(id: $id) { name } }",
    "mutation { createUser(name: \\\"Eva\\\", age: 30) { id name age posts { id } } }",
    "mutation M { createUser(age: -1, name: \\\"\\\") { id age } }",
    "mutation { createUser(name: \\\"Eva\\\") { id } }",
    "mutation { createUser(name: 5, age: 1) { id } }",
    "mutation { createUser(name: \\\"x\\\", age: 1.5) { id } }",
    "{ users }",
    "{ users { id { x } } }",
    "{ nothing }",
    "{ users { id } # c\\n }",
    "{ users { id id } }",
    "",
    "{",
];

pub(crate) fn demo() -> BoxedStrategy<Act> {
    let plain = |interface, method: &'static str, path: &'static str, body: BoxedStrategy<Option<String>>| {
        (body, back()).prop_map(move |(body, user)| Act::Plain { interface, method, path: path.to_owned(), body, user })
    };
    let nothing = || Just(None).boxed();
    let user = || object(&[("name", "\"Eva\""), ("age", "30")], &["id", "posts", "x"]).prop_map(Some).boxed();
    let entry = || object(&[("title", "\"Uno\"")], &["content", "id", "author"]).prop_map(Some).boxed();
    let reads = (
        select(vec![
            "/users",
            "/users/1",
            "/users/§",
            "/users/§/posts",
            "/users/2/posts",
            "/users/nobody",
            "/users/nobody/posts",
            "/users/",
            "/users/1/",
            "/posts",
            "/posts/1",
            "/posts/2",
            "/posts/01",
            "/posts/",
            "/api/users/register",
            "/x",
            "/users/1/x",
            "/usersx",
            "/postsx",
            "/users?x=1",
            "/users/%31",
        ]),
        prop_oneof![6 => Just("GET"), 1 => select(vec!["OPTIONS", "PUT", "DELETE", "PATCH", "HEAD", "POST"])],
        back(),
    )
        .prop_map(|(path, method, user)| Act::Plain {
            interface: Interface::Users,
            method,
            path: path.to_owned(),
            body: None,
            user,
        });
    let signup = object(&[("email", "\"eva@ejemplo.test\""), ("password", "\"clave segura 2026\"")], &["name", "id"]);
    prop_oneof![
        4 => reads,
        2 => plain(Interface::Users, "POST", "/users", user()),
        1 => plain(Interface::Registration, "POST", "/api/users/register", signup.prop_map(Some).boxed()),
        2 => plain(Interface::Blog, "POST", "/posts", entry()),
        1 => plain(Interface::Blog, "PUT", "/posts/1", entry()),
        1 => plain(Interface::Blog, "DELETE", "/posts/1", nothing()),
        5 => graphql(Interface::Graphql),
        4 => graphql(Interface::GraphqlReduced),
    ]
    .boxed()
}

fn graphql(interface: Interface) -> impl Strategy<Value = Act> {
    let variables = option::weighted(0.3, select(vec!["{}", "null", "{\"id\":\"1\"}", "{\"id\":1}", "{\"id\":\"§\"}"]));
    let body = (select(&QUERIES[..]), variables).prop_map(|(query, variables)| match variables {
        None => format!("{{\"query\":\"{query}\"}}"),
        Some(variables) => format!("{{\"query\":\"{query}\",\"variables\":{variables}}}"),
    });
    let asked = prop_oneof![
        8 => body.boxed(),
        1 => object(&[("query", "\"{ users { id } }\"")], &["query", "operationName", "x"]),
    ];
    let elsewhere = (select(vec!["/graphql/", "/", "/x", "/graphqlx"]), select(vec!["GET", "POST", "OPTIONS", "PUT"]));
    let wrong = select(vec!["PUT", "DELETE", "PATCH", "OPTIONS"]).prop_map(|method| ("/graphql", method));
    let place = prop_oneof![14 => Just(("/graphql", "POST")).boxed(), 1 => elsewhere.boxed(), 1 => wrong.boxed()];
    (asked, place, back()).prop_map(move |(body, (path, method), user)| Act::Plain {
        interface,
        method,
        path: path.to_owned(),
        body: Some(body),
        user,
    })
}
