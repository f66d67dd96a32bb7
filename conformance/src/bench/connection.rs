//! A connection of a load: sends and receives without blocking. [`crate::http::connection`] is the one that judges.
//!
//! Allocates its buffer once: a request costs a write and a read.

use std::io::{self, ErrorKind, Read as _, Write as _};
use std::net::SocketAddr;

use mio::net::TcpStream;
use mio::{Interest, Registry, Token};

use crate::bench::answer::Answer;
use crate::http::connection::invalid;

const READ_BYTES: usize = 16 << 10;
const ANSWER_BYTES_MAX: usize = 4 << 20;

pub(super) struct Connection {
    stream: TcpStream,
    written: usize,
    received: Vec<u8>,
    received_bytes: usize,
}

/// The first address of `host:port` that accepts a connection.
pub(super) fn place(authority: &str) -> io::Result<SocketAddr> {
    std::net::TcpStream::connect(authority)?.peer_addr()
}

impl Connection {
    /// Begins to connect; `token` names its events.
    pub(super) fn open(place: SocketAddr, registry: &Registry, token: Token) -> io::Result<Self> {
        let mut stream = TcpStream::connect(place)?;
        registry.register(&mut stream, token, Interest::READABLE | Interest::WRITABLE)?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, written: 0, received: vec![0; READ_BYTES], received_bytes: 0 })
    }

    pub(super) fn send(&mut self, request: &[u8]) -> io::Result<()> {
        (self.written, self.received_bytes) = (0, 0);
        self.write(request)
    }

    /// Continues sending the request and receiving its answer; returns a complete answer.
    pub(super) fn advance(&mut self, request: &[u8], is_closed: bool, wants_body: bool) -> io::Result<Option<Answer>> {
        self.write(request)?;
        loop {
            let room = self.room()?;
            let read = match self.stream.read(&mut self.received[self.received_bytes..]) {
                Ok(read) => read,
                Err(error) if waits(&error) => return Ok(None),
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            self.received_bytes += read;
            if let Some(mut answer) = Answer::parse(&self.received[..self.received_bytes], read == 0, wants_body)? {
                answer.may_stay &= !is_closed;
                return Ok(Some(answer));
            }
            if read == 0 {
                return Err(io::Error::new(ErrorKind::UnexpectedEof, "the connection was closed"));
            }
            // No more bytes yet. Only the end of the stream is not announced twice.
            if read < room && !is_closed {
                return Ok(None);
            }
        }
    }

    fn write(&mut self, request: &[u8]) -> io::Result<()> {
        while self.written < request.len() {
            match self.stream.write(&request[self.written..]) {
                Ok(0) => return Err(ErrorKind::WriteZero.into()),
                Ok(written) => self.written += written,
                Err(error) if waits(&error) => return Ok(()),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Free bytes of the buffer; doubles a full one.
    fn room(&mut self) -> io::Result<usize> {
        if self.received_bytes == self.received.len() {
            if self.received.len() >= ANSWER_BYTES_MAX {
                return Err(invalid("an answer longer than 4 MiB"));
            }
            self.received.resize(self.received.len() * 2, 0);
        }
        Ok(self.received.len() - self.received_bytes)
    }
}

/// Whether to try again later; some systems report `NotConnected` while a connection opens.
fn waits(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::NotConnected)
}
