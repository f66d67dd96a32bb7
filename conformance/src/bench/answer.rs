//! Finds the end of an answer: as little of HTTP/1.1 as a load generator needs. Judges nothing.

use std::io;
use std::mem::MaybeUninit;

use crate::http::connection::invalid;

const HEADER_LINES_MAX: usize = 64;

/// A complete answer: its body, and whether the connection can be used again.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) body: Vec<u8>,
    pub(super) may_stay: bool,
}

impl Answer {
    /// The answer at the start of these bytes; `None` if more may follow, unless `is_closed`. Keeps the body only if `wants_body`.
    pub(super) fn parse(mut bytes: &[u8], is_closed: bool, wants_body: bool) -> io::Result<Option<Self>> {
        loop {
            let mut lines = [const { MaybeUninit::uninit() }; HEADER_LINES_MAX];
            let mut response = httparse::Response::new(&mut []);
            let parsed =
                httparse::ParserConfig::default().parse_response_with_uninit_headers(&mut response, bytes, &mut lines);
            let httparse::Status::Complete(start) = parsed.map_err(|_| invalid("not an HTTP answer"))? else {
                return Ok(None);
            };
            bytes = &bytes[start..];
            let status = response.code.unwrap_or_default();
            if status < 200 {
                // Interim answers come before the real one.
                continue;
            }
            let header = |name: &str| response.headers.iter().find(|line| line.name.eq_ignore_ascii_case(name));
            let mut body = Vec::new();
            let mut keep = |piece: &[u8]| body.extend_from_slice(if wants_body { piece } else { &[] });
            let (mut is_whole, mut may_stay) = (true, response.version == Some(1));
            if matches!(status, 204 | 304) {
            } else if header("transfer-encoding").is_some() {
                is_whole = chunks(bytes, keep)?;
            } else if let Some(line) = header("content-length") {
                let length = std::str::from_utf8(line.value).ok().and_then(|value| value.trim().parse::<usize>().ok());
                let length = length.ok_or_else(|| invalid("Content-Length is not a number"))?;
                is_whole = bytes.len() >= length;
                keep(&bytes[..length.min(bytes.len())]);
            } else {
                (is_whole, may_stay) = (is_closed, false);
                keep(bytes);
            }
            may_stay &=
                !is_closed && header("connection").is_none_or(|line| !line.value.eq_ignore_ascii_case(b"close"));
            return Ok(is_whole.then_some(Self { status, body, may_stay }));
        }
    }
}

/// Passes each chunk to `keep`; returns whether the last one is there.
fn chunks(mut bytes: &[u8], mut keep: impl FnMut(&[u8])) -> io::Result<bool> {
    loop {
        let size = httparse::parse_chunk_size(bytes).map_err(|_| invalid("a chunk has no length"))?;
        let httparse::Status::Complete((start, length)) = size else { return Ok(false) };
        let end = usize::try_from(length).unwrap_or(usize::MAX).saturating_add(start).min(usize::MAX - 2);
        if bytes.len() < end + 2 {
            return Ok(false);
        }
        if length == 0 {
            return Ok(true);
        }
        keep(&bytes[start..end]);
        bytes = &bytes[end + 2..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(bytes: &[u8], is_closed: bool) -> Option<Answer> {
        Answer::parse(bytes, is_closed, true).unwrap()
    }

    #[test]
    fn an_answer_ends_where_its_head_says() {
        assert!(Answer::parse(b"nonsense\r\n\r\n", false, true).is_err());
        assert!(Answer::parse(b"HTTP/1.1 200 OK\r\nContent-Length: two\r\n\r\n", false, true).is_err());
        let [closing, bare, endless] = [
            &b"HTTP/1.1 201 Created\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}"[..],
            b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n",
            b"HTTP/1.1 200 OK\r\n\r\n{}",
        ];
        let answer = |status, body: &[u8], may_stay| Some(Answer { status, body: body.to_vec(), may_stay });
        assert!((0..closing.len()).all(|end| parse(&closing[..end], false).is_none()));
        assert_eq!(parse(closing, false), answer(201, b"{}", false));
        assert_eq!(parse(bare, false), answer(204, b"", true));
        assert_eq!((parse(endless, false), parse(endless, true)), (None, answer(200, b"{}", false)));
    }
}
