//! Fuzzes both GraphQL endpoints over a connection: a query, or a whole body, is answered or refused, and never breaks
//! the service.

use std::cell::RefCell;
use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::LazyLock;
use std::thread;
use std::time::Duration;

use serde_json::json;

/// The ports of the full and the reduced form.
static PORTS: LazyLock<[u16; 2]> = LazyLock::new(|| {
    ["graphql", "graphql-reduced"].map(|form| {
        let free = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a free port").port();
        let arguments =
            [form, "--ephemeral", &format!("--{form}-addr"), &format!("127.0.0.1:{free}"), "--threads", "1"];
        let arguments = arguments.map(Into::into);
        thread::spawn(move || libros_server::run(arguments));
        while TcpStream::connect(("127.0.0.1", free)).is_err() {
            thread::sleep(Duration::from_millis(20));
        }
        free
    })
});

thread_local! {
    static CONNECTIONS: RefCell<[Option<TcpStream>; 2]> = const { RefCell::new([None, None]) };
}

/// Sends over a kept connection; returns status and body.
fn send(connection: &mut Option<TcpStream>, port: u16, body: &[u8]) -> (u16, Vec<u8>) {
    let stream = connection.get_or_insert_with(|| TcpStream::connect(("127.0.0.1", port)).expect("it listens"));
    let head = "POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length:";
    stream.write_all(&[format!("{head} {}\r\n\r\n", body.len()).as_bytes(), body].concat()).expect("sent");
    let (mut raw, mut chunk) = (Vec::new(), [0; 16 << 10]);
    loop {
        let read = match stream.read(&mut chunk) {
            // The fuzzer's timer interrupts reads.
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            read => read.expect("an answer"),
        };
        raw.extend_from_slice(&chunk[..read]);
        let text = String::from_utf8_lossy(&raw);
        if let Some((head, _)) = text.split_once("\r\n\r\n") {
            let (status, length) = (head.split(' ').nth(1), head.to_ascii_lowercase());
            let length = length.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse::<usize>().ok());
            let (start, length) = (head.len() + 4, length.unwrap_or_default());
            if raw.len() >= start + length {
                if head.to_ascii_lowercase().contains("connection: close") {
                    *connection = None;
                }
                return (status.and_then(|status| status.parse().ok()).expect("a status"), raw[start..].to_vec());
            }
        }
        assert!(read > 0, "closed within an answer");
    }
}

/// Checks one input.
pub fn check(bytes: &[u8]) {
    let Some((kind, rest)) = bytes.split_first() else { return };
    let query = || json!({ "query": String::from_utf8_lossy(rest) }).to_string().into_bytes();
    let body = if kind % 4 == 0 { rest.to_vec() } else { query() };
    CONNECTIONS.with_borrow_mut(|connections| {
        for (connection, port) in connections.iter_mut().zip(*PORTS) {
            let (status, body) = send(connection, port, &body);
            assert!(status < 500, "{status}");
            assert!(serde_json::from_slice::<serde_json::Value>(&body).is_ok(), "{}", String::from_utf8_lossy(&body));
        }
    });
}
