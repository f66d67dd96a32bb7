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
    // A reason phrase may be empty.
    let mut out = format!("HTTP/1.1 {} \r\n", reply.status).into_bytes();
    for (name, value) in &reply.headers {
        out.extend(format!("{name}: ").bytes());
        out.extend(value.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')));
        out.extend(b"\r\n");
    }
    if !keep {
        out.extend(b"Connection: close\r\n");
    }
    let length = match reply.framing {
        Framing::WrongLength(length) => length,
        _ => reply.body.len(),
    };
    let chunked = reply.framing == Framing::Chunked && !bodiless;
    if chunked {
        out.extend(b"Transfer-Encoding: chunked\r\n");
    } else if !bodiless {
        out.extend(format!("Content-Length: {length}\r\n").bytes());
    }
    out.extend(b"\r\n");
    if chunked && method != "HEAD" {
        for piece in reply.body.chunks(reply.body.len().div_ceil(2).max(1)) {
            out.extend(format!("{:x}\r\n", piece.len()).bytes());
            out.extend(piece);
            out.extend(b"\r\n");
        }
        out.extend(b"0\r\n\r\n");
    } else if method != "HEAD" && !bodiless {
        out.extend(&reply.body);
    }
    stream.write_all(&out)
}
