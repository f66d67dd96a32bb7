//! Catalogues that answer every request in one wrong way.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

use crate::child::{each, suite};

/// Answers a request; an error ends the connection.
pub(crate) type Lie = fn(&mut TcpStream) -> std::io::Result<()>;

/// Name, answer, and the right exit codes: two where the outcome depends on timing.
type Liar = (&'static str, Lie, &'static [i32]);

const LIARS: &[Liar] = &[
    ("closes without an answer", |_| closed(), &[3]),
    ("sends half a head", |to| ok(to, "Content-"), &[3]),
    ("sends half a body", |to| ok(to, "Content-Length: 90\r\n\r\n{\"datos\":"), &[3]),
    (
        "sends a body longer than it says",
        |to| to.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n{}}}}}}"),
        &[1, 3],
    ),
    ("says two lengths", |to| ok(to, "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{} "), &[3]),
    ("says a length that is no number", |to| ok(to, "Content-Length: -1\r\n\r\n"), &[3]),
    ("says an enormous length", |to| ok(to, "Content-Length: 999999999999999\r\n\r\n"), &[1, 3]),
    ("says an enormous chunk", |to| ok(to, "Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n"), &[1, 3]),
    ("sends chunks without a length", |to| ok(to, "Transfer-Encoding: chunked\r\n\r\nzz\r\n"), &[3]),
    ("says a length with a sign", |to| ok(to, "Content-Length: +2\r\n\r\n{}"), &[3]),
    (
        "sends a chunk longer than it says",
        |to| ok(to, "Transfer-Encoding: chunked\r\n\r\n2\r\n{}}}\r\n0\r\n\r\n"),
        &[3],
    ),
    (
        "sends white space beyond a chunk",
        |to| ok(to, "Transfer-Encoding: chunked\r\n\r\n2\r\n{} \t\r\n0\r\n\r\n"),
        &[3],
    ),
    ("is broken", |to| json(to, "500 Internal Server Error", "{\"error\":\"x\"}"), &[1]),
    ("is broken without a body", |to| json(to, "500 Internal Server Error", ""), &[1]),
    ("takes no more requests", |to| json(to, "429 Too Many Requests", ""), &[3]),
    ("is overloaded", |to| json(to, "503 Service Unavailable", "{\"error\":\"x\"}"), &[1]),
    ("has a proxy that limits requests", |to| json(to, "503 Service Unavailable", "<h1>503</h1>"), &[3]),
    ("has a proxy that does not reach it", |to| json(to, "502 Bad Gateway", "<h1>502</h1>"), &[3]),
    ("says yes to everything", |to| fine(to, ""), &[1]),
    ("answers an empty object", |to| fine(to, "{}"), &[1]),
    ("answers an empty list", |to| fine(to, "[]"), &[1]),
    ("answers null", |to| fine(to, "null"), &[1]),
    ("answers a number", |to| fine(to, "1e999"), &[1]),
    ("answers text", |to| fine(to, "OK"), &[1]),
    ("answers a page of HTML", |to| fine(to, "<!doctype html><title>It works!</title>"), &[1]),
    ("answers bytes that are not text", |to| ok(to, b"Content-Length: 4\r\n\r\n\xff\xfe\x00\x01"), &[1]),
    ("creates everything", |to| json(to, "201 Created", "{\"id\":1}"), &[1]),
    ("knows nothing", |to| json(to, "404 Not Found", "{\"error\":\"x\"}"), &[1]),
    ("forbids everything", |to| json(to, "403 Forbidden", "{\"error\":\"x\"}"), &[1]),
    ("refuses every credential", |to| json(to, "401 Unauthorized", "{\"error\":\"x\"}"), &[2]),
    ("has nothing to say", |to| said(to, "HTTP/1.1 204 No Content\r\n\r\n"), &[1]),
    ("has changed nothing", |to| said(to, "HTTP/1.1 304 Not Modified\r\n\r\n"), &[1]),
    ("switches protocols", |to| said(to, "HTTP/1.1 101 Switching Protocols\r\n\r\n"), &[1, 3]),
    ("redirects in circles", |to| json(to, "302 Found\r\nLocation: /libros", ""), &[1]),
    ("speaks another version", |to| said(to, "HTTP/9.9 200 OK\r\n\r\n"), &[3]),
    ("speaks another protocol", |to| said(to, "SSH-2.0-OpenSSH_9.6\r\n"), &[3]),
    ("sends noise", |to| write_and_close(to, "", &[0x9d; 4096]), &[3]),
    ("speaks the version before", |to| said(to, "HTTP/1.0 200 OK\r\n\r\nhello"), &[1]),
    ("answers twice", |to| to.write_all(&b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}".repeat(2)), &[1, 3]),
    ("sends a packed bomb", |to| json(to, "200 OK\r\nContent-Encoding: gzip", &"\u{1f}".repeat(65_536)), &[1]),
    ("sends headers without end", |to| endless(to, "", b"X-More: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\r\n"), &[3]),
    ("sends interim answers without end", |to| repeated(to, b"HTTP/1.1 100 Continue\r\n\r\n"), &[3]),
    ("drips", |to| dripped(to), &[3]),
    ("never answers", |_| silent(), &[3]),
];

/// Answers of megabytes take long in a debug build: only some chapters are judged against these.
const HEAVY: &[Liar] = &[
    ("nests JSON without end", |to| fine(to, &"[".repeat(1 << 20)), &[1]),
    ("nests objects", |to| fine(to, &(r#"{"a":"#.repeat(200_000) + "1" + &"}".repeat(200_000))), &[1]),
    ("answers 8 MB of JSON", |to| fine(to, &format!("[{}1]", "1,".repeat(4 << 20))), &[1]),
    ("answers just what is read, in small values", |to| fine(to, &format!("[{}1]", "1,".repeat((1 << 20) - 8))), &[1]),
    ("answers just what is read, in one text", |to| fine(to, &format!("\"{}\"", "x".repeat((2 << 20) - 8))), &[1]),
    ("sends a body without end", |to| endless(to, "\r\n", &[b'x'; 65_536]), &[1, 3]),
    ("sends chunks without end", |to| endless(to, "Transfer-Encoding: chunked\r\n\r\n", b"8\r\nxxxxxxxx\r\n"), &[1, 3]),
];

fn closed() -> std::io::Result<()> {
    Err(std::io::ErrorKind::ConnectionAborted.into())
}

/// Closes the connection after ten minutes.
pub(crate) fn silent() -> std::io::Result<()> {
    std::thread::sleep(Duration::from_secs(600));
    closed()
}

/// Sends what follows the line `200 OK`, and closes.
fn ok(to: &mut TcpStream, rest: impl AsRef<[u8]>) -> std::io::Result<()> {
    write_and_close(to, "HTTP/1.1 200 OK\r\n", rest.as_ref())
}

fn said(to: &mut TcpStream, text: &str) -> std::io::Result<()> {
    write_and_close(to, text, b"")
}

pub(crate) fn write_and_close(to: &mut TcpStream, head: &str, body: &[u8]) -> std::io::Result<()> {
    to.write_all(head.as_bytes())?;
    to.write_all(body)?;
    closed()
}

pub(crate) fn fine(to: &mut TcpStream, body: &str) -> std::io::Result<()> {
    json(to, "200 OK", body)
}

fn json(to: &mut TcpStream, status: &str, body: &str) -> std::io::Result<()> {
    let (length, kind) = (body.len(), "application/json; charset=utf-8");
    // In one piece: the rest would wait for the acknowledgement of the first piece.
    let answer = format!("HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\r\n{body}");
    to.write_all(answer.as_bytes())
}

/// Sends what follows the line `200 OK`, and the last part again and again.
fn endless(to: &mut TcpStream, rest: &str, more: &[u8]) -> std::io::Result<()> {
    to.write_all(format!("HTTP/1.1 200 OK\r\n{rest}").as_bytes())?;
    repeated(to, more)
}

fn repeated(to: &mut TcpStream, more: &[u8]) -> std::io::Result<()> {
    let more = more.repeat(65_536 / more.len());
    loop {
        to.write_all(&more)?;
    }
}

fn dripped(to: &mut TcpStream) -> std::io::Result<()> {
    for byte in b"HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n" {
        to.write_all(&[*byte])?;
        std::thread::sleep(Duration::from_millis(500));
    }
    closed()
}

/// Reads a whole request; `None` once the connection is closed.
fn asked(from: &mut TcpStream) -> Option<String> {
    let mut asked = Vec::new();
    let mut piece = [0; 65_536];
    loop {
        let Ok(read @ 1..) = from.read(&mut piece) else { return None };
        asked.extend_from_slice(&piece[..read]);
        let text = String::from_utf8_lossy(&asked);
        if let Some((head, _)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| {
                line.to_ascii_lowercase().strip_prefix("content-length:")?.trim().parse::<usize>().ok()
            });
            if asked.len() >= head.len() + 4 + length.unwrap_or(0) {
                return Some(text.into_owned());
            }
        }
    }
}

/// Starts a liar; returns its URL.
pub(crate) fn listening(lie: Lie) -> String {
    listening_to(move |_, to| lie(to))
}

/// As [`listening`], for an answer that depends on the request.
pub(crate) fn listening_to<A>(answer: A) -> String
where
    A: Fn(&str, &mut TcpStream) -> std::io::Result<()> + Copy + Send + 'static,
{
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for mut stream in listener.incoming().map_while(Result::ok) {
            std::thread::spawn(move || {
                while let Some(asked) = asked(&mut stream)
                    && answer(&asked, &mut stream).is_ok()
                {}
            });
        }
    });
    url
}

#[test]
fn no_liar_is_green_and_none_breaks_the_suite() {
    let judged = |liars: &[Liar], chapters: &[&str]| {
        each(liars, |(name, lie, codes)| {
            suite(&[&["--url", &listening(*lie), "--timeout", "3"], chapters].concat()).complaint_about(name, codes)
        })
    };
    let wrong = [judged(LIARS, &[]), judged(HEAVY, &["paging", "headers", "login"])].concat();
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
