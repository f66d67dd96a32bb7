//! What a route stores is read back unchanged after a restart.

use serde_json::{Value, json};

use crate::service::{ADMIN, PASSWORD, Service};
use libros_server_store::Kind;

/// Values under names that mean something to the service, to a JSON library, or to JavaScript.
fn odd_values() -> Value {
    json!({
        "id": i64::MIN, "nombre": u64::MAX, "": f64::MAX, "__proto__": -0.0, "$serde_json::private::RawValue": "[1]",
        "$serde_json::private::Number": "1e400", "a\u{0}b": ["[[[[", "{\"a\":", null, 5e-324], "\u{f1}\"": { "": {} },
    })
}

/// The value inside `depth` lists or objects.
fn wrapped(value: Value, depth: usize, in_lists: bool) -> Value {
    (0..depth).fold(value, |inner, _| if in_lists { json!([inner]) } else { json!({ "a": inner }) })
}

/// Everything stored that can be read over HTTP, except what each login creates.
fn shown(service: &Service, session: &str, email: &str) -> Vec<String> {
    let login = json!({ "email": email, "password": PASSWORD }).to_string();
    let login = service.send("POST /auth/login", "", &login).text;
    let user = login.split("\"tokens\"").next().unwrap_or_default().to_owned();
    let keys = service.send("GET /auth/api-keys", session, "").text;
    let books = ["GET /libros/1", "GET /libros/6"].map(|line| service.send(line, session, "").text);
    [&[user, keys], &books[..]].concat()
}

/// Sends a body made of `value` to every route that stores something of it, restarts, and compares. Returns whether a book was created.
fn check(value: &Value) -> bool {
    let service = Service::new();
    let session = service.registered("admin@x", "admin");
    let text = value.to_string();
    for (line, body) in [
        ("POST /libros", json!({ "titulo": "a", "autor": "b", "x": value })),
        ("PUT /libros/1", json!({ "x": value, "titulo": value })),
        ("POST /auth/registro", json!({ "email": "ana@x", "password": PASSWORD, "nombre": value, "role": value })),
        ("POST /auth/registro", json!({ "email": text, "password": PASSWORD })),
        ("POST /auth/api-keys", json!({ "nombre": text, "permisos": value })),
        ("POST /auth/api-keys", json!({ "nombre": "a", "permisos": [text], "rateLimit": value })),
    ] {
        let reply = service.send(line, &session, &body.to_string());
        assert!(reply.status < 500, "{line} {body}: {}", reply.text);
    }
    let before = shown(&service, &session, "ana@x");
    let service = service.restarted();
    assert_eq!(service.disk.quarantined(), []);
    assert_eq!(shown(&service, &session, "ana@x"), before);
    service.send("GET /libros/6", &session, "").status == 200
}

#[test]
fn the_deepest_name_role_or_book_is_read_back() {
    // The object of the body is one level, the list within a book's field begins at the second.
    for depth in 125..=128 {
        for in_lists in [true, false] {
            assert_eq!(check(&wrapped(json!(1), depth, in_lists)), depth < 128, "{depth}");
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
        let created = service.send("POST /libros", ADMIN, &sent.to_string());
        assert!(created.status == 201 && created.text.contains(&value.to_string()), "{}", created.text);
        assert!(check(&value), "{value}");
    }
}

#[test]
fn a_record_that_cannot_be_read_is_named_and_the_service_starts_with_the_rest() {
    let service = Service::new();
    let session = service.registered("admin@x", "admin");
    service.disk.meddle(Kind::BOOKS, "3", "[]");
    for kind in [Kind::USERS, Kind::CLIENTS, Kind::SESSIONS, Kind::PENDING, Kind::ATTEMPTS, Kind::DEVICES] {
        service.disk.meddle(kind, "damaged", "{");
    }
    let service = service.restarted();
    let mut named: Vec<String> = service.disk.quarantined().into_iter().map(|record| record.key).collect();
    named.dedup();
    assert_eq!((service.disk.quarantined().len(), named), (7, vec!["3".to_owned(), "damaged".to_owned()]));
    assert_eq!(service.send("GET /libros/3", &session, "").status, 404);
    assert_eq!(service.send("GET /libros/4", &session, "").status, 200);
}

#[test]
fn odd_values_under_odd_names_are_read_back() {
    assert!(check(&odd_values()) && odd_values().as_object().expect("an object").values().all(check));
}
