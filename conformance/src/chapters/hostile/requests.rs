//! Probes of the chapter hostile: single requests that are too slow, too large, too deep or malformed.

use std::io::ErrorKind;

use super::raw::{WAIT, creation, head, open, tell};
use crate::chapters::prelude::*;

cases! { "hostile" by sent_raw;
    /// A head that begins and never ends.
    slow_head judges [] needs [Need::Asked]:
        |cx| head(cx, "GET /libros");
    /// A body that stops before its announced length.
    half_body judges [] needs [Need::Asked]:
        |cx| Ok(format!("{}Content-Length: 1000\r\n\r\n{{\"titulo\"", creation(cx)?));
    /// A header line of a mebibyte.
    huge_header judges [] needs [Need::Asked]:
        |cx| Ok(format!("{}X-Filler: {}\r\n\r\n", head(cx, "GET /libros")?, "a".repeat(1 << 20)));
    /// A thousand header lines.
    many_headers judges [] needs [Need::Asked]: |cx| {
        let lines: String = (0..1_000).map(|number| format!("X-Filler-{number}: a\r\n")).collect();
        Ok(format!("{}{lines}\r\n", head(cx, "GET /libros")?))
    };
    /// A request target of a hundred kibibytes.
    huge_target judges [] needs [Need::Asked]:
        |cx| Ok(format!("{}\r\n", head(cx, &format!("GET /libros?q={}", "a".repeat(100 << 10)))?));
    /// A query of five hundred sort keys and five hundred filters, seven kibibytes long.
    heavy_query judges [] needs [Need::Asked]: |cx| {
        let (keys, filters) = ("titulo,".repeat(500), "&id=1,2".repeat(500));
        Ok(format!("{}\r\n", head(cx, &format!("GET /libros?sort={keys}id{filters}"))?))
    };
    /// A chunked body of 16 MiB that goes on.
    endless_chunks judges [] needs [Need::Asked]: |cx| {
        let chunk = format!("10000\r\n{}\r\n", "a".repeat(1 << 16));
        Ok(format!("{}Transfer-Encoding: chunked\r\n\r\n{}", creation(cx)?, chunk.repeat(256)))
    };
    /// A body of a hundred thousand nested lists.
    deep_json judges [] needs [Need::Asked]: |cx| {
        let body = "[".repeat(100_000) + &"]".repeat(100_000);
        Ok(format!("{}Content-Length: {}\r\n\r\n{body}", creation(cx)?, body.len()))
    };
    /// A space before the colon of a header line.
    space_before_colon judges [] needs [Need::Asked]:
        |cx| Ok(format!("{}X-Filler : a\r\n\r\n", head(cx, "GET /libros")?));
    /// A header line that goes on in the next one.
    folded_line judges [] needs [Need::Asked]:
        |cx| Ok(format!("{}X-Filler: a\r\n b\r\n\r\n", head(cx, "GET /libros")?));
    /// A NUL byte in a request target.
    nul_byte judges [] needs [Need::Asked]:
        |cx| Ok(format!("{}\r\n", head(cx, "GET /libros/\0")?));
    /// Two Host lines that differ.
    two_hosts judges [] needs [Need::Asked]:
        |cx| Ok(format!("{}Host: other.example\r\n\r\n", head(cx, "GET /libros")?));
}

/// Sends what a row says, and observes what comes of it.
fn sent_raw(cx: &CaseContext<'_>, request: fn(&CaseContext<'_>) -> Result<String, CaseError>) -> CaseResult {
    let bytes = request(cx)?;
    let mut connection = open(cx)?;
    // A service may answer, or close, before it has read all of it, or not read all of it and answer.
    if connection.send_bytes(bytes.as_bytes()).is_err() {
        connection.allow(WAIT);
    }
    let outcome = match connection.receive("POST") {
        Ok((reply, _)) if matches!(reply.status, 400..=499 | 501 | 505) => "refused",
        Ok((reply, _)) if reply.status >= 500 => "broken",
        Ok(_) => "answered",
        Err(why) if why.kind() == ErrorKind::TimedOut => "waiting",
        Err(_) => "closed",
    };
    drop(connection);
    let outcomes = [
        ("refused", "an error status: 4xx, 501 or 505"),
        ("closed", "closed without an answer"),
        ("answered", "answered like another request"),
        ("waiting", "neither answered nor closed within a second"),
        ("broken", "a 5xx"),
    ];
    tell(cx, &outcomes, outcome)
}
