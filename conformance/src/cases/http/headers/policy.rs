//! The cache policy of each operation, the pagination headers, and how bodies are framed.

use std::collections::BTreeSet;

use serde_json::json;

use crate::case::{CaseContext, CaseError, CaseResult, cases};
use crate::cases::http::headers::answers::sampled;
use crate::contract::violation::Place;
use crate::fixture::books;
use crate::http::reply::{Reply, SeenIn as _};
use crate::http::request::Request;

cases! { "headers";
    /// A list may be kept for five minutes by anyone.
    list_is_public_for_300_s judges ["headers/cache-list"] by sampled();
    /// A single book may be kept for a minute by its reader.
    book_is_private_for_60_s judges ["headers/cache-book"] by sampled();
    /// What may be kept carries neither Pragma nor Expires.
    cached_answers_have_no_pragma_or_expires judges ["headers/cached-without-pragma"] by sampled();
    /// Create, replace and delete may not be kept.
    writes_are_not_cached judges ["headers/cache-write"] by sampled();
    /// Registration, login, API keys and the two-factor status may not be kept.
    auth_answers_are_not_cached judges ["headers/cache-auth"] by sampled();
    /// A 404 may not be kept, not even that of a book.
    not_found_is_not_cached judges ["headers/cache-not-found"] by sampled();
    /// A 400 and a 405 may not be kept.
    refusals_are_not_cached judges ["headers/cache-error"] by sampled();
    /// Where nothing may be kept, Cache-Control says so in full.
    no_cache_says_no_store judges ["headers/no-cache-control"] by sampled();
    /// Where nothing may be kept, Pragma says so.
    no_cache_has_pragma judges ["headers/no-cache-pragma"] by sampled();
    /// Where nothing may be kept, Expires is 0.
    no_cache_has_expires judges ["headers/no-cache-expires"] by sampled();
    /// X-Total-Count is the total of the body, on full and empty lists.
    total_count_is_the_total judges ["headers/total-count"] by sampled();
    /// X-Page-Count is the number of pages of the body.
    page_count_is_the_pages judges ["headers/page-count"] by sampled();
    /// X-Current-Page is the page of the body.
    current_page_is_the_page judges ["headers/current-page"] by sampled();
    /// X-Per-Page is the limit of the body, also where it was clamped.
    per_page_is_the_limit judges ["headers/per-page"] by sampled();
    /// X-Has-Next is true or false as the body says.
    has_next_is_as_in_the_body judges ["headers/has-next"] by sampled();
    /// X-Has-Prev is true or false as the body says.
    has_prev_is_as_in_the_body judges ["headers/has-prev"] by sampled();
    /// Pagination headers come with lists and with nothing else.
    pagination_headers_come_with_lists_alone judges ["headers/pagination-list-only"] by sampled();
    /// Content-Length counts bytes, not characters.
    content_length_counts_bytes judges ["headers/content-length"];
    /// An answer without a body has none in its framing either.
    bodiless_answers_frame_nothing judges ["headers/bodiless-framing"];
    /// Rate-limit headers stay away, or come together, or are those of a gateway.
    rate_limit_headers_stay_away judges ["headers/rate-limit"];
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

fn rate_limit_headers_stay_away(cx: &CaseContext<'_>) -> CaseResult {
    let names = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset", "x-ratelimit-policy"];
    for reply in [cx.get("/libros?limit=1").key(cx.test_key()).send()?, cx.get("/revistas").send()?] {
        let sent = reply.received().headers.iter().map(|(name, _)| name.to_ascii_lowercase());
        let sent: BTreeSet<_> = sent.filter(|name| name.starts_with("x-ratelimit-")).collect();
        let are = |names: &[&str]| sent.len() == names.len() && names.iter().all(|name| sent.contains(*name));
        // The documents neither demand the group nor forbid those of a gateway, which have names of their own.
        let readings = [("none", sent.is_empty()), ("all", are(&names)), ("some", are(&names[..3])), ("other", true)];
        cx.observe(&readings, format!("{sent:?}")).seen_in([&reply])?;
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
