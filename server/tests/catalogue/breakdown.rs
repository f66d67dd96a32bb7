//! What a client gets when something breaks that no request can break: a disk that refuses, a handler that panics.

use http::HeaderValue;
use serde_json::json;

use crate::disk::text;
use crate::service::{ADMIN, PASSWORD, Service, request};
use libros_server_store::Kind;

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
        let reply = service.refuse_as_crashed(line);
        assert_eq!((reply.status, &reply.body["error"]["codigo"]), (500, &codigo.into()), "{line}");
        let id = reply.body["error"]["requestId"].as_str().expect("a text");
        let parts: Vec<&str> = id.split('_').collect();
        assert_eq!((parts.len(), parts[0]), (3, "req"), "{id}");
        assert!(parts[1].parse::<u64>().is_ok() && !parts[2].is_empty(), "{id}");
    }
}

fn send_on_full_disk(service: &Service, line: &str, authorization: &str, body: &str) {
    service.disk.set_full(true);
    let refused = service.send(line, authorization, body);
    service.disk.set_full(false);
    assert_eq!(refused.status, 500, "{line}: {}", refused.text);
}

#[test]
fn a_refused_write_leaves_every_account_as_it_was() {
    let service = Service::new();
    let user = service.enrolled_admin("ana@x");
    let session = &user.session;
    let seen = || ["/2fa/status", "/2fa/trusted-devices", "/auth/api-keys"].map(|path| service.get(path, session).body);
    let before = seen();
    let eva = json!({ "email": "eva@x", "password": PASSWORD });
    let key = json!({ "nombre": "kiosk" });
    let password = json!({ "password": PASSWORD });
    let code = json!({ "sessionId": service.pending_login("ana@x"), "token": user.codes[0], "trustDevice": true });
    for (line, authorization, body) in [
        ("POST /auth/registro", "", &eva),
        ("POST /auth/verify-2fa", "", &code),
        ("POST /auth/api-keys", session, &key),
        ("POST /2fa/enable", session, &json!({})),
        ("POST /2fa/disable", session, &password),
        ("POST /2fa/regenerate-backup-codes", session, &password),
    ] {
        send_on_full_disk(&service, line, authorization, &body.to_string());
        assert_eq!(seen(), before, "{line}");
    }
    assert_eq!(service.post("/auth/login", "", &eva).status, 400);
    let created = service.post("/auth/registro", "", &eva);
    assert_eq!((created.status, &created.body["id"]), (201, &json!("user_4")), "no number was taken");
    assert_eq!(service.post("/auth/api-keys", session, &key).body["the service"]["id"], "client_3");
    let verified = service.post("/auth/verify-2fa", "", &code);
    assert_eq!(verified.status, 200, "neither is the code spent nor has the login ended");
    let device = text(&service.get("/2fa/trusted-devices", session).body["dispositivos"][0]["deviceId"]);
    send_on_full_disk(&service, &format!("DELETE /2fa/trusted-devices/{device}"), session, "");
    assert_eq!(service.login("ana@x")["requiere2FA"], false, "the device is trusted still");
}

#[test]
fn a_refused_login_leaves_nothing_behind_after_a_restart() {
    let service = Service::new();
    let session = service.registered("ana@x", "user");
    let login = json!({ "email": "ana@x", "password": PASSWORD }).to_string();
    send_on_full_disk(&service, "POST /auth/login", "", &login);
    assert_eq!(service.disk.rows(Kind::SESSIONS).len(), 1);
    let service = service.restarted();
    assert_eq!(service.disk.rows(Kind::SESSIONS).len(), 1, "nor is the session of the refused login noted at the stop");
    assert_eq!(service.get("/2fa/status", &session).status, 200);
}
