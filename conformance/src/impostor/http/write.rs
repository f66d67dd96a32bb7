//! Writes one reply to a connection.

use std::io::{self, Write};
use std::net::TcpStream;

use libros_conformance_model::message::{Framing, Reply};

/// Writes the reply, framed; `keep` says whether the connection stays open afterwards.
///
/// # Errors
/// When the connection breaks off.
pub(crate) fn write(stream: &mut TcpStream, reply: &Reply, method: &str, keep: bool) -> io::Result<()> {
    let bodiless = matches!(reply.status, 204 | 304) && reply.framing != Framing::Forced;
    let mut out = format!("HTTP/1.1 {} {}\r\n", reply.status, reason(reply.status)).into_bytes();
    for (name, value) in &reply.headers {
        out.extend_from_slice(name.as_bytes());
        out.extend_from_slice(b": ");
        out.extend(value.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')));
        out.extend_from_slice(b"\r\n");
    }
    if !keep {
        out.extend_from_slice(b"Connection: close\r\n");
    }
    let length = match reply.framing {
        Framing::WrongLength(length) => length,
        _ => reply.body.len(),
    };
    let chunked = reply.framing == Framing::Chunked && !bodiless;
    if chunked {
        out.extend_from_slice(b"Transfer-Encoding: chunked\r\n");
    } else if !bodiless {
        out.extend_from_slice(format!("Content-Length: {length}\r\n").as_bytes());
    }
    out.extend_from_slice(b"\r\n");
    if chunked && method != "HEAD" {
        for piece in reply.body.chunks(reply.body.len().div_ceil(2).max(1)) {
            out.extend_from_slice(format!("{:x}\r\n", piece.len()).as_bytes());
            out.extend_from_slice(piece);
            out.extend_from_slice(b"\r\n");
        }
        out.extend_from_slice(b"0\r\n\r\n");
    } else if method != "HEAD" && !bodiless {
        out.extend_from_slice(&reply.body);
    }
    stream.write_all(&out)
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        201 => "Created",
        204 => "No Content",
        304 => "Not Modified",
        400 => "Bad Request",
        401 => "Unauthorized",
        404 => "Not Found",
        405 => "Method Not Allowed",
        413 => "Content Too Large",
        _ => "Other",
    }
}
