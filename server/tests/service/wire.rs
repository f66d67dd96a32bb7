//! HTTP as bytes: sends requests as given, and parses replies without repairing them.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpStream};

use serde_json::Value;

use crate::process::Server;

/// The initial admin client's key: reads, writes and deletes.
pub(crate) const KEY: &str = "X-API-Key: ak_ad3100c11e270000000000000000c0de\r\n";

pub(crate) const PASSWORD: &str = "Long-and-mixed-1";

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

    pub(crate) fn expect(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.body);
        if self.body.is_empty() { Value::Null } else { self.json() }
    }

    fn parse(text: &str) -> Option<Self> {
        // The server may send something only to test whether the client is there.
        let text = text.trim_start_matches("HTTP/1.1 100 Continue\r\n\r\n");
        let (head, body) = text.split_once("\r\n\r\n")?;
        let status = head.split(' ').nth(1)?.parse().ok()?;
        Some(Self { status, head: head.to_owned(), body: body.to_owned() })
    }

    fn is_whole(&self) -> bool {
        self.header("content-length").is_none_or(|length| length.parse() == Ok(self.body.len()))
    }
}

pub(crate) fn connect(server: &Server, name: &str) -> TcpStream {
    TcpStream::connect(server.address(name)).expect("it listens")
}

/// Reads everything until the other side closes, and takes it apart as one reply.
pub(crate) fn read_reply(stream: &mut TcpStream) -> Reply {
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).expect("a reply");
    let text = String::from_utf8(bytes).expect("UTF-8");
    Reply::parse(&text).unwrap_or_else(|| panic!("no reply: {text:?}"))
}

#[derive(Clone, Copy)]
pub(crate) struct Address(pub(crate) SocketAddr);

pub(crate) enum Received {
    Nothing,
    CutShort(String),
    Whole(Reply),
}

impl Address {
    /// One exchange on a connection of its own; `headers` end in line ends.
    pub(crate) fn exchange(&self, line: &str, headers: &str, body: &str) -> Received {
        let length = body.len();
        let head = format!(
            "{line} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {length}\r\n{headers}\r\n"
        );
        let Ok(mut stream) = TcpStream::connect(self.0) else { return Received::Nothing };
        // Some clients close their side at once and still want the answer.
        if stream.write_all((head + body).as_bytes()).is_err() || stream.shutdown(Shutdown::Write).is_err() {
            return Received::Nothing;
        }
        let mut raw = Vec::new();
        let is_ended = stream.read_to_end(&mut raw).is_ok();
        let text = String::from_utf8_lossy(&raw);
        match Reply::parse(&text).filter(|reply| is_ended && reply.is_whole()) {
            Some(reply) => Received::Whole(reply),
            None if raw.is_empty() => Received::Nothing,
            None => Received::CutShort(text.into_owned()),
        }
    }

    /// One exchange; `None` when the server is gone before its reply is there whole.
    pub(crate) fn ask(&self, line: &str, headers: &str, body: &str) -> Option<Reply> {
        match self.exchange(line, headers, body) {
            Received::Whole(reply) => Some(reply),
            Received::Nothing | Received::CutShort(_) => None,
        }
    }

    /// One exchange with a server that is not killed.
    pub(crate) fn must(&self, line: &str, headers: &str, body: &str) -> Reply {
        self.ask(line, headers, body).unwrap_or_else(|| panic!("{line} got no answer"))
    }

    /// Logs a user in with [`PASSWORD`]; returns the answer.
    pub(crate) fn log_in(&self, email: &str) -> Value {
        let body = format!(r#"{{"email":"{email}","password":"{PASSWORD}"}}"#);
        self.must("POST /auth/login", "", &body).expect(200)
    }

    /// The session token of a user without a second factor.
    pub(crate) fn login(&self, email: &str) -> String {
        let reply = self.log_in(email);
        reply["tokens"]["sessionToken"].as_str().unwrap_or_else(|| panic!("{reply}")).to_owned()
    }

    /// Registers a user; returns the headers of a session.
    pub(crate) fn register(&self, email: &str, role: &str) -> String {
        let body = format!(r#"{{"email":"{email}","password":"{PASSWORD}","role":"{role}"}}"#);
        self.must("POST /auth/registro", "", &body).expect(201);
        format!("Authorization: Bearer {}\r\n", self.login(email))
    }
}

pub(crate) fn send_to(server: &Server, name: &str, line: &str, headers: &str, body: &str) -> Reply {
    Address(server.address(name)).must(line, headers, body)
}

/// One exchange with the catalogue, with a key that may do everything with books.
pub(crate) fn send(server: &Server, line: &str, body: &str) -> Reply {
    send_to(server, "catalogue", line, KEY, body)
}

pub(crate) fn create(server: &Server, titulo: &str) -> u64 {
    let body = format!(r#"{{"titulo":"{titulo}","autor":"x"}}"#);
    send(server, "POST /libros", &body).expect(201)["id"].as_u64().expect("an id")
}

/// The ids of the first hundred books.
pub(crate) fn ids(server: &Server) -> Vec<u64> {
    let list = send(server, "GET /libros?limit=100", "").expect(200);
    let books = list["datos"].as_array().expect("a list");
    books.iter().map(|book| book["id"].as_u64().expect("an id")).collect()
}
