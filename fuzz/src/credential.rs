//! Fuzzes credentials and headers: the answer must be one of the documents, with a JSON body.
//!
//! The first byte selects the place of the rest: an API key, a bearer token, a session, a JWT's payload, or another header.

use std::sync::LazyLock;

use super::{KEY, Memory, answer, catalogue, json, request};
use libros_server::catalogue::Catalogue;

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| catalogue(&Memory::default()));

/// Checks one input.
pub fn check(bytes: &[u8]) {
    let Some((kind, rest)) = bytes.split_first() else { return };
    let bearer = [b"Bearer ", rest].concat();
    let segments = [b"Bearer e30.", rest, b".c2ln"].concat();
    let headers: Vec<(&str, &[u8])> = match kind % 7 {
        0 => vec![("x-api-key", rest)],
        1 => vec![("authorization", rest)],
        2 => vec![("authorization", &bearer)],
        3 => vec![("authorization", &segments)],
        4 => vec![("x-api-key", KEY.as_bytes()), ("x-api-version", rest)],
        5 => vec![("x-api-key", KEY.as_bytes()), ("if-none-match", rest)],
        _ => vec![("x-api-key", KEY.as_bytes()), ("accept", rest), ("content-type", rest)],
    };
    for line in ["GET /libros/1", "GET /2fa/status", "DELETE /2fa/trusted-devices/x"] {
        let Some(request) = request(line, &headers, b"") else { return };
        let reply = answer(&*CATALOGUE, &request);
        let status = reply.status.as_u16();
        assert!([200, 304, 400, 401, 403, 404].contains(&status), "{line}: {status}");
        if status != 304 {
            json(&reply);
        }
    }
}
