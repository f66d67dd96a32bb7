//! Probes of the chapter hostile: requests whose end can be read in two ways, so that one reader sees a body and another a second
//! request, which passes a gateway that reads the other way; and line ends in what an answer may repeat.

use std::io::ErrorKind;

use super::requests::{head, open, tell};
use crate::chapters::prelude::*;

cases! { "hostile";
    /// A request with Content-Length and chunks, of which the chunks end first.
    smuggled_behind_chunks judges [] needs [Need::Asked]
        by smuggled("Content-Length: LENGTH\r\nTransfer-Encoding: chunked", "0\r\n\r\n");
    /// A request with two Content-Length headers, of which the second ends first.
    smuggled_behind_two_lengths judges [] needs [Need::Asked]
        by smuggled("Content-Length: LENGTH\r\nContent-Length: 2", "{}");
    /// A request whose Content-Length has a sign.
    smuggled_behind_a_signed_length judges [] needs [Need::Asked]
        by smuggled("Content-Length: +LENGTH", "");
    /// A request whose Transfer-Encoding only looks like chunked.
    smuggled_behind_an_odd_coding judges [] needs [Need::Asked]
        by smuggled("Content-Length: LENGTH\r\nTransfer-Encoding: xchunked", "0\r\n\r\n");
    /// A request with a space before the colon of Transfer-Encoding.
    smuggled_behind_a_space judges [] needs [Need::Asked]
        by smuggled("Content-Length: LENGTH\r\nTransfer-Encoding : chunked", "0\r\n\r\n");
    /// A request whose Transfer-Encoding follows a lone line feed.
    smuggled_behind_a_line_feed judges [] needs [Need::Asked]
        by smuggled("Content-Length: LENGTH\r\nX-Filler: a\nTransfer-Encoding: chunked", "0\r\n\r\n");
    /// A request with a lone carriage return in X-API-Version, which the answer echoes.
    line_end_in_a_header judges [] needs [Need::Asked]
        by injected("GET /libros?limit=1", "X-API-Version: 1\rX-Injected: yes\r\n");
    /// A request with an encoded line end in its path.
    line_end_in_a_path judges [] needs [Need::Asked] by injected("GET /libros/%0d%0aX-Injected:%20yes", "");
    /// A request with an encoded line end in its query.
    line_end_in_a_query judges [] needs [Need::Asked]
        by injected("GET /libros?q=%0d%0aX-Injected:%20yes&%0d%0aX-Injected:%20yes=1", "");
}

/// Sends a creation with these header lines and a body of `start` and a second request, and observes how many answers come.
fn smuggled(cx: &CaseContext<'_>, lines: &str, start: &str) -> CaseResult {
    let hidden = format!("{}\r\n", head(cx, "GET /escondido")?);
    let lines = lines.replace("LENGTH", &(start.len() + hidden.len()).to_string());
    let request = format!("{}{lines}\r\n\r\n{start}{hidden}", head(cx, "POST /libros")?);
    let mut connection = open(cx)?;
    let answers = connection.send_bytes(request.as_bytes()).and_then(|()| {
        connection.receive("POST")?;
        connection.receive("GET")
    });
    let outcome = match answers {
        // A refusal of what follows is no answer to the hidden request: its answer would be the 404 of an unknown path.
        Ok((reply, _)) if reply.status != 400 => "answered",
        _ => "hidden",
    };
    drop(connection);
    let answered = "it is answered: nothing in front of the service may pass such a request on";
    tell(cx, &[("hidden", "it is not answered"), ("answered", answered)], outcome)
}

const INJECTED: &str = "x-injected";

/// Sends the lines, and observes whether the answer has a header that they inject.
fn injected(cx: &CaseContext<'_>, line: &str, lines: &str) -> CaseResult {
    let request = format!("{}{lines}\r\n", head(cx, line)?);
    let mut connection = open(cx)?;
    let answer = connection.send_bytes(request.as_bytes()).and_then(|()| connection.receive("GET"));
    let outcome = match answer {
        Ok((reply, _)) if !reply.values(INJECTED).is_empty() => "injected",
        Err(why) if why.kind() == ErrorKind::InvalidData => "unreadable",
        _ => "kept-out",
    };
    drop(connection);
    let outcomes = [
        ("kept-out", "the answer has no header of the sender's"),
        ("injected", "the answer has a header of the sender's"),
        ("unreadable", "the answer cannot be read: it may have a line end of the sender's"),
    ];
    tell(cx, &outcomes, outcome)
}
