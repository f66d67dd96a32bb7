//! What a storing route accepts is there again, alike, after a stop and a start.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::service::{Credential, PASSWORD, Service};
use libros_server_store::Kind;

/// Names that mean something to the service, to a JSON library, or to JavaScript.
const NAMES: [&str; 8] = [
    "id",
    "nombre",
    "",
    "__proto__",
    "$serde_json::private::RawValue",
    "$serde_json::private::Number",
    "a\u{0}b",
    "ñ\"",
];

fn name() -> impl Strategy<Value = String> {
    prop_oneof![prop::sample::select(NAMES.to_vec()).prop_map(str::to_owned), ".{0,8}"]
}

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,20}".prop_map(Value::from),
        prop::sample::select(vec!["[1]", "{\"a\":", "[[[[", "1e400"]).prop_map(Value::from),
    ]
}

/// Any JSON value, some of them about as deep as a body may be.
fn value() -> impl Strategy<Value = Value> {
    let small = scalar().prop_recursive(4, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((name(), inner), 0..4).prop_map(|fields| Map::from_iter(fields).into()),
        ]
    });
    let depth = prop_oneof![4 => Just(0_usize), 1 => 118_usize..130];
    (small, depth, any::<bool>()).prop_map(|(value, depth, in_lists)| wrapped(value, depth, in_lists))
}

/// The value inside `depth` lists or objects.
fn wrapped(value: Value, depth: usize, in_lists: bool) -> Value {
    (0..depth).fold(value, |inner, _| if in_lists { json!([inner]) } else { json!({ "a": inner }) })
}

/// Everything stored that can be read over HTTP, except what each login creates.
fn shown(service: &Service, token: &str, email: &str) -> Vec<String> {
    let login = json!({ "email": email, "password": PASSWORD }).to_string();
    let login = service.send("POST /auth/login", Credential::None, &login).text;
    let user = login.split("\"tokens\"").next().unwrap_or_default().to_owned();
    let keys = service.send("GET /auth/api-keys", Credential::Session(token), "").text;
    let books = ["GET /libros/1", "GET /libros/6"].map(|line| service.send(line, Credential::Session(token), "").text);
    [&[user, keys], &books[..]].concat()
}

/// Sends a body made of `value` to every route that stores something of it, restarts, and compares.
fn check(value: &Value) {
    let service = Service::new();
    let token = service.registered("admin@x", "admin");
    let text = value.to_string();
    for (line, body) in [
        ("POST /libros", json!({ "titulo": "a", "autor": "b", "x": value })),
        ("PUT /libros/1", json!({ "x": value, "titulo": value })),
        ("POST /auth/registro", json!({ "email": "ana@x", "password": PASSWORD, "nombre": value, "role": value })),
        ("POST /auth/registro", json!({ "email": text, "password": PASSWORD })),
        ("POST /auth/api-keys", json!({ "nombre": text, "permisos": value })),
        ("POST /auth/api-keys", json!({ "nombre": "a", "permisos": [text], "rateLimit": value })),
    ] {
        let reply = service.send(line, Credential::Session(&token), &body.to_string());
        assert!(reply.status < 500, "{line} {body}: {}", reply.text);
    }
    let before = shown(&service, &token, "ana@x");
    let service = service.restarted();
    assert_eq!(service.disk.quarantined(), []);
    assert_eq!(shown(&service, &token, "ana@x"), before);
}

#[test]
fn the_deepest_name_role_or_book_is_read_back() {
    // The object of the body is one level, the list within a book's field begins at the second.
    for depth in 125..=128 {
        for in_lists in [true, false] {
            check(&wrapped(json!(1), depth, in_lists));
        }
    }
}

#[test]
fn a_value_that_a_json_library_takes_for_its_own_is_read_back_as_sent() {
    let deep = "[".repeat(100) + &"]".repeat(100);
    let raw = |text: &str| json!({ "$serde_json::private::RawValue": text });
    for value in [raw("[1,2]"), raw("{"), raw(&raw(&deep).to_string()), wrapped(raw(&deep), 100, true)] {
        let service = Service::new();
        let sent = json!({ "titulo": "a", "autor": "b", "x": value });
        let created = service.send("POST /libros", Credential::Admin, &sent.to_string());
        assert!(created.status == 201 && created.text.contains(&value.to_string()), "{}", created.text);
        check(&value);
    }
}

#[test]
fn a_record_that_cannot_be_read_is_named_and_the_service_starts_with_the_rest() {
    let service = Service::new();
    let token = service.registered("admin@x", "admin");
    service.disk.meddle(Kind::BOOKS, "3", "[]");
    for kind in [Kind::USERS, Kind::CLIENTS, Kind::SESSIONS, Kind::PENDING, Kind::ATTEMPTS, Kind::DEVICES] {
        service.disk.meddle(kind, "damaged", "{");
    }
    let service = service.restarted();
    let mut named: Vec<String> = service.disk.quarantined().into_iter().map(|record| record.key).collect();
    named.dedup();
    assert_eq!((service.disk.quarantined().len(), named), (7, vec!["3".to_owned(), "damaged".to_owned()]));
    assert_eq!(service.send("GET /libros/3", Credential::Session(&token), "").status, 404);
    assert_eq!(service.send("GET /libros/4", Credential::Session(&token), "").status, 200);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn every_accepted_body_is_read_back(value in value()) {
        check(&value);
    }
}
