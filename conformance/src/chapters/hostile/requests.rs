//! Probes of the chapter hostile: single requests that are too slow, too large, too deep or malformed.

use std::io::ErrorKind;
use std::time::Duration;

use crate::chapters::prelude::*;
use crate::http::connection::Connection;

cases! { "hostile";
    /// A request head that begins and never ends.
    slow_head judges [] needs [Need::Asked] by sent_raw("GET /libros", "");
    /// A request body that stops before its announced length.
    half_body judges [] needs [Need::Asked] by sent_raw("POST /libros", "Content-Length: 1000\r\n\r\n{\"titulo\"");
    /// A header line of a mebibyte.
    huge_header judges [] needs [Need::Asked]
        by sent_raw("GET /libros", &format!("X-Filler: {}\r\n\r\n", "a".repeat(1 << 20)));
    /// A thousand header lines.
    many_headers judges [] needs [Need::Asked] by sent_raw("GET /libros", &{
        let lines: String = (0..1_000).map(|number| format!("X-Filler-{number}: a\r\n")).collect();
        lines + "\r\n"
    });
    /// A request target of a hundred kibibytes.
    huge_target judges [] needs [Need::Asked] by sent_raw(&format!("GET /libros?q={}", "a".repeat(100 << 10)), "\r\n");
    /// A query of five hundred sort keys and five hundred filters, seven kibibytes long.
    heavy_query judges [] needs [Need::Asked]
        by sent_raw(&format!("GET /libros?sort={}id{}", "titulo,".repeat(500), "&id=1,2".repeat(500)), "\r\n");
    /// A chunked request body of 16 MiB without an end.
    endless_chunks judges [] needs [Need::Asked] by sent_raw("POST /libros", &{
        let chunk = format!("10000\r\n{}\r\n", "a".repeat(1 << 16));
        format!("Transfer-Encoding: chunked\r\n\r\n{}", chunk.repeat(256))
    });
    /// A request body of a hundred thousand nested lists.
    deep_json judges [] needs [Need::Asked] by sent_raw("POST /libros", &{
        format!("Content-Length: 200000\r\n\r\n{}{}", "[".repeat(100_000), "]".repeat(100_000))
    });
    /// A space before the colon of a header line.
    space_before_colon judges [] needs [Need::Asked] by sent_raw("GET /libros", "X-Filler : a\r\n\r\n");
    /// A header line that is continued on the next one.
    folded_line judges [] needs [Need::Asked] by sent_raw("GET /libros", "X-Filler: a\r\n b\r\n\r\n");
    /// A NUL byte in a request target.
    nul_byte judges [] needs [Need::Asked] by sent_raw("GET /libros/\0", "\r\n");
    /// Two different Host headers.
    two_hosts judges [] needs [Need::Asked] by sent_raw("GET /libros", "Host: other.example\r\n\r\n");
}

/// How long one connection is sent to and listened to. Short: a service may wait much longer for what is missing.
pub(super) const WAIT: Duration = Duration::from_secs(1);

/// How often to ask again whether the service answers other clients, and how long to wait before.
const ASKED_AGAIN: usize = 4;
const ASKED_AGAIN_AFTER: Duration = Duration::from_millis(250);

/// The head of a request to the catalogue, of a creation up to the lines that say how its body ends, else up to the empty line.
pub(super) fn head(cx: &CaseContext<'_>, line: &str) -> Result<String, CaseError> {
    let address = cx.address(Interface::Catalogue)?;
    let (method, target) = line.split_once(' ').unwrap_or(("GET", line));
    let (prefix, host, key) = (&address.prefix, &address.authority, cx.test_key());
    let of_body = [("Content-Type", "application/json")].into_iter().filter(|_| method == "POST");
    let further = address.headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).chain(of_body);
    let further: String = further.map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    Ok(format!("{method} {prefix}{target} HTTP/1.1\r\nHost: {host}\r\nX-API-Key: {key}\r\n{further}"))
}

pub(super) fn open(cx: &CaseContext<'_>) -> Result<Connection, CaseError> {
    let address = cx.address(Interface::Catalogue)?;
    Connection::open(address, WAIT)
        .map_err(|why| CaseError::NoAnswer(format!("cannot connect to {}: {why}", address.authority).into()))
}

/// The status of an ordinary request; `None` without an answer.
pub(super) fn ordinary(cx: &CaseContext<'_>) -> Option<u16> {
    cx.get("/libros?limit=1").key(cx.test_key()).send().ok().map(|reply| reply.status())
}

/// Whether the service answers other clients, now or in a moment.
fn goes_on(cx: &CaseContext<'_>) -> bool {
    (0..=ASKED_AGAIN).any(|attempt| {
        if attempt > 0 {
            std::thread::sleep(ASKED_AGAIN_AFTER);
        }
        ordinary(cx) == Some(200)
    })
}

/// Reports how hostile input ended: one of these outcomes, in words, or `down` if the service answers no request afterwards.
pub(super) fn tell(cx: &CaseContext<'_>, outcomes: &[(&str, &str)], outcome: &str) -> CaseResult {
    const DOWN: (&str, &str) = ("down", "afterwards the service answers no request");
    let outcome = if goes_on(cx) { outcome } else { DOWN.0 };
    let in_words = outcomes.iter().chain([&DOWN]).find(|(id, _)| *id == outcome);
    cx.tell_of_probe(outcome, in_words.map_or(outcome, |(_, words)| *words));
    Ok(())
}

/// Sends a request line and what follows its own headers, and observes the answer.
fn sent_raw(cx: &CaseContext<'_>, line: &str, rest: &str) -> CaseResult {
    let bytes = head(cx, line)? + rest;
    let mut connection = open(cx)?;
    // A service may answer, or close, before it has read all of it, or not read all of it and answer.
    if connection.send_bytes(bytes.as_bytes()).is_err() {
        connection.set_deadline_in(WAIT);
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
