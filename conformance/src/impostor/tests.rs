//! The impostor over real sockets: it is reset, and it stops. What it answers the cases judge.

use reqwest::Method;
use reqwest::blocking::{Client, RequestBuilder, Response};
use serde_json::json;

use super::*;

const KEY: &str = "ak_ad3100c11e270000000000000000c0de";

fn send(request: RequestBuilder) -> Response {
    request.send().expect("an answer")
}

#[test]
fn reset_brings_the_initial_state_back_and_drop_frees_the_address() {
    let (impostor, client) = (Impostor::start(Options::default()).expect("free ports"), Client::new());
    let keyed = |method: Method, path: &str| {
        client.request(method, format!("{}{path}", impostor.catalogue())).header("x-api-key", KEY)
    };
    send(keyed(Method::DELETE, "/libros/1"));
    let reset = || client.post(format!("{}/reset", impostor.urls()["control"]));
    for (header, value, status) in [
        ("content-type", "text/plain", 415),
        ("origin", "null", 403),
        ("host", "evil.example", 403),
        ("host", "127.0.0.1.evil.example", 403),
    ] {
        let refused = send(reset().header("content-type", "application/json").header(header, value));
        assert_eq!(refused.status(), status, "{header}: {value}");
    }
    assert_eq!(send(reset()).status(), 415);
    assert_eq!(send(keyed(Method::GET, "/libros/1")).status(), 404);
    assert_eq!(send(reset().json(&json!({}))).status(), 204);
    assert_eq!(send(keyed(Method::GET, "/libros/1")).status(), 200);
    let addr = impostor.listeners["catalogue"].addr;
    drop(impostor);
    assert!(std::net::TcpStream::connect(addr).is_err());
}
