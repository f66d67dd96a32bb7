//! HTTP/1.1 for load: as little work a request as a load generator can do. For judging there is [`crate::http::connection`].

use std::io;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

const HEADER_LINES_MAX: usize = 64;
const READ_BYTES: usize = 16 << 10;

/// An open connection.
pub(super) struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

/// An answer: where its body begins, and whether another request may follow.
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) may_stay: bool,
    body_start: usize,
    framing: Framing,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Framing {
    Length(usize),
    Chunked,
    ToTheEnd,
}

impl Connection {
    pub(super) async fn open(authority: &str) -> io::Result<Self> {
        let stream = TcpStream::connect(authority).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, buffer: Vec::with_capacity(READ_BYTES) })
    }

    /// Sends a request and reads the whole answer.
    pub(super) async fn exchange(&mut self, request: &[u8]) -> io::Result<Answer> {
        self.buffer.clear();
        self.stream.write_all(request).await?;
        let answer = loop {
            self.fill().await?;
            if let Some(answer) = head(&self.buffer)? {
                break answer;
            }
        };
        loop {
            let is_whole = match answer.framing {
                Framing::Length(length) => self.buffer.len() >= answer.body_start + length,
                Framing::Chunked => chunks(&self.buffer[answer.body_start..])?.is_some(),
                Framing::ToTheEnd => false,
            };
            if is_whole {
                return Ok(answer);
            }
            match self.fill().await {
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof && answer.framing == Framing::ToTheEnd => {
                    return Ok(answer);
                }
                other => other?,
            }
        }
    }

    /// The body of the answer that came last.
    pub(super) fn body(&self, answer: &Answer) -> Vec<u8> {
        let bytes = &self.buffer[answer.body_start..];
        match answer.framing {
            Framing::Length(length) => bytes[..length.min(bytes.len())].to_vec(),
            Framing::Chunked => chunks(bytes).ok().flatten().unwrap_or_default(),
            Framing::ToTheEnd => bytes.to_vec(),
        }
    }

    async fn fill(&mut self) -> io::Result<()> {
        self.buffer.reserve(READ_BYTES);
        if self.stream.read_buf(&mut self.buffer).await? == 0 {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the connection was closed"));
        }
        Ok(())
    }
}

/// The head of an answer, once it is there as a whole.
fn head(buffer: &[u8]) -> io::Result<Option<Answer>> {
    let mut lines = [httparse::EMPTY_HEADER; HEADER_LINES_MAX];
    let mut response = httparse::Response::new(&mut lines);
    let httparse::Status::Complete(body_start) = response.parse(buffer).map_err(|_| invalid("not an HTTP answer"))?
    else {
        return Ok(None);
    };
    let status = response.code.unwrap_or_default();
    let mut framing = Framing::ToTheEnd;
    let mut may_stay = true;
    for line in response.headers.iter() {
        if line.name.eq_ignore_ascii_case("content-length") {
            let length = std::str::from_utf8(line.value).ok().and_then(|value| value.trim().parse().ok());
            framing = Framing::Length(length.ok_or_else(|| invalid("Content-Length is not a number"))?);
        } else if line.name.eq_ignore_ascii_case("transfer-encoding") {
            framing = Framing::Chunked;
        } else if line.name.eq_ignore_ascii_case("connection") {
            may_stay = !line.value.eq_ignore_ascii_case(b"close");
        }
    }
    if matches!(status, 204 | 304) {
        framing = Framing::Length(0);
    }
    Ok(Some(Answer { status, may_stay: may_stay && framing != Framing::ToTheEnd, body_start, framing }))
}

/// The body behind its chunks, once the last is there.
fn chunks(mut bytes: &[u8]) -> io::Result<Option<Vec<u8>>> {
    let mut body = Vec::new();
    loop {
        let Some(end) = bytes.windows(2).position(|pair| pair == b"\r\n") else { return Ok(None) };
        let digits = String::from_utf8_lossy(&bytes[..end]);
        let digits = digits.split(';').next().unwrap_or_default().trim();
        let length = usize::from_str_radix(digits, 16).map_err(|_| invalid("a chunk has no length"))?;
        let chunk_end = end + 2 + length;
        if bytes.len() < chunk_end + 2 {
            return Ok(None);
        }
        if length == 0 {
            return Ok(Some(body));
        }
        body.extend_from_slice(&bytes[end + 2..chunk_end]);
        bytes = &bytes[chunk_end + 2..];
    }
}

fn invalid(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_whole_when_its_framing_says_so() {
        assert!(head(b"HTTP/1.1 200 OK\r\nContent-Le").unwrap().is_none());
        let answer =
            head(b"HTTP/1.1 201 Created\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}").unwrap().unwrap();
        assert!(answer.status == 201 && !answer.may_stay && answer.framing == Framing::Length(2));
        assert!(head(b"HTTP/1.1 204 No Content\r\n\r\n").unwrap().unwrap().framing == Framing::Length(0));
        assert!(head(b"nonsense\r\n\r\n").is_err());
        assert_eq!(chunks(b"2\r\n{}\r\n0\r\n").unwrap(), None);
        assert_eq!(chunks(b"2\r\n{}\r\n0\r\n\r\n").unwrap(), Some(b"{}".to_vec()));
        assert!(chunks(b"x\r\n{}\r\n").is_err());
    }
}
