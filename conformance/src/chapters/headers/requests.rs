//! What headers of the request may and may not change, and which headers of its own an answer may have.

use crate::chapters::prelude::*;

cases! { "headers";
    /// OPTIONS may name a media type, the ETag of its empty body, or how long to keep it, as a library adds them.
    options_may_have_a_content_type judges ["headers/options-own"];
    /// Reports which headers of the HTTP library an answer carries.
    headers_of_the_library_are_told judges ["headers/library-headers"];
    /// An X-Request-ID comes back in no header and in no body; the target may make one of its own.
    request_id_is_not_echoed judges ["headers/request-id-unseen"];
    /// Accept changes nothing, or a media type other than JSON cannot be had.
    accept_changes_nothing judges ["headers/request-accept"];
    /// Bodies are plain, or compressed as Accept-Encoding asks and Content-Encoding says.
    bodies_may_be_compressed judges ["headers/request-accept-encoding"];
    /// Cache-Control of the request changes nothing, or no-cache answers in full.
    cache_control_of_the_request_changes_nothing judges ["headers/request-cache-control"];
    /// Names of request headers are recognised in any letter case.
    request_header_names_are_known_in_any_case judges ["headers/request-names-any-case"];
}

/// What is wrong with an answer to a request with an id is judged of every one.
fn request_id_is_not_echoed(cx: &CaseContext<'_>) -> CaseResult {
    let id = cx.unique("peticion");
    for request in [
        cx.get("/libros?limit=1").key(cx.test_key()),
        cx.get("/revistas"),
        cx.get("/libros"),
        cx.post("/libros").key(cx.test_key()).json(&json!({})),
    ] {
        request.header("X-Request-ID", &id).send()?;
    }
    Ok(())
}

fn accept_changes_nothing(cx: &CaseContext<'_>) -> CaseResult {
    let book = books::create(cx, &json!({}))?;
    let plain = cx.get(&book.path()).key(cx.test_key()).send()?.prepared("reading a book", 200)?;
    for kind in ["text/html", "application/xml", "application/json;q=0", "image/*"] {
        let reply = cx.get(&book.path()).key(cx.test_key()).header("Accept", kind).send()?;
        let is_same = reply.json() == plain.json() && reply.header("Content-Type") == plain.header("Content-Type");
        let readings = [("none", reply.status() == 200 && is_same), ("406", reply.status() == 406)];
        cx.observe(&readings, format!("Accept: {kind}: {}", reply.summary())).seen_in([&plain, &reply])?;
    }
    Ok(())
}

fn bodies_may_be_compressed(cx: &CaseContext<'_>) -> CaseResult {
    let book = books::create(cx, &json!({ "sinopsis": "x".repeat(2_000) }))?;
    let plain = cx.get(&book.path()).key(cx.test_key()).send()?.prepared("reading a book", 200)?;
    for coding in ["gzip", "br, gzip, deflate, zstd"] {
        let reply = cx.get(&book.path()).key(cx.test_key()).header("Accept-Encoding", coding).send()?;
        let is_same = reply.json() == plain.json();
        let told = reply.header("Content-Encoding").unwrap_or_default();
        let is_asked_for = coding.split(", ").any(|asked| told == asked);
        let readings = [
            ("none", reply.status() == 200 && is_same && told.is_empty()),
            ("compressed", reply.status() == 200 && !is_same && is_asked_for),
        ];
        let got = format!("Accept-Encoding: {coding}: {told} {}", reply.status());
        cx.observe(&readings, got).seen_in([&plain, &reply])?;
    }
    Ok(())
}

fn cache_control_of_the_request_changes_nothing(cx: &CaseContext<'_>) -> CaseResult {
    let book = books::create(cx, &json!({}))?;
    let plain = cx.get(&book.path()).key(cx.test_key()).send()?.prepared("reading a book", 200)?;
    let tag = plain.header("ETag").unwrap_or_default();
    let ask = |directive: &str| cx.get(&book.path()).key(cx.test_key()).header("Cache-Control", directive);
    for directive in ["no-cache", "no-store", "max-age=0", "only-if-cached"] {
        let reply = ask(directive).send()?;
        let readings = [("none", reply.status() == 200 && reply.json() == plain.json())];
        cx.observe(&readings, format!("Cache-Control: {directive}: {}", reply.summary())).seen_in([&plain, &reply])?;
    }
    let unchanged = cx.get(&book.path()).key(cx.test_key()).header("If-None-Match", &tag).send()?;
    unchanged.prepared("asking for an unchanged book", 304)?;
    let reply = ask("no-cache").header("If-None-Match", &tag).send()?;
    let readings = [("none", reply.status() == 304), ("full", reply.status() == 200)];
    cx.observe(&readings, format!("Cache-Control: no-cache with If-None-Match: {}", reply.summary()))
}

fn request_header_names_are_known_in_any_case(cx: &CaseContext<'_>) -> CaseResult {
    cx.get("/libros?limit=1").key(cx.test_key()).send()?.prepared("listing with a key", 200)?;
    for name in ["x-api-key", "X-API-KEY", "x-Api-Key"] {
        cx.get("/libros?limit=1").header(name, cx.test_key()).send()?.check().status(200)?;
    }
    echoed(&cx.get("/revistas").header("X-API-Version", "2").send()?)?;
    for name in ["x-api-version", "X-API-VERSION"] {
        cx.get("/revistas").header(name, "2").send()?.check().header("X-API-Version", "2")?;
    }
    Ok(())
}

fn echoed(reply: &Reply) -> Result<(), CaseError> {
    if reply.header("X-API-Version").as_deref() == Some("2") {
        return Ok(());
    }
    Err(CaseError::blocked("asking for version 2", "the label does not come back"))
}

fn headers_of_the_library_are_told(cx: &CaseContext<'_>) -> CaseResult {
    const LIBRARY: [&str; 5] = ["Date", "Connection", "Keep-Alive", "Transfer-Encoding", "Content-Length"];
    let reply = cx.get("/libros?limit=1").key(cx.test_key()).send()?.prepared("listing", 200)?;
    let sent: Vec<&str> = LIBRARY.into_iter().filter(|name| reply.header(name).is_some()).collect();
    cx.tell(sent.join(", "))
}

fn options_may_have_a_content_type(cx: &CaseContext<'_>) -> CaseResult {
    for path in ["/libros", "/auth/login", "/revistas"] {
        let reply = cx.request("OPTIONS", path).send()?;
        let own = ["Content-Type", "ETag", "Cache-Control"];
        let own = own.map(|name| format!("{name}: {}", reply.header(name).unwrap_or_default()));
        cx.tell(format!("OPTIONS {path}: {}", own.join(", ")))?;
    }
    Ok(())
}
