//! Methods that book paths refuse.

use crate::chapters::prelude::*;

cases! { "books";
    /// PATCH is 405 on book paths, with an id or without, of a known book or none.
    other_methods_are_405 judges ["books/method-not-allowed"];
    /// The 405 needs no credential and minds no failing one.
    other_methods_are_405_before_the_credential judges ["books/method-before-credential"];
    /// PATCH with malformed JSON as its body is 405, or 400.
    other_methods_are_405_before_the_body_is_read judges ["books/method-before-body"];
    /// HEAD is 405 without a credential, or served as GET; never with a body.
    head_is_refused_or_served_as_get judges ["books/head"];
}

fn other_methods_are_405(cx: &CaseContext<'_>) -> CaseResult {
    let made = books::create(cx, &json!({}))?;
    let before = books::stored(cx, made.id)?;
    let paths = [made.path(), books::unknown_path(cx), "/libros".into(), "/libros/abc".into()];
    for path in paths {
        cx.request("PATCH", &path)
            .key(cx.admin_key())
            .json(&json!({ "titulo": "Otro" }))
            .send()?
            .check()
            .status(405)?;
    }
    cx.get(&made.path()).key(cx.admin_key()).send()?.check().status(200)?.body(&before).map(drop)
}

fn other_methods_are_405_before_the_credential(cx: &CaseContext<'_>) -> CaseResult {
    let made = books::create(cx, &json!({}))?;
    for path in ["/libros".to_owned(), made.path()] {
        cx.get(&path).key("ak_nobody").send()?.prepared("having an unknown key refused", 401)?;
        let patch = || cx.request("PATCH", &path).json(&json!({ "titulo": "Otro" }));
        let requests = [patch(), patch().key("ak_nobody"), patch().bearer("0123456789abcdef"), patch().jwt("a.b.c")];
        for request in requests {
            request.send()?.check().status(405)?;
        }
    }
    Ok(())
}

fn other_methods_are_405_before_the_body_is_read(cx: &CaseContext<'_>) -> CaseResult {
    let made = books::create(cx, &json!({}))?;
    for path in ["/libros".to_owned(), made.path()] {
        let reply = cx.request("PATCH", &path).key(cx.admin_key()).json_text(b"{\"titulo\":").send()?;
        cx.observe(&[("405", reply.status() == 405), ("400", reply.status() == 400)], reply.summary())?;
    }
    Ok(())
}

fn head_is_refused_or_served_as_get(cx: &CaseContext<'_>) -> CaseResult {
    let made = books::create(cx, &json!({}))?;
    for path in ["/libros".to_owned(), made.path()] {
        let stranger = concurrency::send_two(cx, "HEAD", &path, None)?;
        let known = concurrency::send_two(cx, "HEAD", &path, Some(cx.admin_key()))?;
        let statuses = (stranger.first.status, known.first.status);
        let has_body = stranger.spoilt.is_some() || known.spoilt.is_some();
        let readings = [("405", !has_body && statuses == (405, 405)), ("get", !has_body && statuses == (401, 200))];
        let body = if has_body { ", and a body after one of them" } else { "" };
        cx.observe(&readings, format!("without and with a credential {statuses:?}{body}"))?;
    }
    Ok(())
}
