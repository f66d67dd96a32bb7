//! Probes of the chapter hostile: line ends in what an answer may repeat.

use std::io::ErrorKind;

use super::requests::{head, open, tell};
use crate::chapters::prelude::*;

/// The header that no answer may have.
const INJECTED: &str = "x-injected";

cases! { "hostile" by injected;
    /// A carriage return alone in X-API-Version, which comes back in the answer.
    line_end_in_a_header judges [] needs [Need::Asked]:
        "GET /libros?limit=1", "X-API-Version: 1\rX-Injected: yes\r\n";
    /// An encoded line end in a path.
    line_end_in_a_path judges [] needs [Need::Asked]:
        "GET /libros/%0d%0aX-Injected:%20yes", "";
    /// An encoded line end in a query.
    line_end_in_a_query judges [] needs [Need::Asked]:
        "GET /libros?q=%0d%0aX-Injected:%20yes&%0d%0aX-Injected:%20yes=1", "";
}

/// Sends it, and observes whether the answer has a header of the sender's.
fn injected(cx: &CaseContext<'_>, line: &str, lines: &str) -> CaseResult {
    let request = format!("{}{lines}\r\n", head(cx, line)?);
    let mut connection = open(cx)?;
    let answer = connection.send_bytes(request.as_bytes()).and_then(|()| connection.receive("GET"));
    let outcome = match answer {
        Ok((reply, _)) if !reply.values(INJECTED).is_empty() => "injected",
        // A line end within a header line makes it unreadable.
        Err(why) if why.kind() == ErrorKind::InvalidData => "injected",
        _ => "kept-out",
    };
    drop(connection);
    let injected = "the answer has a header of the sender's, or cannot be read";
    tell(cx, &[("kept-out", "the answer has no header of the sender's"), ("injected", injected)], outcome)
}
