//! How large and how deep a body may be, to the byte and to the level: the documents leave it open, a reader wants to know it.

use crate::chapters::prelude::*;
use crate::fixture::limits::{bound, largest};

cases! { "errors";
    /// How many bytes of a body are read, told by its length and sent in chunks: the service goes on behind the last.
    how_large_a_body_may_be judges ["errors/body-too-large"];
    /// How deep JSON may be: the service goes on behind the last level.
    how_deep_json_may_be judges ["errors/nested-too-deep"];
}

/// A create that is refused whatever its size.
fn create<'t>(cx: &'t CaseContext<'_>) -> Request<'t> {
    cx.post("/libros").key(cx.admin_key())
}

fn goes_on(cx: &CaseContext<'_>) -> Result<bool, CaseError> {
    Ok(cx.get("/libros?limit=1").key(cx.admin_key()).send()?.status() == 200)
}

/// The bytes in chunks of a few thousand each, as a client sends what it does not know the length of.
fn in_chunks(bytes: &[u8]) -> Vec<u8> {
    let mut sent = Vec::with_capacity(bytes.len() + bytes.len() / 100 + 8);
    for chunk in bytes.chunks(5_000) {
        sent.extend(format!("{:x}\r\n", chunk.len()).bytes());
        sent.extend(chunk);
        sent.extend(b"\r\n");
    }
    sent.extend(b"0\r\n\r\n");
    sent
}

fn how_large_a_body_may_be(cx: &CaseContext<'_>) -> CaseResult {
    const BYTES_MOST: usize = 4 << 20;
    let whole = |bytes: &[u8]| create(cx).json_text(bytes);
    let chunked = |bytes: &[u8]| create(cx).header("Transfer-Encoding", "chunked").json_text(&in_chunks(bytes));
    let is_read = |request: Request<'_>| -> Result<bool, CaseError> {
        let exchange = request.send_unrecorded()?;
        // Malformed, so it was read.
        Ok(exchange.received.is_ok_and(|received| received.status == 400))
    };
    let with_length = largest(BYTES_MOST, |bytes| is_read(whole(&vec![b'x'; bytes])))?;
    let goes_on_after = goes_on(cx)?;
    cx.check(goes_on_after, "a list afterwards", 200, "no answer, or another")?;
    cx.tell(bound("bytes with a length", with_length, BYTES_MOST))?;
    // That the bound is the same in chunks costs two requests to say, another bound many more to find.
    let is_same = is_read(chunked(&vec![b'x'; with_length]))?
        && (with_length == BYTES_MOST || !is_read(chunked(&vec![b'x'; with_length + 1]))?);
    let told = if is_same { "the same bytes in chunks" } else { "other bytes in chunks" };
    cx.check(goes_on(cx)?, "a list afterwards", 200, "no answer, or another")?;
    cx.tell(told)
}

fn how_deep_json_may_be(cx: &CaseContext<'_>) -> CaseResult {
    const LEVELS_MOST: usize = 1024;
    // Read, it lacks a titulo; too deep, it is refused in other words or another way.
    let refusal = |levels: usize| -> Result<Option<(u16, String)>, CaseError> {
        let nested = "[".repeat(levels) + &"]".repeat(levels);
        let exchange = create(cx).json_text(format!("{{\"relleno\":{nested}}}").as_bytes()).send_unrecorded()?;
        if exchange.received.is_err() {
            return Ok(None);
        }
        let reply = cx.reply(exchange)?;
        Ok(Some((reply.status(), reply.text_at("/error"))))
    };
    let flat = refusal(1)?;
    let levels = largest(LEVELS_MOST, |levels| Ok(refusal(levels)? == flat))?;
    let told = bound("levels within the book", levels, LEVELS_MOST);
    cx.check(goes_on(cx)?, "a list afterwards", 200, "no answer, or another")?;
    cx.tell(told)
}
