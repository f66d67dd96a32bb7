//! How bodies are framed, and the policy of a rate limit.

use crate::chapters::prelude::*;

cases! { "headers";
    /// Content-Length counts bytes, not characters.
    content_length_counts_bytes judges ["headers/content-length"];
    /// An answer without a body has none in its framing either.
    bodiless_answers_frame_nothing judges ["headers/bodiless-framing"];
    /// A rate-limit policy, if there is one, is the limit over sixty seconds.
    rate_limit_policy_is_per_minute judges ["headers/rate-limit-policy"];
}

/// A length that falls short leaves bytes after the answer's end, and an answer that is no JSON.
fn content_length_counts_bytes(cx: &CaseContext<'_>) -> CaseResult {
    let counts = |request: Request<'_>| -> Result<Reply, CaseError> {
        let (reply, after) = request.send_and_close()?;
        let received = reply.received();
        let check = reply.check();
        let check = check.header("Content-Length", &received.body.len().to_string())?;
        let check =
            check.that(after.is_empty(), Place::BODY, "of that length", format!("{} bytes more", after.len()))?;
        check.that(received.json().is_some(), Place::BODY, "whole JSON", received.text())?;
        Ok(reply)
    };
    // Characters of one, two, three and four bytes, so that counting characters or UTF-16 units falls short.
    let book = json!({ "titulo": "año 書 🜁", "autor": "Õ", "lote": cx.unique("lote") });
    let made = books::created(cx, counts(cx.post("/libros").key(cx.admin_key()).json(&book))?)?;
    let list = format!("/libros?lote={}", book["lote"].as_str().unwrap_or_default());
    // A body beyond a buffer of 2, 8 or 32 KiB is where libraries begin to send chunks.
    let long = books::create_set(cx, &vec![json!({ "nota": "x".repeat(1_000) }); 40])?.path("limit=100");
    for path in [made.path(), list, "/libros?limit=3".to_owned(), long, books::unknown_path(cx)] {
        counts(cx.get(&path).key(cx.test_key()))?;
    }
    for request in [cx.get("/revistas"), cx.request("PATCH", "/libros"), cx.post("/auth/login").json_text(b"{")] {
        counts(request)?;
    }
    Ok(())
}

fn bodiless_answers_frame_nothing(cx: &CaseContext<'_>) -> CaseResult {
    let book = books::create(cx, &json!({}))?;
    let deleted = cx.delete(&book.path()).key(cx.admin_key()).send()?.prepared("deleting", 204)?;
    for reply in [deleted, cx.request("OPTIONS", "/libros").send()?] {
        let length = reply.header("Content-Length");
        let readings = [("none", length.is_none()), ("zero", length.as_deref() == Some("0"))];
        cx.observe(&readings, format!("Content-Length: {}", length.unwrap_or_default())).seen_in([&reply])?;
    }
    Ok(())
}

fn rate_limit_policy_is_per_minute(cx: &CaseContext<'_>) -> CaseResult {
    for reply in [cx.get("/libros?limit=1").key(cx.test_key()).send()?, cx.get("/libros").send()?] {
        let policy = reply.header("X-RateLimit-Policy");
        let per_minute = reply.header("X-RateLimit-Limit").map(|limit| format!("{limit};w=60"));
        let readings = [("none", policy.is_none()), ("minute", policy.is_some() && policy == per_minute)];
        cx.observe(&readings, format!("X-RateLimit-Policy: {}", policy.unwrap_or_default())).seen_in([&reply])?;
    }
    Ok(())
}
