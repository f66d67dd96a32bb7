//! The main exchanges over real sockets: each layer from bytes to bytes takes part once.

use std::io::Write as _;
use std::thread;

use serde_json::json;

use crate::process::Server;
use crate::wire::{KEY, connect, create, ids, read_reply, send, send_to};

const JSON: &str = "Content-Type: application/json\r\n";

#[test]
fn a_book_lives_from_creation_to_deletion() {
    let server = Server::ephemeral(&[]);
    let sent = r#"{"titulo":"Ñ","autor":"B","paginas":1.0}"#;
    let created = send(&server, "POST /libros", sent);
    assert_eq!((created.status, &created.json()["id"]), (201, &json!(6)));
    assert_eq!(created.header("cache-control"), Some("no-cache, no-store, must-revalidate"));
    let read = send(&server, "GET /libros/6", "");
    assert_eq!((read.status, &read.body), (200, &created.body));
    assert!(read.body.contains(r#""paginas":1,"#), "{}", read.body);
    assert_eq!(read.header("cache-control"), Some("private, max-age=60"));
    assert_eq!(read.header("content-length"), Some(read.body.len().to_string().as_str()));
    let replaced = send(&server, "PUT /libros/6", "{}");
    assert_eq!((replaced.status, replaced.json().get("titulo")), (200, None));
    let deleted = send(&server, "DELETE /libros/6", "");
    assert_eq!((deleted.status, deleted.body.as_str()), (204, ""));
    assert_eq!(deleted.header("content-length"), None);
    assert_eq!(send(&server, "GET /libros/6", "").status, 404);
    assert_eq!(ids(&server), [1, 2, 3, 4, 5]);
}

#[test]
fn a_list_has_its_page_and_turns_into_304() {
    let server = Server::ephemeral(&[]);
    let list = send(&server, "GET /libros?limit=2&page=2", "");
    assert_eq!(
        list.json()["metadata"],
        json!({ "paginacion": { "page": 2, "limit": 2, "total": 5, "pages": 3, "hasNext": true, "hasPrev": true } })
    );
    assert_eq!(list.header("x-total-count"), Some("5"));
    let etag = list.header("etag").expect("an ETag");
    let headers = format!("{KEY}If-None-Match: {etag}\r\n");
    let again = send_to(&server, "catalogue", "GET /libros?limit=2&page=2", &headers, "");
    assert_eq!((again.status, again.body.as_str()), (304, ""));
    assert_eq!(again.header("content-type"), None);
}

#[test]
fn refusals_come_in_the_order_of_the_contract() {
    let server = Server::ephemeral(&[]);
    let bare = |line| send_to(&server, "catalogue", line, "", "").status;
    assert_eq!(bare("GET /nowhere"), 404);
    assert_eq!(bare("PATCH /libros"), 405);
    assert_eq!(bare("HEAD /libros"), 405);
    assert_eq!(bare("PUT /libros"), 401);
    assert_eq!(bare("OPTIONS *"), 200);
    assert_eq!(bare("GET http://other.example/nowhere"), 404);
    assert_eq!(send(&server, "PUT /libros", "{").status, 400);
    assert_eq!(send(&server, "PUT /libros/99", "{").status, 404);
    assert_eq!(send(&server, "PUT /libros/5", "{").status, 400);
    assert_eq!(send(&server, "POST /libros", "\u{feff}{}").status, 400);
    assert_eq!(send(&server, "GET http://other.example/libros/5", "").status, 200);
}

#[test]
fn a_label_comes_back_byte_for_byte() {
    let server = Server::ephemeral(&["--build", "testing"]);
    let headers = "X-API-Version: v 2, \u{e9}\r\nX-API-Version: 3\r\n";
    let reply = send_to(&server, "catalogue", "OPTIONS /libros", headers, "");
    assert_eq!(reply.header("x-api-version"), Some("v 2, \u{e9}, 3"));
    assert_eq!(reply.header("x-api-build"), Some("testing"));
    assert_eq!(reply.header("transfer-encoding"), Some("chunked"));
    assert_eq!(reply.header("content-type"), None);
}

#[test]
fn a_body_above_the_limit_is_refused_whatever_its_framing() {
    let server = Server::ephemeral(&["--max-body", "100"]);
    let large = format!(r#"{{"titulo":"{}","autor":"b"}}"#, "x".repeat(100));
    let refused = send(&server, "POST /libros", &large);
    assert_eq!(refused.status, 413);
    assert_eq!(refused.header("connection"), Some("close"));
    assert!(refused.json()["error"].is_string());
    let mut stream = connect(&server, "catalogue");
    let half = "32\r\n".to_owned() + &"x".repeat(0x32) + "\r\n";
    let request =
        format!("POST /libros HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n{half}{half}{half}0\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("sent");
    assert_eq!(read_reply(&mut stream).status, 413);
}

#[test]
fn requests_sent_at_once_are_answered_in_order_on_one_connection() {
    let server = Server::ephemeral(&[]);
    let mut stream = connect(&server, "catalogue");
    let mut requests = String::new();
    for id in [1, 2, 3] {
        requests += &format!("GET /libros/{id} HTTP/1.1\r\nHost: x\r\n{KEY}\r\n");
    }
    requests += "GET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    stream.write_all(requests.as_bytes()).expect("sent");
    // The first reply is taken apart; the others are its "body".
    let replies = read_reply(&mut stream);
    let places: Vec<_> =
        ["\"id\":1,", "\"id\":2,", "\"id\":3,", "Route not found"].iter().map(|text| replies.body.find(text)).collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{places:?}");
}

#[test]
fn a_malformed_request_is_answered_and_so_is_the_one_before_it() {
    let server = Server::ephemeral(&[]);
    for malformed in [
        "GET /libros HTTP/1.1\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
        "GET /libros?q=<> HTTP/1.1\r\n\r\n",
        "no request at all\r\n\r\n",
    ] {
        let mut stream = connect(&server, "catalogue");
        let both = "GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n".to_owned() + malformed;
        stream.write_all(both.as_bytes()).expect("sent");
        let replies = read_reply(&mut stream);
        assert_eq!(replies.status, 404);
        assert!(replies.body.contains("HTTP/1.1 400 "), "{malformed}: {}", replies.body);
    }
}

#[test]
fn books_created_at_the_same_time_have_ids_of_their_own() {
    let server = Server::ephemeral(&[]);
    thread::scope(|scope| {
        for client in 0..8 {
            let server = &server;
            scope.spawn(move || {
                for number in 0..5 {
                    create(server, &format!("{client}-{number}"));
                }
            });
        }
    });
    let expected: Vec<u64> = (1..=45).collect();
    assert_eq!(ids(&server), expected);
}

#[test]
fn every_interface_says_where_it_is_and_answers_there() {
    let server = Server::ephemeral(&[]);
    assert_eq!(send_to(&server, "users", "GET /users", "", "").status, 200);
    assert_eq!(server.url("users"), server.url("registration"));
    assert_eq!(server.url("users"), server.url("blog"));
    for name in ["graphql", "graphql_reduced"] {
        assert!(server.url(name).ends_with("/graphql"));
        let query = r#"{"query":"{ users { id } }"}"#;
        let reply = send_to(&server, name, "POST /graphql", JSON, query);
        assert_eq!(reply.status, 200, "{name}: {}", reply.body);
    }
}

#[test]
fn control_moves_the_clock_and_brings_the_initial_state_back() {
    let server = Server::ephemeral(&[]);
    let control = |line, body| send_to(&server, "control", line, JSON, body);
    create(&server, "gone");
    send(&server, "DELETE /libros/1", "");
    let now = |reply: crate::wire::Reply| reply.json()["now"].as_str().expect("a text").to_owned();
    let before = now(control("GET /clock", ""));
    let ahead = now(control("POST /clock/advance", r#"{"seconds":86400.5}"#));
    assert!(ahead[..10] > before[..10], "{before} {ahead}");
    for refused in [r#"{"seconds":-1}"#, r#"{"seconds":"1"}"#, "{}", "[]", ""] {
        assert_eq!(control("POST /clock/advance", refused).status, 400, "{refused}");
    }
    let reset = control("POST /reset", "");
    assert_eq!((reset.status, reset.body.as_str()), (204, ""));
    assert_eq!(ids(&server), [1, 2, 3, 4, 5]);
    assert_eq!(now(control("GET /clock", ""))[..10], before[..10]);
    assert_eq!(control("GET /reset", "").status, 404);
}

#[test]
fn control_obeys_no_web_page() {
    let server = Server::ephemeral(&[]);
    let asked = |line: &str, headers: &str| {
        let mut stream = connect(&server, "control");
        write!(stream, "{line} HTTP/1.1\r\nConnection: close\r\n{headers}\r\n").expect("sent");
        read_reply(&mut stream).status
    };
    let kept = create(&server, "kept");
    for (line, headers, status) in [
        ("POST /reset", "Host: localhost\r\nContent-Type: text/plain\r\nOrigin: https://evil.example\r\n", 403),
        ("POST /reset", "Host: localhost\r\nContent-Type: application/json\r\nOrigin: null\r\n", 403),
        ("GET /clock", "Host: localhost\r\nOrigin: http://localhost\r\n", 403),
        ("OPTIONS /reset", "Host: localhost\r\nOrigin: https://evil.example\r\n", 403),
        ("POST /reset", "Host: evil.example\r\nContent-Type: application/json\r\n", 403),
        ("POST /reset", "Host: 127.0.0.1.evil.example\r\nContent-Type: application/json\r\n", 403),
        ("POST /reset", "Host: localhost\r\nHost: evil.example\r\nContent-Type: application/json\r\n", 403),
        ("POST http://evil.example/reset", "Host: localhost\r\nContent-Type: application/json\r\n", 403),
        ("GET /clock", "Host: evil.example:3900\r\n", 403),
        ("GET /clock", "Host: 0.0.0.0\r\n", 403),
        ("GET /clock", "Host: \r\n", 403),
        ("GET /clock", "", 403),
        ("POST /reset", "Host: localhost\r\n", 415),
        ("POST /reset", "Host: localhost\r\nContent-Type: text/plain; application/json\r\n", 415),
        ("POST /reset", "Host: localhost\r\nContent-Type: application/json-patch\r\n", 415),
        ("POST /clock/advance", "Host: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n", 415),
    ] {
        assert_eq!(asked(line, headers), status, "{line}\n{headers}");
    }
    assert!(ids(&server).contains(&kept));
    for host in ["LOCALHOST", "localhost:1", "127.0.0.1:3900", "127.9.9.9", "[::1]", "[::1]:3900"] {
        assert_eq!(asked("GET /clock", &format!("Host: {host}\r\n")), 200, "{host}");
    }
    assert_eq!(asked("POST /reset", "Host: localhost\r\nContent-Type: Application/JSON ;charset=utf-8\r\n"), 204);
}
