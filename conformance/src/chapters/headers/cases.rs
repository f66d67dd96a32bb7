//! The headers of all answers: their policy, and what requests are given back.

use crate::chapters::conditional::tags::read;
use crate::chapters::prelude::*;
use crate::fixture::preflight;

cases! { "headers";
    /// The headers of the base, CORS, version and security groups have their values, and are sent once.
    headers_of_the_groups_have_their_values judges [
        "headers/content-type", "headers/content-type-options", "headers/frame-options", "headers/xss-protection",
        "headers/cors-methods", "headers/cors-request-headers", "headers/cors-expose", "headers/cors-max-age",
        "headers/hsts", "headers/content-security-policy", "headers/referrer-policy", "headers/permissions-policy",
        "headers/cors-origin", "headers/api-build",
        "headers/override",
    ] by sampled();
    /// The lists of CORS are spelled as the documents print them: order, letter case, a comma and a space.
    lists_are_spelled_as_printed judges ["headers/list-spelling"] by sampled();
    /// Successes of books, /auth and /2fa carry the base, CORS, version and security groups.
    successes_carry_every_group judges ["headers/success-groups"] by sampled();
    /// Refusals with 400, 404 and 405 carry the base, CORS, version and security groups.
    refusals_carry_every_group judges ["headers/error-groups"] by sampled();
    /// OPTIONS carries the CORS, security and version groups, on paths of every kind.
    options_carries_cors_security_version judges ["headers/options-groups"] by sampled();
    /// Lists may be kept for five minutes, books for a minute, anything else not at all; lists alone repeat their
    /// pagination.
    answers_of_every_kind_have_their_cache_and_pagination judges [
        "headers/cache-list", "headers/cache-book", "headers/cached-without-pragma", "headers/cache-write",
        "headers/cache-auth", "headers/cache-not-found", "headers/cache-error", "headers/no-cache-control",
        "headers/no-cache-pragma", "headers/no-cache-expires", "headers/total-count", "headers/page-count",
        "headers/current-page", "headers/per-page", "headers/has-next", "headers/has-prev",
        "headers/pagination-list-only",
    ] by sampled();
    /// Content-Length counts bytes, not characters.
    content_length_counts_bytes judges ["headers/content-length"] => |cx| {
        // A length that falls short leaves bytes after the answer's end, and an answer that is no JSON.
        let counts = |request: Request<'_>| -> Result<Reply, CaseError> {
            let (reply, after) = request.send_and_close()?;
            let received = reply.received();
            let more = format!("{} bytes more", after.len());
            let check = reply.check().header("Content-Length", &received.body.len().to_string())?;
            let check = check.that(after.is_empty(), Place::BODY, "of that length", more)?;
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
    };
    /// A rate-limit policy, if there is one, is the limit over sixty seconds.
    rate_limit_policy_is_per_minute judges ["headers/rate-limit-policy"] => |cx| {
        for reply in [cx.get("/libros?limit=1").key(cx.test_key()).send()?, cx.get("/libros").send()?] {
            let policy = reply.header("X-RateLimit-Policy");
            let per_minute = reply.header("X-RateLimit-Limit").map(|limit| format!("{limit};w=60"));
            let readings = [("none", policy.is_none()), ("minute", policy.is_some() && policy == per_minute)];
            cx.observe(&readings, format!("X-RateLimit-Policy: {}", policy.unwrap_or_default())).seen_in([&reply])?;
        }
        Ok(())
    };
    /// OPTIONS may name a media type, the ETag of its empty body, or how long to keep it, as a library adds them.
    options_may_have_a_content_type judges ["headers/options-own"] => |cx| {
        for path in ["/libros", "/auth/login", "/revistas"] {
            let reply = cx.request("OPTIONS", path).send()?;
            let own = ["Content-Type", "ETag", "Cache-Control"];
            let own = own.map(|name| format!("{name}: {}", reply.header(name).unwrap_or_default()));
            cx.tell(format!("OPTIONS {path}: {}", own.join(", ")))?;
        }
        Ok(())
    };
    /// Reports which headers of the HTTP library an answer carries.
    headers_of_the_library_are_told judges ["headers/library-headers"] => |cx| {
        const LIBRARY: [&str; 5] = ["Date", "Connection", "Keep-Alive", "Transfer-Encoding", "Content-Length"];
        let reply = cx.get("/libros?limit=1").key(cx.test_key()).send()?.prepared("listing", 200)?;
        let sent: Vec<&str> = LIBRARY.into_iter().filter(|name| reply.header(name).is_some()).collect();
        cx.tell(sent.join(", "))
    };
    /// Bodies are plain, or compressed as Accept-Encoding asks and Content-Encoding says.
    bodies_may_be_compressed judges ["headers/request-accept-encoding"] => |cx| {
        let book = books::create(cx, &json!({ "sinopsis": "x".repeat(2_000) }))?;
        let plain = read(cx, &book.path())?;
        for coding in ["gzip", "br, gzip, deflate, zstd"] {
            let reply = cx.get(&book.path()).key(cx.test_key()).header("Accept-Encoding", coding).send()?;
            let is_same = reply.json() == plain.json();
            let told = reply.header("Content-Encoding").unwrap_or_default();
            let is_asked_for = coding.split(", ").any(|asked| told == asked);
            let readings = [
                ("none", reply.is(200) && is_same && told.is_empty()),
                ("compressed", reply.is(200) && !is_same && is_asked_for),
            ];
            let got = format!("Accept-Encoding: {coding}: {told} {}", reply.status());
            cx.observe(&readings, got).seen_in([&plain, &reply])?;
        }
        Ok(())
    };
}

pub(crate) const LABEL: &str = "X-API-Version";

/// Sends for answers of every kind, once a run; what is wrong with them, the rules say that hold for all answers.
fn sampled(cx: &CaseContext<'_>) -> CaseResult {
    cx.session().sample.get_or_init(|| of_every_kind(cx, None)).clone()
}

/// Sends for answers of every kind, under a version label, if any.
pub(crate) fn of_every_kind(cx: &CaseContext<'_>, label: Option<&str>) -> CaseResult {
    let key = cx.admin_key();
    let (book, client) = (json!({ "titulo": "x", "autor": "y" }), json!({ "nombre": cx.unique("cliente") }));
    let set = books::create_set(cx, &[json!({ "n": 1 }), json!({ "n": 2 }), json!({ "n": 3 })])?;
    let (made, unknown) = (set.books[0].path(), books::unknown_path(cx));
    let (user, tokens) = users::register_and_log_in(cx, "admin")?;
    let login = |email: &str, password: &str| json!({ "email": email, "password": password });
    let pages = ["", "limit=1&page=2", "limit=2&page=2", "page=3", "limit=500", "fields=titulo&page=9", "titulo=nada"];
    let mut requests: Vec<Request<'_>> = pages.map(|page| cx.get(&set.path(page)).key(cx.test_key())).into();
    for path in ["/libros?limit=1", "/revistas"] {
        requests.push(cx.get(path).key(cx.test_key()).header("Origin", "https://lectores.example.test"));
    }
    for path in ["/libros", "/libros/1", "/auth/login", "/2fa/status", "/revistas"] {
        requests.extend(preflight::beside_plain(cx, path));
    }
    requests.extend([
        cx.get(&made).key(key),
        cx.put(&made).key(key).json(&book),
        cx.delete(&made).key(key),
        cx.post("/auth/registro").json(&login(&users::email(cx, "cabecera"), PASSWORD)),
        cx.post("/auth/login").json(&login(&user.email, &user.password)),
        cx.post("/auth/api-keys").bearer(&tokens.session).json(&client),
        cx.get("/auth/api-keys").bearer(&tokens.session),
        cx.get("/revistas"),
        cx.get(&unknown).key(key),
        cx.put(&unknown).key(key).json(&book),
        cx.delete(&unknown).key(key),
        cx.get("/auth/nada"),
        cx.post("/libros").key(key).json(&json!({ "autor": "y" })),
        cx.delete("/libros").key(key),
        cx.post("/libros").key(key).json_text(b"{"),
        cx.post("/auth/login").json(&login(users::NOBODY, "x")),
        cx.request("PATCH", "/libros"),
        cx.get("/libros"),
        cx.get("/libros").key("ak_ninguna"),
        cx.get("/libros").bearer(&"0".repeat(64)),
        cx.get("/libros").jwt("a.b"),
    ]);
    if cx.holds_second_factor() {
        requests.extend([
            cx.get("/auth/verify-2fa"),
            cx.get("/2fa/status").bearer(&tokens.session),
            cx.get("/2fa/trusted-devices").jwt(&tokens.jwt),
            cx.get("/2fa/status").key(key),
        ]);
    }
    let labelled = |request: Request<'_>| match label {
        Some(label) => request.header(LABEL, label).send(),
        None => request.send(),
    };
    requests.into_iter().try_for_each(|request| labelled(request).map(drop))?;
    _ = books::adopt(cx, labelled(cx.post("/libros").key(key).json(&book))?);
    Ok(())
}
