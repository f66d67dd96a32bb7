//! HTTP/1.1 over a socket, byte for byte.
//!
//! Keeps header case, order and repeats; follows no redirect, decodes nothing but chunks, repairs nothing. A
//! general-purpose client hides the very differences that a conformance suite must see.

use std::io::{self, Read as _, Write as _};
use std::mem;
use std::time::{Duration, Instant};

use crate::clock;
use crate::http::exchange::{Received, Sent, is_left_out};
use crate::http::stream::{self, Stream};
use crate::implementation::profile::Address;

/// More than any documented answer needs; every case under way may hold one. A case may set another limit.
pub const BODY_BYTES_MAX: usize = 2 << 20;
/// Buffer capacity kept for the next answer.
const BUFFER_BYTES_KEPT: usize = 64 << 10;
const HEAD_BYTES_MAX: usize = 64 << 10;
const HEADER_LINES_MAX: usize = 128;

#[derive(Debug)]
pub struct Connection {
    stream: Box<dyn Stream>,
    /// `host:port`
    pub(super) authority: String,
    buffer: Vec<u8>,
    deadline: Instant,
    pub(super) body_bytes_max: usize,
}

impl Connection {
    /// Fails on an error of the operating system, a timeout, or a certificate that is not trusted.
    pub fn open(address: &Address, timeout: Duration) -> io::Result<Self> {
        let (authority, buffer) = (address.authority.clone(), Vec::new());
        let (stream, deadline) = (stream::open(address, timeout)?, clock::stopwatch() + timeout);
        Ok(Self { stream, authority, buffer, deadline, body_bytes_max: BODY_BYTES_MAX })
    }

    /// Whether the connection is open and silent, so that another request may use it.
    pub fn is_idle(&self) -> bool {
        let socket = self.stream.socket();
        if !self.buffer.is_empty() || socket.set_nonblocking(true).is_err() {
            return false;
        }
        let silent = matches!(socket.peek(&mut [0]), Err(error) if error.kind() == io::ErrorKind::WouldBlock);
        silent && socket.set_nonblocking(false).is_ok()
    }

    /// Sends one request and reads its answer; `true` if the connection can be used again.
    /// Errors: the connection broke, the deadline passed, or the answer is not HTTP/1.
    pub fn exchange(&mut self, sent: &Sent, timeout: Duration) -> io::Result<(Received, bool)> {
        self.deadline = clock::stopwatch() + timeout;
        self.send_bytes(&request_bytes(sent))?;
        let (received, may_stay) = self.receive(&sent.method)?;
        self.buffer.shrink_to(BUFFER_BYTES_KEPT);
        let is_last = sent.values("connection").iter().any(|value| value.eq_ignore_ascii_case(b"close"));
        Ok((received, may_stay && !is_last))
    }

    /// Sends the body in two pieces, the first of `first` bytes; calls `between` after it, and then starts the timeout again.
    /// Errors: as for [`Self::exchange`].
    pub fn exchange_in_pieces(
        &mut self,
        sent: &Sent,
        first: usize,
        timeout: Duration,
        between: impl FnOnce(),
    ) -> io::Result<Received> {
        let bytes = request_bytes(sent);
        let rest_bytes = sent.body.as_ref().map_or(0, Vec::len).saturating_sub(first);
        let (begun, rest) = bytes.split_at(bytes.len() - rest_bytes);
        self.deadline = clock::stopwatch() + timeout;
        self.send_bytes(begun)?;
        between();
        self.deadline = clock::stopwatch() + timeout;
        self.send_bytes(rest)?;
        self.receive(&sent.method).map(|(received, _)| received)
    }

    /// Sends raw bytes, for requests that no well-behaved client sends. Errors: the connection broke.
    pub fn send_bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.socket().set_write_timeout(Some(self.time_left()?))?;
        self.stream.write_all(bytes)
    }

    pub fn set_deadline_in(&mut self, time: Duration) {
        self.deadline = clock::stopwatch() + time;
    }

    /// Reads the answer to a request with this method. Errors: as for [`Self::exchange`].
    pub fn receive(&mut self, method: &str) -> io::Result<(Received, bool)> {
        loop {
            let head = self.head()?;
            // Interim answers (100, 103) come before the real one.
            if (100..200).contains(&head.status) && head.status != 101 {
                continue;
            }
            return self.body(head, method);
        }
    }

    /// The bytes that follow the last answer until the connection closes or `within` has passed. There are none if the
    /// answer was framed correctly and the request asked to close the connection.
    pub fn remaining(&mut self, within: Duration) -> Vec<u8> {
        self.deadline = clock::stopwatch() + within;
        while self.buffer.len() <= HEAD_BYTES_MAX && self.fill().unwrap_or(false) {}
        mem::take(&mut self.buffer)
    }

    fn time_left(&self) -> io::Result<Duration> {
        let left = self.deadline.saturating_duration_since(clock::stopwatch());
        if left.is_zero() { Err(too_late()) } else { Ok(left) }
    }

    /// Reads more bytes into the buffer; `false` at the end of the stream.
    fn fill(&mut self) -> io::Result<bool> {
        self.stream.socket().set_read_timeout(Some(self.time_left()?))?;
        let mut chunk = [0; 16 << 10];
        match self.stream.read(&mut chunk) {
            Ok(read) => {
                self.buffer.extend_from_slice(&chunk[..read]);
                Ok(read > 0)
            }
            // A signal interrupted the read, as after Ctrl-Z and `fg`.
            Err(error) if error.kind() == io::ErrorKind::Interrupted => self.fill(),
            // Many servers close without the closing message of TLS; the framing of the answer shows whether it was cut short.
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                Err(too_late())
            }
            Err(error) => Err(error),
        }
    }

    fn fill_or_fail(&mut self, what: &str) -> io::Result<()> {
        let how = match self.fill() {
            Ok(true) => return Ok(()),
            Ok(false) => "closed",
            // Of its own kind, since a request that was answered in part is not sent again.
            Err(error) if error.kind() == io::ErrorKind::ConnectionReset => "reset",
            Err(error) => return Err(error),
        };
        Err(io::Error::new(io::ErrorKind::UnexpectedEof, format!("the connection was {how} {what}")))
    }

    fn head(&mut self) -> io::Result<Received> {
        loop {
            let mut lines = [httparse::EMPTY_HEADER; HEADER_LINES_MAX];
            let mut response = httparse::Response::new(&mut lines);
            let parsed =
                response.parse(&self.buffer).map_err(|error| invalid(&format!("not an HTTP answer: {error}")))?;
            if let httparse::Status::Complete(length) = parsed {
                let headers = response.headers.iter().map(|line| (line.name.to_owned(), line.value.to_vec())).collect();
                let status = response.code.unwrap_or_default();
                self.buffer.drain(..length);
                return Ok(Received::new(status, headers, Vec::new(), false));
            }
            if self.buffer.len() > HEAD_BYTES_MAX {
                return Err(invalid("the head of the answer does not end"));
            }
            if !self.buffer.is_empty() {
                self.fill_or_fail("within the head of the answer")?;
            } else if !self.fill()? {
                // No byte arrived, so this is no answer cut short.
                return Err(io::Error::new(
                    io::ErrorKind::ConnectionAborted,
                    "the connection was closed without an answer",
                ));
            }
        }
    }

    fn body(&mut self, mut received: Received, method: &str) -> io::Result<(Received, bool)> {
        let says =
            |name: &str, word: &str| received.header(name).is_some_and(|v| v.to_ascii_lowercase().contains(word));
        let may_stay = !says("connection", "close");
        if method == "HEAD" || matches!(received.status, 204 | 304) {
            return Ok((received, may_stay));
        }
        if self.buffer.is_empty() {
            self.stream.acknowledge();
        }
        if says("transfer-encoding", "chunked") {
            received.is_chunked = true;
            received.body = self.chunks()?;
            return Ok((received, may_stay));
        }
        let lengths = received.values("content-length");
        if let Some(length) = lengths.first() {
            if lengths.iter().any(|other| other != length) {
                return Err(invalid("two different Content-Length headers"));
            }
            let length = size(length.trim(), 10).ok_or_else(|| invalid("Content-Length is not a number"))?;
            received.body = self.exactly(length)?;
            return Ok((received, may_stay));
        }
        while self.fill()? {
            self.check_length(self.buffer.len())?;
        }
        received.body = mem::take(&mut self.buffer);
        Ok((received, false))
    }

    /// Fails with its own kind of error: an answer that is too long is an answer.
    fn check_length(&self, body_bytes: usize) -> io::Result<()> {
        if body_bytes <= self.body_bytes_max {
            return Ok(());
        }
        let mebibytes = self.body_bytes_max >> 20;
        let what = format!("the body is longer than {mebibytes} MiB, the most that a case reads of an answer");
        Err(io::Error::new(io::ErrorKind::FileTooLarge, what))
    }

    fn exactly(&mut self, length: usize) -> io::Result<Vec<u8>> {
        self.check_length(length)?;
        // Doubling would take twice the memory of a long body, for each request under way.
        self.buffer.reserve_exact(length.saturating_sub(self.buffer.len()));
        while self.buffer.len() < length {
            self.fill_or_fail("within the body")?;
        }
        let rest = self.buffer.split_off(length);
        Ok(mem::replace(&mut self.buffer, rest))
    }

    fn chunks(&mut self) -> io::Result<Vec<u8>> {
        let mut body = Vec::new();
        // Position in the buffer. Consumed bytes are dropped only now and then, because dropping moves the rest.
        let mut at = 0;
        loop {
            let line = self.line(&mut at)?;
            let digits = line.split(';').next().unwrap_or_default().trim();
            let length = size(digits, 16).ok_or_else(|| invalid("a chunk has no length"))?;
            if length == 0 {
                while !self.line(&mut at)?.is_empty() {
                    self.buffer.drain(..mem::take(&mut at));
                }
                self.buffer.drain(..at);
                return Ok(body);
            }
            self.check_length(body.len().saturating_add(length))?;
            while self.buffer.len() < at + length {
                self.fill_or_fail("within a chunk")?;
            }
            body.extend_from_slice(&self.buffer[at..at + length]);
            at += length;
            if !self.line(&mut at)?.is_empty() {
                return Err(invalid("a chunk is longer than it says"));
            }
            if at > HEAD_BYTES_MAX {
                self.buffer.drain(..mem::take(&mut at));
            }
        }
    }

    /// The line that begins at `at`, which moves past it.
    fn line(&mut self, at: &mut usize) -> io::Result<String> {
        loop {
            if let Some(length) = self.buffer[*at..].iter().position(|&byte| byte == b'\n') {
                let line = &self.buffer[*at..*at + length];
                let line = String::from_utf8_lossy(line.strip_suffix(b"\r").unwrap_or(line)).into_owned();
                *at += length + 1;
                return Ok(line);
            }
            if self.buffer.len() - *at > HEAD_BYTES_MAX {
                return Err(invalid("a line of the body's framing does not end"));
            }
            self.fill_or_fail("within the body's framing")?;
        }
    }
}

/// A number of bytes; no sign goes before its digits.
fn size(digits: &str, radix: u32) -> Option<usize> {
    usize::from_str_radix(digits, radix).ok().filter(|_| !digits.starts_with('+'))
}

fn too_late() -> io::Error {
    io::Error::new(io::ErrorKind::TimedOut, "no whole answer in time")
}

pub fn invalid(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// The bytes of the request; adds `Host`, `User-Agent` and `Content-Length` unless they are given.
pub fn request_bytes(sent: &Sent) -> Vec<u8> {
    let given = |name: &str| !sent.values(name).is_empty();
    let mut bytes = format!("{} {} HTTP/1.1\r\n", sent.method, sent.path).into_bytes();
    if !given("host") {
        bytes.extend(format!("Host: {}\r\n", sent.address.authority).bytes());
    }
    for (name, value) in sent.address.headers.iter().filter(|(name, _)| !given(name)) {
        bytes.extend(format!("{name}: {value}\r\n").bytes());
    }
    // As browsers and client libraries do: an implementation may derive a device from it at login.
    if !given("user-agent") && !sent.address.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("user-agent")) {
        bytes.extend(b"User-Agent: libros-conformance\r\n");
    }
    for (name, value) in sent.headers.iter().filter(|(name, value)| !is_left_out(name, value)) {
        bytes.extend(name.bytes());
        bytes.extend(b": ");
        bytes.extend(value);
        bytes.extend(b"\r\n");
    }
    // Browsers and client libraries send a length of 0 with a method that may have a body.
    let wants_length = sent.body.is_some() || matches!(sent.method.as_str(), "POST" | "PUT" | "PATCH");
    if wants_length && !given("content-length") && !given("transfer-encoding") {
        bytes.extend(format!("Content-Length: {}\r\n", sent.body.as_ref().map_or(0, Vec::len)).bytes());
    }
    bytes.extend(b"\r\n");
    bytes.extend(sent.body.as_deref().unwrap_or_default());
    bytes
}
