//! What a client meets when something breaks that no request can break: a disk that refuses, a handler that panics.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::num::NonZeroUsize;
use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use libros_server::catalogue::Catalogue;
use libros_server::message::{Answer, Client, Interface, Refusal, Reply, Request};
use libros_server::transport::{Limits, Transport, block_on};
use libros_server_store::Loaded;
use libros_server_system::clock::Clock;
use serde_json::Value;

use crate::disk::{self, Disk, Mode, SECRET};

fn catalogue(disk: &Disk) -> Catalogue {
    disk::catalogue(disk, Loaded::default(), Clock::new(), [SECRET, ""])
}

fn request(method: Method, path: &str, headers: &[(&'static str, &'static str)], body: &str) -> Arc<Request> {
    let headers = headers.iter().map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)));
    Arc::new(Request {
        method,
        uri: path.parse().expect("a target"),
        headers: HeaderMap::from_iter(headers),
        body: Bytes::from(body.to_owned()),
        peer: IpAddr::V4(Ipv4Addr::LOCALHOST),
        client: Client::default(),
    })
}

const KEY: (&str, &str) = ("x-api-key", "ak_ad3100c11e270000000000000000c0de");
const BOOK: &str = r#"{"titulo":"a","autor":"b"}"#;

fn threads() -> NonZeroUsize {
    NonZeroUsize::MIN
}

fn error(reply: &Reply) -> Value {
    let body: Value = serde_json::from_slice(&reply.body).expect("JSON");
    body["error"].clone()
}

#[test]
fn a_write_that_cannot_be_stored_is_500_and_leaves_nothing_behind() {
    let disk = Disk::default();
    let catalogue = catalogue(&disk);
    let asked = [KEY, ("x-request-id", "mine"), ("x-api-version", "9")];
    let create = request(Method::POST, "/libros", &asked, BOOK);
    let read = request(Method::GET, "/libros/6", &[KEY], "");
    let answered = async {
        disk.set(Mode::Full);
        let failed = catalogue.answer(&create).await;
        let unseen = catalogue.answer(&read).await;
        disk.set(Mode::Working);
        let stored = catalogue.answer(&create).await;
        (failed, unseen, stored)
    };
    let (failed, unseen, stored) = block_on(threads(), answered).expect("a runtime");
    assert_eq!(failed.status, StatusCode::INTERNAL_SERVER_ERROR);
    assert_eq!(failed.headers["x-api-version"], "9");
    assert_eq!(failed.headers["cache-control"], "no-cache, no-store, must-revalidate");
    let error = error(&failed);
    assert_eq!(error["codigo"], "INTERNAL_ERROR");
    assert_eq!(error["requestId"], "mine");
    let names: Vec<&String> = error.as_object().expect("an object").keys().collect();
    assert_eq!(names, ["codigo", "mensaje", "detalles", "timestamp", "requestId"]);
    assert_eq!(unseen.status, StatusCode::NOT_FOUND);
    // The failed create has not used up an id.
    assert_eq!(stored.status, StatusCode::CREATED);
    let stored: Value = serde_json::from_slice(&stored.body).expect("JSON");
    assert_eq!(stored["id"], 6);
}

#[test]
fn a_panic_in_a_handler_has_the_code_of_its_place_and_a_request_id() {
    let catalogue = catalogue(&Disk::default());
    for (path, codigo) in [
        ("/libros/1", "INTERNAL_ERROR"),
        ("/auth/login", "INTERNAL_SERVER_ERROR"),
        ("/nowhere", "INTERNAL_SERVER_ERROR"),
    ] {
        let reply = catalogue.refuse(Refusal::Crashed, &request(Method::GET, path, &[], ""));
        assert_eq!(reply.status, StatusCode::INTERNAL_SERVER_ERROR);
        let error = error(&reply);
        assert_eq!(error["codigo"], codigo, "{path}");
        let id = error["requestId"].as_str().expect("a text");
        let parts: Vec<&str> = id.split('_').collect();
        assert_eq!((parts.len(), parts[0]), (3, "req"), "{id}");
        assert!(parts[1].parse::<u64>().is_ok() && !parts[2].is_empty(), "{id}");
    }
}

/// Panics on two paths.
struct Fragile;

impl Interface for Fragile {
    fn answer(&self, request: &Arc<Request>) -> Answer<'_> {
        assert_ne!(request.path(), "/panic-at-once", "on purpose");
        let is_bad = request.path() == "/panic";
        Answer::After(Box::pin(async move {
            assert!(!is_bad, "on purpose");
            reply(StatusCode::OK)
        }))
    }

    fn refuse(&self, refusal: Refusal, _request: &Request) -> Reply {
        assert_eq!(refusal, Refusal::Crashed);
        reply(StatusCode::INTERNAL_SERVER_ERROR)
    }
}

fn reply(status: StatusCode) -> Reply {
    Reply { status, headers: HeaderMap::new(), body: Bytes::from_static(b"{}") }
}

#[test]
fn a_connection_survives_a_panic() {
    let exchange = async {
        let transport = Transport::new(Limits::default());
        let anywhere = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let address = transport.open(anywhere, Arc::new(Fragile)).await.expect("it listens");
        tokio::task::spawn_blocking(move || statuses(address)).await.expect("no panic here")
    };
    assert_eq!(block_on(threads(), exchange).expect("a runtime"), ["500", "500", "200"]);
}

/// The statuses of two requests that panic and one that does not, on one connection.
fn statuses(address: SocketAddr) -> Vec<String> {
    use std::io::{Read as _, Write as _};
    let mut stream = std::net::TcpStream::connect(address).expect("it listens");
    let requests = "GET /panic HTTP/1.1\r\nHost: x\r\n\r\nGET /panic-at-once HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    stream.write_all(requests.as_bytes()).expect("sent");
    let mut replies = String::new();
    stream.read_to_string(&mut replies).expect("replies");
    let heads = replies.split("HTTP/1.1 ").skip(1);
    heads.map(|head| head[..3].to_owned()).collect()
}
