//! The endpoint asked as a client would ask it, without a socket.

use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderValue};
use serde_json::json;

use super::*;
use crate::transport::STACK_BYTES;
use libros_server_system::clock::Timestamp;

mod limits;

fn post(graphql: &Graphql, body: &Value) -> (u16, String) {
    let request = Request {
        method: Method::POST,
        uri: "/graphql".parse().expect("a target"),
        headers: HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static("application/json"))]),
        body: body.to_string().into(),
        peer: std::net::Ipv4Addr::LOCALHOST.into(),
        client: crate::message::Client::default(),
    };
    let reply = graphql.respond(&request).unwrap_or_else(|failure| failure.render());
    (reply.status.as_u16(), String::from_utf8_lossy(&reply.body).into_owned())
}

fn query(text: &str) -> (u16, String) {
    post(&Graphql::new(Clock::new()), &json!({ "query": text }))
}

/// As [`query`], with as much stack as the threads that serve have.
fn query_on_a_serving_stack(text: String) -> (u16, String) {
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(move || query(&text));
    thread.expect("a thread").join().expect("no panic")
}

fn ok(text: &str) -> (u16, String) {
    (200, text.to_owned())
}

#[test]
fn the_introspection_of_usual_clients_is_answered() {
    // What graphql-js asks with everything it can ask switched on; GraphiQL and Apollo ask it so or with less.
    let of_type = format!("{} kind name {}", "kind name ofType {".repeat(9), "}".repeat(9));
    let text = format!(
        "query IntrospectionQuery {{ __schema {{ description queryType {{ name kind }} mutationType {{ name kind }}
         subscriptionType {{ name kind }} types {{ ...FullType }} directives {{ name description isRepeatable locations
         args(includeDeprecated: true) {{ ...InputValue }} }} }} }}
         fragment FullType on __Type {{ kind name description specifiedByURL isOneOf
         fields(includeDeprecated: true) {{ name description args(includeDeprecated: true) {{ ...InputValue }}
         type {{ ...TypeRef }} isDeprecated deprecationReason }}
         inputFields(includeDeprecated: true) {{ ...InputValue }} interfaces {{ ...TypeRef }}
         enumValues(includeDeprecated: true) {{ name description isDeprecated deprecationReason }}
         possibleTypes {{ ...TypeRef }} }}
         fragment InputValue on __InputValue {{ name description type {{ ...TypeRef }} defaultValue isDeprecated
         deprecationReason }}
         fragment TypeRef on __Type {{ {of_type} }}"
    );
    let (status, body) = query(&text);
    assert_eq!(status, 200, "{body}");
    assert!(!body.contains("errors") && body.contains("createUser"), "{body}");
}

#[test]
fn a_null_where_a_truth_value_is_due_is_refused() {
    let graphql = Graphql::new(Clock::new());
    let users = |definition: &str| format!("query({definition}) {{ users @skip(if: $a) {{ id }} }}");
    for definition in ["$a: Boolean = true", "$a: Boolean = null", "$a: Boolean", "$a: Boolean!", "$a: Boolean! = true"]
    {
        let body = json!({ "query": users(definition), "variables": { "a": null } });
        assert_eq!(post(&graphql, &body).0, 400, "{definition}");
    }
    assert_eq!(post(&graphql, &json!({ "query": users("$a: Boolean = true") })), ok(r#"{"data":{}}"#));
    for text in ["query($a: Float = 1) { users { id } }", "query($a: User = 1) { users { id } }"] {
        assert_eq!(query(text).0, 400, "{text}");
    }
    for text in ["{ users @skip(if: null) { id } }", "{ users @include { id } }", "{ __type(name: null) { name } }"] {
        assert_eq!(query(text).0, 400, "{text}");
    }
}

#[test]
fn an_id_may_be_an_integer_beyond_32_bits() {
    let graphql = Graphql::new(Clock::new());
    let user = graphql.users.create("Ada".to_owned(), 36.0, Timestamp(1_767_323_045_678));
    let found = ok(r#"{"data":{"user":{"name":"Ada"}}}"#);
    for id in [user.id.clone(), format!("\"{}\"", user.id)] {
        assert_eq!(post(&graphql, &json!({ "query": format!("{{ user(id: {id}) {{ name }} }}") })), found);
    }
    for id in [json!(1_767_323_045_678_i64), json!(user.id)] {
        let text = "query($id: ID!) { user(id: $id) { name } }";
        assert_eq!(post(&graphql, &json!({ "query": text, "variables": { "id": id } })), found, "{id}");
    }
    for id in ["1.0", "1.5", "true", "[1]", "{a: 1}", "a"] {
        assert_eq!(query(&format!("{{ user(id: {id}) {{ name }} }}")).0, 400, "{id}");
    }
}
