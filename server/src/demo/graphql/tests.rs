//! The endpoint asked without a socket: how deep, rich and large a query and its answer may be, and that refusing them is cheap.

use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderValue};
use serde_json::json;

use super::*;
use crate::transport::STACK_BYTES;
use libros_server_system::clock::Timestamp;

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
    post(&Graphql::new(Clock::default()), &json!({ "query": text }))
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
fn a_null_in_place_of_a_boolean_is_refused() {
    let graphql = Graphql::new(Clock::default());
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
    let graphql = Graphql::new(Clock::default());
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

#[test]
fn arguments_nested_however_deep_are_refused() {
    for depth in [100, schema::DEPTH_MAX - 8, 1_000, 20_000] {
        for (open, close) in [("[", "]"), ("{a:", "}"), ("[{a:", "}]")] {
            let value = format!("{}1{}", open.repeat(depth), close.repeat(depth));
            for text in [
                format!("{{user(id:{value}){{id}}}}"),
                format!("{{users@skip(if:{value}){{id}}}}"),
                format!("query($a:ID!={value}){{user(id:$a){{id}}}}"),
            ] {
                assert_eq!(query_on_a_serving_stack(text).0, 400, "{open} {depth}");
            }
        }
    }
}

#[test]
fn lists_of_introspection_are_counted_through_fragments() {
    let spread = |last: &str| {
        let text = format!(
            "{{ __schema {{ types {{ ...A ...B }} }} }}
             fragment B on __Type {{ ... {{ fields {{ type {{ ...C }} }} }} }}
             fragment A on __Type {{ fields {{ type {{ ...B }} }} }}
             fragment C on __Type {{ fields {{ {last} }} }}"
        );
        query(&text).1.contains("The query nests lists of introspection more than 3 deep")
    };
    assert!(!spread("name") && spread("type { possibleTypes { name } }"));
}

#[test]
fn spreads_and_the_name_of_an_operation_are_bounded() {
    let spread = |times: usize| format!("{{ id }} fragment F on Query {{ {} }}", "...G ".repeat(times));
    let named = |bytes: usize| format!("query {} {{ id }}", "n".repeat(bytes));
    for (within, beyond, words) in [
        (spread(limits::SPREADS_MAX), spread(limits::SPREADS_MAX + 1), "more than 500 times"),
        (named(limits::NAME_BYTES_MAX), named(limits::NAME_BYTES_MAX + 1), "1000 bytes"),
    ] {
        assert!(!query(&within).1.contains(words) && query(&beyond).1.contains(words), "{words}");
    }
}

#[test]
fn an_indent_of_wide_spaces_is_refused_where_the_library_would_panic() {
    let is_refused = |lines: &str| {
        let body = query(&format!("{{a(b:\"\"\"{lines}\"\"\")}}")).1;
        body.contains("a space that GraphQL does not know")
    };
    for lines in ["\n  c\n\u{2003}d\n e", "\n  c\n\u{2003}\n e", "\n  c\n\u{2003}", "\r\n  c\r\n \u{3000}"] {
        assert!(is_refused(lines), "{lines:?}");
    }
    for lines in ["\n  c\n  d", "\u{2003}c\n  d", "\n  c\u{2003}\n  \n \td"] {
        assert!(!is_refused(lines), "{lines:?}");
    }
}

#[test]
fn an_answer_that_grows_beyond_measure_is_refused() {
    // Two posts a user: each pair of levels doubles the answer.
    let wide = format!("{{ user(id: 1) {{ {}id{} }} }}", "posts { user { ".repeat(30), " } }".repeat(30));
    assert_eq!(
        query(&wide),
        (400, r#"{"errors":[{"message":"The answer would hold more than 50000 fields, each KiB of a text counted as one"}]}"#.to_owned())
    );
    let graphql = Graphql::new(Clock::default());
    graphql.users.create("a".repeat(1 << 18), 36.0, Timestamp(5_000));
    let names = |count| (0..count).map(|number| format!("a{number}: name ")).collect::<String>();
    let read = |count| post(&graphql, &json!({ "query": format!("{{ user(id: 5000) {{ {} }} }}", names(count)) })).0;
    assert_eq!([read(100), read(250)], [200, 400], "a quarter of a MiB, many times");
}

#[test]
fn fragments_that_spread_themselves_are_refused() {
    for ring in [
        "{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }",
        "{ users { id } } fragment A on User { posts { user { ...A } } }",
    ] {
        assert_eq!(query_on_a_serving_stack(ring.to_owned()).0, 400, "{ring}");
    }
}

#[test]
fn a_field_selected_twice_counts_twice() {
    let names: String = (0..1_900).map(|number| format!("n{number}: __typename ")).collect();
    let graphql = Graphql::new(Clock::default());
    for _ in 0..40 {
        graphql.users.create("Ada".to_owned(), 36.0, Timestamp(5_000));
    }
    let (status, body) = post(&graphql, &json!({ "query": format!("{{ users {{ id }} users {{ {names} }} }}") }));
    assert_eq!((status, body.contains("more than 50000 fields")), (400, true), "{} bytes", body.len());
}

#[test]
fn errors_are_few_and_short() {
    let (status, body) = query(&format!("{{{}}}", (0..300).map(|n| format!("x{n} ")).collect::<String>()));
    assert_eq!((status, body.matches("message").count()), (400, ERRORS_MAX));
    let (status, body) = query(&format!("{{{}}}", "x".repeat(200_000)));
    assert!(status == 400 && body.contains("[...]") && body.len() < 500, "{status}, {} bytes", body.len());
}
