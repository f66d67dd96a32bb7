//! HTTP as bytes: a request written as it stands, a reply taken apart and nothing repaired.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpStream};

use serde_json::Value;

use crate::process::Server;

/// The initial admin client's key: reads, writes and deletes.
pub(crate) const KEY: &str = "X-API-Key: ak_ad3100c11e270000000000000000c0de\r\n";

#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    head: String,
    pub(crate) body: String,
}

impl Reply {
    /// The value of a header; its name in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        let mut values = lines.filter(|(known, _)| *known == name).map(|(_, value)| value);
        let value = values.next();
        assert_eq!(values.next(), None, "{name} is there twice");
        value
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {:?}", self.body))
    }
}

/// Opens a connection to an interface.
pub(crate) fn connect(server: &Server, name: &str) -> TcpStream {
    TcpStream::connect(server.address(name)).expect("it listens")
}

/// Reads everything until the other side closes, and takes it apart as one reply.
pub(crate) fn read_reply(stream: &mut TcpStream) -> Reply {
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).expect("a reply");
    let text = String::from_utf8(bytes).expect("UTF-8");
    // Who waits may be sent something only to see whether they do.
    let text = text.trim_start_matches("HTTP/1.1 100 Continue\r\n\r\n");
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no reply: {text:?}"));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    Reply { status: status.expect("a status"), head: head.to_owned(), body: body.to_owned() }
}

/// One exchange with an interface on a connection of its own; `headers` end in line ends.
pub(crate) fn send_to(server: &Server, name: &str, line: &str, headers: &str, body: &str) -> Reply {
    let mut stream = connect(server, name);
    let length = body.len();
    let request = format!(
        "{line} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {length}\r\n{headers}\r\n{body}"
    );
    stream.write_all(request.as_bytes()).expect("sent");
    // Some clients close their side at once; that is no reason not to answer.
    stream.shutdown(Shutdown::Write).expect("open until now");
    read_reply(&mut stream)
}

/// One exchange with the catalogue, with a key that may do everything with books.
pub(crate) fn send(server: &Server, line: &str, body: &str) -> Reply {
    send_to(server, "catalogue", line, KEY, body)
}

/// Creates a book of this title and returns its id.
pub(crate) fn create(server: &Server, titulo: &str) -> u64 {
    let body = format!(r#"{{"titulo":"{titulo}","autor":"x"}}"#);
    let reply = send(server, "POST /libros", &body);
    assert_eq!(reply.status, 201, "{}", reply.body);
    reply.json()["id"].as_u64().expect("an id")
}

/// The ids of the first hundred books.
pub(crate) fn ids(server: &Server) -> Vec<u64> {
    let reply = send(server, "GET /libros?limit=100", "");
    let list = reply.json();
    let books = list["datos"].as_array().expect("a list");
    books.iter().map(|book| book["id"].as_u64().expect("an id")).collect()
}
