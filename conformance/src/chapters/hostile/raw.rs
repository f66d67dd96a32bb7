//! Bytes to the catalogue that no client library sends, and whether it serves others afterwards.
//!
//! Knows no case.

use std::time::Duration;

use crate::chapters::prelude::*;
use crate::http::connection::Connection;

/// How long one connection is sent to and listened to. Short: a service may wait much longer for what is missing.
pub(super) const WAIT: Duration = Duration::from_secs(1);

/// How often a service that does not answer others is asked again, and how long after.
const ASKED_AGAIN: usize = 4;
const ASKED_AGAIN_AFTER: Duration = Duration::from_millis(250);

/// The head of a request to the catalogue, up to the empty line that would end it.
pub(super) fn head(cx: &CaseContext<'_>, line: &str) -> Result<String, CaseError> {
    let address = cx.address(Interface::Catalogue)?;
    let (method, target) = line.split_once(' ').unwrap_or(("GET", line));
    let (prefix, host, key) = (&address.prefix, &address.authority, cx.test_key());
    let further: String = address.headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    Ok(format!("{method} {prefix}{target} HTTP/1.1\r\nHost: {host}\r\nX-API-Key: {key}\r\n{further}"))
}

/// The head of a creation, up to the lines that say how its body ends.
pub(super) fn creation(cx: &CaseContext<'_>) -> Result<String, CaseError> {
    Ok(format!("{}Content-Type: application/json\r\n", head(cx, "POST /libros")?))
}

/// A connection of its own.
pub(super) fn open(cx: &CaseContext<'_>) -> Result<Connection, CaseError> {
    let address = cx.address(Interface::Catalogue)?;
    Connection::open(address, WAIT)
        .map_err(|why| CaseError::NoAnswer(format!("cannot connect to {}: {why}", address.authority).into()))
}

/// The status of an ordinary request, or nothing.
pub(super) fn ordinary(cx: &CaseContext<'_>) -> Option<u16> {
    cx.get("/libros?limit=1").key(cx.test_key()).send().ok().map(|reply| reply.status())
}

/// Whether the service serves others, now or in a moment.
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
    const DOWN: (&str, &str) = ("down", "afterwards the service serves nobody");
    let outcome = if goes_on(cx) { outcome } else { DOWN.0 };
    let in_words = outcomes.iter().chain([&DOWN]).find(|(id, _)| *id == outcome);
    cx.tell_of_probe(outcome, in_words.map_or(outcome, |(_, words)| *words));
    Ok(())
}
