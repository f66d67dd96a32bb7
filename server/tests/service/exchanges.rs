//! What the transport refuses, and the control listener. What the interfaces answer is judged by the suite.

use std::io::{Read as _, Write as _};

use crate::process::Server;
use crate::wire::{KEY, connect, create, ids, read_reply, send, send_to};

#[test]
fn a_body_above_the_limit_is_refused_in_either_framing() {
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
fn control_moves_the_clock_by_a_number_of_seconds_alone() {
    let server = Server::ephemeral(&[]);
    let control = |line, body| send_to(&server, "control", line, "Content-Type: application/json\r\n", body).status;
    for refused in [r#"{"seconds":-1}"#, r#"{"seconds":"1"}"#, "{}", "[]", ""] {
        assert_eq!(control("POST /clock/advance", refused), 400, "{refused}");
    }
    assert_eq!(control("POST /clock/advance", r#"{"seconds":0.5}"#), 200);
    assert_eq!(control("GET /reset", ""), 404);
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

#[test]
fn with_64_descriptors_twenty_clients_are_served_at_once() {
    let server = Server::with_descriptors(64);
    let mut open: Vec<_> = (0..20).map(|_| connect(&server, "catalogue")).collect();
    for (number, stream) in open.iter_mut().enumerate() {
        write!(stream, "GET /libros HTTP/1.1\r\nHost: x\r\n{KEY}\r\n").expect("open");
        let mut status = [0; 15];
        stream.read_exact(&mut status).expect("answered");
        assert_eq!(status, *b"HTTP/1.1 200 OK", "client {number}");
    }
}
