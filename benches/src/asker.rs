//! A client that sends requests over one kept connection. Judges only the status.

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};

/// A request that reads.
pub fn reading(path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nhost: bench\r\nx-api-key: ak_7e57c11e27000000000000000000c0de\r\n\r\n")
}

/// A connection to a server.
#[derive(Debug)]
pub struct Asker {
    stream: BufReader<TcpStream>,
    line: Vec<u8>,
    body: Vec<u8>,
}

impl Asker {
    /// Opens a connection.
    pub fn connect(address: SocketAddr) -> io::Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        Ok(Self { stream: BufReader::with_capacity(1 << 16, stream), line: Vec::new(), body: Vec::new() })
    }

    /// Sends a request; returns the status of its answer after the whole answer has come.
    pub fn ask(&mut self, request: &str) -> io::Result<u16> {
        self.stream.get_mut().write_all(request.as_bytes())?;
        let (mut status, mut length) = (0, 0);
        loop {
            self.line.clear();
            self.stream.read_until(b'\n', &mut self.line)?;
            let line = self.line.trim_ascii_end();
            if let Some(code) = line.strip_prefix(b"HTTP/1.1 ").and_then(|rest| rest.get(..3)) {
                status = number(code);
            } else if line.len() > 15 && line[..15].eq_ignore_ascii_case(b"content-length:") {
                length = number(line[15..].trim_ascii());
            } else if line.is_empty() {
                break;
            }
        }
        self.body.resize(length, 0);
        self.stream.read_exact(&mut self.body)?;
        u16::try_from(status).map_err(io::Error::other)
    }
}

fn number(digits: &[u8]) -> usize {
    str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok()).unwrap_or(0)
}
