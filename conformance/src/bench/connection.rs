//! A connection of a load: sends and receives as far as it can without waiting. For judging there is [`crate::http::connection`].
//!
//! Its buffer is made once: a request costs a write and a read, and nothing is made anew.

use std::borrow::Cow;
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::net::{SocketAddr, ToSocketAddrs as _};

use mio::net::TcpStream;
use mio::{Interest, Registry, Token};

use crate::bench::answer::{Head, invalid};

const READ_BYTES: usize = 16 << 10;
const ANSWER_BYTES_MAX: usize = 4 << 20;

/// An open connection, or one that is being opened.
pub(super) struct Connection {
    stream: TcpStream,
    written: usize,
    received: Vec<u8>,
    received_bytes: usize,
    head: Option<Head>,
}

/// The place behind `host:port`: of several the first that takes a connection.
pub(super) fn place(authority: &str) -> io::Result<SocketAddr> {
    if let Ok(address) = std::net::TcpStream::connect(authority).and_then(|stream| stream.peer_addr()) {
        return Ok(address);
    }
    let first = authority.to_socket_addrs()?.next();
    first.ok_or_else(|| io::Error::new(ErrorKind::NotFound, "the name has no address"))
}

impl Connection {
    /// Begins to open it; `token` names it when it is ready for more.
    pub(super) fn open(place: SocketAddr, registry: &Registry, token: Token) -> io::Result<Self> {
        let mut stream = TcpStream::connect(place)?;
        registry.register(&mut stream, token, Interest::READABLE | Interest::WRITABLE)?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, written: 0, received: vec![0; READ_BYTES], received_bytes: 0, head: None })
    }

    /// Begins to send a request.
    pub(super) fn send(&mut self, request: &[u8]) -> io::Result<()> {
        (self.written, self.received_bytes, self.head) = (0, 0, None);
        self.write(request)
    }

    /// Goes on sending the request and receiving its answer; the answer, once it is there as a whole.
    pub(super) fn advance(&mut self, request: &[u8], is_closed: bool) -> io::Result<Option<Head>> {
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
            if let Some(mut head) = self.whole(read == 0)? {
                head.may_stay &= !is_closed;
                return Ok(Some(head));
            }
            if read == 0 {
                return Err(io::Error::new(ErrorKind::UnexpectedEof, "the connection was closed"));
            }
            // There is no more yet; the end alone is not announced twice.
            if read < room && !is_closed {
                return Ok(None);
            }
        }
    }

    /// The body of an answer that is there as a whole.
    pub(super) fn body(&self, head: &Head) -> Cow<'_, [u8]> {
        head.body(&self.received[..self.received_bytes])
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

    /// How much may be read at once; makes room where there is none.
    fn room(&mut self) -> io::Result<usize> {
        if self.received_bytes == self.received.len() {
            if self.received.len() >= ANSWER_BYTES_MAX {
                return Err(invalid("an answer longer than 4 MiB"));
            }
            self.received.resize(self.received.len() * 2, 0);
        }
        Ok(self.received.len() - self.received_bytes)
    }

    fn whole(&mut self, is_closed: bool) -> io::Result<Option<Head>> {
        loop {
            let bytes = &self.received[..self.received_bytes];
            if self.head.is_none() {
                self.head = Head::parse(bytes)?;
            }
            let Some(head) = self.head else { return Ok(None) };
            if head.status >= 200 {
                return Ok(head.is_whole(bytes, is_closed)?.then_some(head));
            }
            // An interim answer: the one that counts follows.
            self.received.copy_within(head.body_start..self.received_bytes, 0);
            self.received_bytes -= head.body_start;
            self.head = None;
        }
    }
}

/// Whether it is only too early; some systems say of a connection that is being opened that it is none yet.
fn waits(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::NotConnected)
}
