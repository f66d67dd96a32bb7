//! What a client gets when something breaks that no request can break: a disk that refuses, a handler that panics.

use http::HeaderValue;

use crate::service::{ADMIN, Service, request};

const BOOK: &str = r#"{"titulo":"a","autor":"b"}"#;

#[test]
fn a_write_that_cannot_be_stored_is_500_and_leaves_nothing_behind() {
    let service = Service::new();
    let mut create = request("POST /libros", ADMIN, BOOK);
    create.headers.insert("x-request-id", HeaderValue::from_static("mine"));
    create.headers.insert("x-api-version", HeaderValue::from_static("9"));
    service.disk.set_full(true);
    let failed = service.send_request(&create);
    let unseen = service.get("/libros/6", ADMIN);
    service.disk.set_full(false);
    let stored = service.send("POST /libros", ADMIN, BOOK);
    assert_eq!(failed.status, 500);
    assert_eq!(failed.headers["x-api-version"], "9");
    assert_eq!(failed.headers["cache-control"], "no-cache, no-store, must-revalidate");
    let error = &failed.body["error"];
    assert_eq!((&error["codigo"], &error["requestId"]), (&"INTERNAL_ERROR".into(), &"mine".into()));
    let names: Vec<&String> = error.as_object().expect("an object").keys().collect();
    assert_eq!(names, ["codigo", "mensaje", "detalles", "timestamp", "requestId"]);
    assert_eq!(unseen.status, 404);
    assert_eq!((stored.status, stored.body["id"].as_u64()), (201, Some(6)), "the failed create has not used up an id");
}

#[test]
fn a_panic_in_a_handler_has_the_code_of_its_place_and_a_request_id() {
    let service = Service::new();
    for (line, codigo) in [
        ("GET /libros/1", "INTERNAL_ERROR"),
        ("GET /auth/login", "INTERNAL_SERVER_ERROR"),
        ("GET /nowhere", "INTERNAL_SERVER_ERROR"),
    ] {
        let reply = service.crashed(line);
        assert_eq!((reply.status, &reply.body["error"]["codigo"]), (500, &codigo.into()), "{line}");
        let id = reply.body["error"]["requestId"].as_str().expect("a text");
        let parts: Vec<&str> = id.split('_').collect();
        assert_eq!((parts.len(), parts[0]), (3, "req"), "{id}");
        assert!(parts[1].parse::<u64>().is_ok() && !parts[2].is_empty(), "{id}");
    }
}
