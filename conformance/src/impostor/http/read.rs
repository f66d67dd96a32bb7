//! Reads one request from a connection. Answers only `100 Continue`.

use std::io::{self, BufRead, BufReader, Read};
use std::net::{SocketAddr, TcpStream};

use libros_conformance_model::message::{Interface, Request};

const HEAD_MAX: usize = 64 * 1024;
const BODY_MAX: usize = 1024 * 1024;

pub(crate) enum Incoming {
    /// A request, and whether the connection may be kept.
    Request(Request, bool),
    TooLarge,
    Malformed,
    Closed,
}

/// Reads the next request; fails where the connection breaks off.
pub(crate) fn read(reader: &mut BufReader<TcpStream>, peer: SocketAddr) -> io::Result<Incoming> {
    let Some(head) = read_head(reader)? else { return Ok(Incoming::Closed) };
    let mut fields = [httparse::EMPTY_HEADER; 128];
    let mut parsed = httparse::Request::new(&mut fields);
    let Ok(httparse::Status::Complete(_)) = parsed.parse(&head) else { return Ok(Incoming::Malformed) };
    let target = parsed.path.unwrap_or("/");
    let (path, query) = split_target(target);
    let latin1 = |bytes: &[u8]| bytes.iter().map(|b| char::from(*b)).collect::<String>();
    let mut request = Request {
        query: query.to_owned(),
        absolute: target.contains("://"),
        headers: parsed.headers.iter().map(|h| (h.name.to_owned(), latin1(h.value))).collect(),
        peer: peer.ip(),
        port: peer.port(),
        ..Request::new(Interface::Catalogue, parsed.method.unwrap_or_default(), path)
    };
    let says =
        |name: &str, word: &str| request.header(name).is_some_and(|value| value.to_ascii_lowercase().contains(word));
    let keep = parsed.version == Some(1) && !says("connection", "close");
    if says("expect", "100-continue") {
        io::Write::write_all(reader.get_mut(), b"HTTP/1.1 100 Continue\r\n\r\n")?;
    }
    let body = if says("transfer-encoding", "chunked") {
        read_chunks(reader)?
    } else {
        let length = request.header("content-length").and_then(|text| text.trim().parse().ok());
        read_length(reader, length.unwrap_or(0), &mut request.seams)?
    };
    let Some(body) = body else { return Ok(Incoming::TooLarge) };
    Ok(Incoming::Request(Request { body, ..request }, keep))
}

/// Everything up to and with the empty line; `None` at the end of the connection.
fn read_head(reader: &mut BufReader<TcpStream>) -> io::Result<Option<Vec<u8>>> {
    let mut head = Vec::new();
    loop {
        let before = head.len();
        let read = reader.by_ref().take(HEAD_MAX as u64).read_until(b'\n', &mut head)?;
        if read == 0 || head.len() > HEAD_MAX {
            return Ok(None);
        }
        let blank = matches!(&head[before..], b"\r\n" | b"\n");
        if blank && before > 0 {
            return Ok(Some(head));
        }
        if blank {
            // Empty lines before a request are passed over, as HTTP asks.
            head.clear();
        }
    }
}

/// Path and query of a request target; of the absolute form what follows the authority.
fn split_target(target: &str) -> (&str, &str) {
    let target = match target.split_once("://") {
        Some(("http" | "https", rest)) => rest.find(['/', '?']).map_or("/", |at| &rest[at..]),
        _ => target,
    };
    target.split_once('?').unwrap_or((target, ""))
}

fn read_length(
    reader: &mut BufReader<TcpStream>,
    length: usize,
    seams: &mut Vec<usize>,
) -> io::Result<Option<Vec<u8>>> {
    if length > BODY_MAX {
        return Ok(None);
    }
    let mut body = Vec::with_capacity(length);
    while body.len() < length {
        let piece = reader.fill_buf()?;
        if piece.is_empty() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let taken = piece.len().min(length - body.len());
        body.extend(&piece[..taken]);
        reader.consume(taken);
        seams.push(body.len());
    }
    Ok(Some(body))
}

fn read_chunks(reader: &mut BufReader<TcpStream>) -> io::Result<Option<Vec<u8>>> {
    let mut body = Vec::new();
    loop {
        let mut line = String::new();
        reader.by_ref().take(1024).read_line(&mut line)?;
        let size = line.split(';').next().unwrap_or_default().trim();
        let size = usize::from_str_radix(size, 16).map_err(|_| io::Error::other("a chunk without a size"))?;
        if body.len().saturating_add(size) > BODY_MAX {
            return Ok(None);
        }
        let start = body.len();
        body.resize(start + size, 0);
        reader.read_exact(&mut body[start..])?;
        // The line end after the data; after the last chunk, trailers up to an empty line.
        while {
            line.clear();
            reader.by_ref().take(HEAD_MAX as u64).read_line(&mut line)?;
            size == 0 && !line.trim_end().is_empty()
        } {}
        if size == 0 {
            return Ok(Some(body));
        }
    }
}
