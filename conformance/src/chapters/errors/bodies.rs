//! Request bodies at the bounds of size and depth, and those whose readings several answers show.

use crate::chapters::prelude::*;
use crate::fixture::limits::{bound, largest};
use crate::http::exchange::Exchange;

cases! { "errors";
    /// A body that is not UTF-8 is refused, or read with replacement characters.
    a_body_that_is_no_utf_8 judges ["errors/invalid-utf8"] => |cx| {
        let reply = create(cx, b"{\"titulo\":\"Azul\xFF\",\"autor\":\"Rub\xE9n\"}")?;
        let is_replaced = reply.is(201) && reply.text_at("/titulo") == "Azul\u{fffd}";
        cx.observe(&[("400", reply.is(400)), ("replaced", is_replaced)], reply.summary())
    };
    /// Bodies of two and of sixteen mebibytes are refused with a 4xx or a closed connection, and the service goes on.
    bodies_of_mebibytes judges ["errors/body-too-large"] => |cx| {
        // The larger one is more than the buffers between hold: its sender is still sending when it is refused.
        for mebibytes in [2, 16] {
            let filler = format!("\"{}\"", "x".repeat(mebibytes << 20));
            // A create without titulo is 400 where the size is accepted, which the other 4xx includes.
            is_civil(cx, &format!("{mebibytes} MiB"), &filler, "413")?;
        }
        Ok(())
    };
    /// JSON nested 200 levels deep is refused with a 4xx or a closed connection, and the service goes on.
    json_nested_200_deep judges ["errors/nested-too-deep"] => |cx| is_civil(cx, "", &nested(200), "400");
    /// Brackets side by side or in texts do not count as depth; JSON 100 levels deep is accepted or refused.
    json_wide_or_deep judges ["errors/nested-too-deep"] => |cx| {
        // Brackets beside each other and brackets in texts are no depth: a book that has them is created.
        let (brackets, quoted) = ("[{".repeat(300), "\\\"[".repeat(300));
        books::create(cx, &json!({ "relleno": brackets, "otro": quoted }))?;
        books::create(cx, &json!({ "relleno": vec![json!([]); 301] }))?;
        // No deeper: other cases list this book meanwhile, and their JSON reader stops at 128.
        let body = format!("{{\"titulo\":\"x\",\"autor\":\"y\",\"relleno\":{}}}", nested(100));
        let reply = create(cx, body.as_bytes())?;
        cx.observe(&[("taken", reply.is(201)), ("4xx", matches!(reply.status(), 400..=499))], reply.summary())
    };
    /// Reports how many bytes of a body are read, with a Content-Length and in chunks; the service goes on after the largest.
    how_large_a_body_may_be judges ["errors/body-too-large"] => |cx| {
        const BYTES_MOST: usize = 4 << 20;
        let whole = |bytes: &[u8]| creation(cx).bytes_as_json(bytes);
        let chunked = |bytes: &[u8]| creation(cx).header("Transfer-Encoding", "chunked").bytes_as_json(&in_chunks(bytes));
        // Malformed, so it was read.
        let is_400 = |exchange: Exchange| exchange.received.is_ok_and(|received| received.status == 400);
        let is_read = |request: Request<'_>| request.exchange_unrecorded().map(is_400);
        let with_length = largest(BYTES_MOST, |bytes| is_read(whole(&vec![b'x'; bytes])))?;
        goes_on(cx)?;
        cx.tell(bound("bytes with a length", with_length, BYTES_MOST))?;
        // That the bound is the same in chunks costs two requests to say, another bound many more to find.
        let is_same = is_read(chunked(&vec![b'x'; with_length]))?
            && (with_length == BYTES_MOST || !is_read(chunked(&vec![b'x'; with_length + 1]))?);
        goes_on(cx)?;
        cx.tell(if is_same { "the same bytes in chunks" } else { "other bytes in chunks" })
    };
    /// Reports how deep JSON may be nested; the service goes on after a deeper one.
    how_deep_json_may_be judges ["errors/nested-too-deep"] => |cx| {
        const LEVELS_MOST: usize = 1024;
        // Read, it lacks a titulo; too deep, it is refused in other words or another way.
        let refusal = |levels: usize| -> Result<Option<(u16, String)>, CaseError> {
            let body = format!("{{\"relleno\":{}}}", nested(levels));
            let exchange = creation(cx).bytes_as_json(body.as_bytes()).exchange_unrecorded()?;
            if exchange.received.is_err() {
                return Ok(None);
            }
            let reply = cx.reply(exchange)?;
            Ok(Some((reply.status(), reply.text_at("/error"))))
        };
        let flat = refusal(1)?;
        let levels = largest(LEVELS_MOST, |levels| Ok(refusal(levels)? == flat))?;
        goes_on(cx)?;
        cx.tell(bound("levels within the book", levels, LEVELS_MOST))
    };
}

/// A create with this body, which may or must be refused.
fn create(cx: &CaseContext<'_>, body: &[u8]) -> Result<Reply, CaseError> {
    Ok(books::adopt(cx, creation(cx).bytes_as_json(body).send()?))
}

/// Longest answer read to bodies of mebibytes: a refusal may repeat what it refuses.
const ANSWER_BYTES_MAX: usize = 20 << 20;

/// Sends a create without titulo: refused with that status, another 4xx, or a closed connection. Afterwards the service must answer.
fn is_civil(cx: &CaseContext<'_>, what: &str, filler: &str, refused: &str) -> CaseResult {
    let body = format!("{{\"autor\":\"x\",\"relleno\":{filler}}}");
    let exchange =
        creation(cx).bytes_as_json(body.as_bytes()).answered_within(ANSWER_BYTES_MAX).exchange_unrecorded()?;
    if exchange.received.as_ref().is_err_and(|none| none.is_late) {
        return cx.reply(exchange).map(drop);
    }
    let status = exchange.received.as_ref().ok().map(|received| received.status);
    let goes_on = cx.get("/libros?limit=1").key(cx.admin_key()).send()?.is(200);
    let readings = [
        (refused, goes_on && status.is_some_and(|status| status.to_string() == refused)),
        ("4xx", goes_on && matches!(status, Some(400..=499))),
        ("closed", goes_on && status.is_none()),
    ];
    cx.observe_of(what, &readings, format!("status {status:?}, and then {}", if goes_on { "200" } else { "no 200" }))
}

fn nested(levels: usize) -> String {
    "[".repeat(levels) + &"]".repeat(levels)
}

/// A create, whose body is still to come.
fn creation<'t>(cx: &'t CaseContext<'_>) -> Request<'t> {
    cx.post("/libros").key(cx.admin_key())
}

fn goes_on(cx: &CaseContext<'_>) -> CaseResult {
    let is_served = cx.get("/libros?limit=1").key(cx.admin_key()).send()?.is(200);
    cx.check(is_served, "a list afterwards", 200, "no answer, or another")
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
