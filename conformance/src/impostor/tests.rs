//! The impostor over real sockets: it is reset, it stops, it has the fault that is on. What it answers the cases judge.

use reqwest::blocking::{Client, RequestBuilder, Response};
use serde_json::json;

use super::*;

const KEY: &str = "ak_ad3100c11e270000000000000000c0de";

struct Walk {
    impostor: Impostor,
    client: Client,
}

fn walk(options: Options) -> Walk {
    Walk { impostor: Impostor::start(options).expect("free ports"), client: Client::new() }
}

fn send(request: RequestBuilder) -> Response {
    request.send().expect("an answer")
}

impl Walk {
    fn at(&self, method: &str, path: &str) -> RequestBuilder {
        let url = format!("{}{path}", self.impostor.urls().catalogue);
        self.client.request(method.parse().expect("a method"), url)
    }

    fn keyed(&self, method: &str, path: &str) -> RequestBuilder {
        self.at(method, path).header("x-api-key", KEY)
    }
}

#[test]
fn reset_brings_the_initial_state_back_and_drop_frees_the_address() {
    let walk = walk(Options::default());
    send(walk.keyed("DELETE", "/libros/1"));
    let reset = || walk.client.post(format!("{}/reset", walk.impostor.urls().control));
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
    assert_eq!(send(walk.keyed("GET", "/libros/1")).status(), 404);
    assert_eq!(send(reset().json(&json!({}))).status(), 204);
    assert_eq!(send(walk.keyed("GET", "/libros/1")).status(), 200);
    let addr = walk.impostor.catalogue.addr;
    drop(walk);
    assert!(std::net::TcpStream::connect(addr).is_err());
}

#[test]
fn a_fault_changes_what_it_says_and_starting_is_cheap() {
    let started = std::time::Instant::now();
    for _ in 0..50 {
        let options = Options { faults: Faults::one("create-is-200").expect("declared"), ..Options::default() };
        let walk = walk(options);
        let made = send(walk.keyed("POST", "/libros").body(r#"{"titulo":"a","autor":"b"}"#));
        assert_eq!(made.status(), 200);
    }
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
}
