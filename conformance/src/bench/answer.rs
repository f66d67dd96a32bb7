//! Finds the end of an answer: as little of HTTP/1.1 as a load generator needs. Judges nothing.

use std::borrow::Cow;
use std::io;
use std::mem::MaybeUninit;

const HEADER_LINES_MAX: usize = 64;

/// The head of an answer: the framing of its body, and whether the connection can be used again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) status: u16,
    pub(super) may_stay: bool,
    pub(super) body_start: usize,
    framing: Framing,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Framing {
    Length(usize),
    Chunked,
    ToTheEnd,
}

impl Head {
    /// Parses the head; `None` until it is complete.
    pub(super) fn parse(bytes: &[u8]) -> io::Result<Option<Self>> {
        let mut lines = [const { MaybeUninit::uninit() }; HEADER_LINES_MAX];
        let mut response = httparse::Response::new(&mut []);
        let parsed =
            httparse::ParserConfig::default().parse_response_with_uninit_headers(&mut response, bytes, &mut lines);
        let httparse::Status::Complete(body_start) = parsed.map_err(|_| invalid("not an HTTP answer"))? else {
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
        if matches!(status, 100..=199 | 204 | 304) {
            framing = Framing::Length(0);
        }
        Ok(Some(Self { status, may_stay: may_stay && framing != Framing::ToTheEnd, body_start, framing }))
    }

    /// Whether the answer is complete; `is_closed` means that nothing follows.
    pub(super) fn is_whole(&self, bytes: &[u8], is_closed: bool) -> io::Result<bool> {
        match self.framing {
            Framing::Length(length) => Ok(bytes.len() - self.body_start >= length),
            Framing::Chunked => Ok(chunks(&bytes[self.body_start..], |_| ())?),
            Framing::ToTheEnd => Ok(is_closed),
        }
    }

    /// The body of a complete answer.
    pub(super) fn body<'a>(&self, bytes: &'a [u8]) -> Cow<'a, [u8]> {
        let bytes = &bytes[self.body_start..];
        match self.framing {
            Framing::Length(length) => bytes[..length.min(bytes.len())].into(),
            Framing::Chunked => {
                let mut body = Vec::new();
                // It was parsed to its last chunk before.
                _ = chunks(bytes, |chunk| body.extend_from_slice(chunk));
                body.into()
            }
            Framing::ToTheEnd => bytes.into(),
        }
    }
}

/// Passes each chunk to `show`; returns whether the last one is there.
fn chunks(mut bytes: &[u8], mut show: impl FnMut(&[u8])) -> io::Result<bool> {
    loop {
        let size = httparse::parse_chunk_size(bytes).map_err(|_| invalid("a chunk has no length"))?;
        let httparse::Status::Complete((start, length)) = size else { return Ok(false) };
        let end = usize::try_from(length).ok().and_then(|length| start.checked_add(length)).unwrap_or(usize::MAX - 2);
        if bytes.len() < end + 2 {
            return Ok(false);
        }
        if length == 0 {
            return Ok(true);
        }
        show(&bytes[start..end]);
        bytes = &bytes[end + 2..];
    }
}

pub(super) fn invalid(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(bytes: &[u8]) -> Head {
        Head::parse(bytes).unwrap().unwrap()
    }

    #[test]
    fn a_head_says_how_long_its_answer_is() {
        assert_eq!(Head::parse(b"HTTP/1.1 200 OK\r\nContent-Le").unwrap(), None);
        assert!(Head::parse(b"nonsense\r\n\r\n").is_err());
        assert!(Head::parse(b"HTTP/1.1 200 OK\r\nContent-Length: two\r\n\r\n").is_err());
        let answer = b"HTTP/1.1 201 Created\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}";
        assert!(head(answer).status == 201 && !head(answer).may_stay);
        assert!(head(answer).is_whole(answer, false).unwrap());
        assert!(!head(answer).is_whole(&answer[..answer.len() - 1], false).unwrap());
        assert_eq!(*head(answer).body(answer), *b"{}");
        assert_eq!(head(b"HTTP/1.1 204 No Content\r\n\r\n").framing, Framing::Length(0));
        let endless = b"HTTP/1.1 200 OK\r\n\r\n{}";
        assert!(!head(endless).may_stay && !head(endless).is_whole(endless, false).unwrap());
        assert!(head(endless).is_whole(endless, true).unwrap());
    }

    #[test]
    fn a_chunked_answer_ends_with_its_last_chunk() {
        let answer = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1;a=b\r\n}\r\n0\r\n\r\n";
        for end in head(answer).body_start..answer.len() {
            assert!(!head(answer).is_whole(&answer[..end], false).unwrap(), "{end}");
        }
        assert!(head(answer).is_whole(answer, false).unwrap() && head(answer).may_stay);
        assert_eq!(*head(answer).body(answer), *b"{}");
        assert!(chunks(b"x\r\n{}\r\n", |_| ()).is_err());
    }
}
