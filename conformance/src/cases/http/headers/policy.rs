//! The cache policy of each operation, the pagination headers, and how bodies are framed.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::case::{CaseContext, CaseError, CaseResult, cases};
use crate::cases::http::headers::answers::{self, Answers};
use crate::contract::violation::Place;
use crate::fixture::books;
use crate::http::reply::{Reply, SeenIn as _};
use crate::http::request::Request;

cases! { "headers";
    /// A list may be kept for five minutes by anyone.
    list_is_public_for_300_s judges ["headers/cache-list"];
    /// A single book may be kept for a minute by its reader.
    book_is_private_for_60_s judges ["headers/cache-book"];
    /// What may be kept carries neither Pragma nor Expires.
    cached_answers_have_no_pragma_or_expires judges ["headers/cached-without-pragma"];
    /// Create, replace and delete may not be kept.
    writes_are_not_cached judges ["headers/cache-write"];
    /// Registration, login, API keys and the two-factor status may not be kept.
    auth_answers_are_not_cached judges ["headers/cache-auth"];
    /// A 404 may not be kept, not even that of a book.
    not_found_is_not_cached judges ["headers/cache-not-found"];
    /// A 400 and a 405 may not be kept.
    refusals_are_not_cached judges ["headers/cache-error"];
    /// Where nothing may be kept, Cache-Control says so in full.
    no_cache_says_no_store judges ["headers/no-cache-control"] by no_cache_value(0);
    /// Where nothing may be kept, Pragma says so.
    no_cache_has_pragma judges ["headers/no-cache-pragma"] by no_cache_value(1);
    /// Where nothing may be kept, Expires is 0.
    no_cache_has_expires judges ["headers/no-cache-expires"] by no_cache_value(2);
    /// X-Total-Count is the total of the body, on full and empty lists.
    total_count_is_the_total judges ["headers/total-count"] by repeats("X-Total-Count", "total");
    /// X-Page-Count is the number of pages of the body.
    page_count_is_the_pages judges ["headers/page-count"] by repeats("X-Page-Count", "pages");
    /// X-Current-Page is the page of the body.
    current_page_is_the_page judges ["headers/current-page"] by repeats("X-Current-Page", "page");
    /// X-Per-Page is the limit of the body, also where it was clamped.
    per_page_is_the_limit judges ["headers/per-page"] by repeats("X-Per-Page", "limit");
    /// X-Has-Next is true or false as the body says.
    has_next_is_as_in_the_body judges ["headers/has-next"] by repeats("X-Has-Next", "hasNext");
    /// X-Has-Prev is true or false as the body says.
    has_prev_is_as_in_the_body judges ["headers/has-prev"] by repeats("X-Has-Prev", "hasPrev");
    /// Pagination headers come with lists and with nothing else.
    pagination_headers_come_with_lists_alone judges ["headers/pagination-list-only"];
    /// Content-Length counts bytes, not characters.
    content_length_counts_bytes judges ["headers/content-length"];
    /// An answer without a body has none in its framing either.
    bodiless_answers_frame_nothing judges ["headers/bodiless-framing"];
    /// Rate-limit headers stay away, or come together, or are those of a gateway.
    rate_limit_headers_stay_away judges ["headers/rate-limit"];
    /// A rate-limit policy, if there is one, is the limit over sixty seconds.
    rate_limit_policy_is_per_minute judges ["headers/rate-limit-policy"];
}

fn list_is_public_for_300_s(cx: &CaseContext<'_>) -> CaseResult {
    let set = books::create_set(cx, &[json!({})])?;
    for path in [set.path(""), set.path("titulo=nada"), set.path("fields=titulo&page=9")] {
        let reply = cx.get(&path).key(cx.test_key()).send()?.prepared("listing", 200)?;
        reply.check().header("Cache-Control", "public, max-age=300")?;
    }
    Ok(())
}

fn book_is_private_for_60_s(cx: &CaseContext<'_>) -> CaseResult {
    let book = books::create(cx, &json!({}))?;
    let reply = cx.get(&book.path()).key(cx.test_key()).send()?.prepared("reading", 200)?;
    reply.check().header("Cache-Control", "private, max-age=60")?;
    Ok(())
}

fn cached_answers_have_no_pragma_or_expires(cx: &CaseContext<'_>) -> CaseResult {
    let book = books::create(cx, &json!({}))?;
    for path in ["/libros?limit=1".to_owned(), book.path()] {
        let reply = cx.get(&path).key(cx.test_key()).send()?.prepared("reading", 200)?;
        reply.check().no_header("Pragma")?.no_header("Expires")?;
    }
    Ok(())
}

const NO_CACHE: [(&str, &str); 3] =
    [("Cache-Control", "no-cache, no-store, must-revalidate"), ("Pragma", "no-cache"), ("Expires", "0")];

/// The whole no-cache group is there; its values have cases of their own, so here it is enough that nothing may be kept.
fn not_cached(answers: &Answers) -> CaseResult {
    for (what, reply) in answers {
        for (name, _) in NO_CACHE {
            let got = reply.header(name);
            let holds = match name {
                "Cache-Control" => got.as_ref().is_some_and(|value| value.contains("no-cache")),
                _ => got.is_some(),
            };
            let place = Place::header(name).of(what);
            reply.check().that(holds, place, "of the no-cache group", got)?;
        }
    }
    Ok(())
}

fn writes(cx: &CaseContext<'_>) -> Result<Answers, CaseError> {
    let book = books::create(cx, &json!({}))?;
    let body = json!({ "titulo": "Rayuela" });
    let replaced = cx.put(&book.path()).key(cx.admin_key()).json(&body).send()?.prepared("replacing", 200)?;
    let deleted = cx.delete(&book.path()).key(cx.admin_key()).send()?.prepared("deleting", 204)?;
    Ok(vec![("a created book", book.reply), ("a replaced book", replaced), ("a deletion", deleted)])
}

fn writes_are_not_cached(cx: &CaseContext<'_>) -> CaseResult {
    not_cached(&writes(cx)?)
}

fn auth_answers_are_not_cached(cx: &CaseContext<'_>) -> CaseResult {
    not_cached(&answers::auth_successes(cx)?)
}

fn not_found_is_not_cached(cx: &CaseContext<'_>) -> CaseResult {
    not_cached(&answers::not_found(cx)?)
}

fn refusals_are_not_cached(cx: &CaseContext<'_>) -> CaseResult {
    not_cached(&answers::refused(cx)?)
}

fn no_cache_value(cx: &CaseContext<'_>, index: usize) -> CaseResult {
    let (name, value) = NO_CACHE[index];
    for answers in [writes(cx)?, answers::auth_successes(cx)?, answers::not_found(cx)?, answers::refused(cx)?] {
        for (_, reply) in answers {
            reply.check().header(name, value)?;
        }
    }
    Ok(())
}

/// The header repeats a value of the pagination object, on lists that differ in it.
fn repeats(cx: &CaseContext<'_>, name: &str, key: &str) -> CaseResult {
    let set = books::create_set(cx, &[json!({ "n": 1 }), json!({ "n": 2 }), json!({ "n": 3 })])?;
    for parameters in ["", "limit=1", "limit=1&page=2", "limit=2&page=2", "page=3", "limit=500", "titulo=nada"] {
        let reply = cx.get(&set.path(parameters)).key(cx.test_key()).send()?.prepared("listing", 200)?;
        let want = match reply.at(&format!("/metadata/paginacion/{key}")) {
            Some(Value::String(text)) => text,
            Some(value) => value.to_string(),
            None => "what paginacion says".into(),
        };
        match want.as_str() {
            // Words for truth are written in several ways: `str(True)` in Python is `True`.
            "true" | "false" => reply.check().header_in_any_case(name, &want)?,
            _ => reply.check().header(name, &want)?,
        };
    }
    Ok(())
}

fn pagination_headers_come_with_lists_alone(cx: &CaseContext<'_>) -> CaseResult {
    let mut others = writes(cx)?;
    let book = books::create(cx, &json!({}))?;
    others.push(("a book", cx.get(&book.path()).key(cx.test_key()).send()?.prepared("reading", 200)?));
    others.extend(answers::not_found(cx)?);
    others.extend(answers::refused(cx)?);
    others.extend(answers::denied(cx)?);
    others.extend(answers::auth_successes(cx)?);
    for (_, reply) in others {
        let check = reply.check();
        for name in ["X-Total-Count", "X-Page-Count", "X-Current-Page", "X-Per-Page", "X-Has-Next", "X-Has-Prev"] {
            check.no_header(name)?;
        }
    }
    Ok(())
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
