//! What every 401 looks like. Other chapters judge which request leads to which status and code.

use crate::chapters::prelude::*;
use crate::http::header_values;

cases! { "errors";
    /// A 401 is { error } with exactly codigo, mensaje and timestamp, the code of its credential, a challenge, and JSON as its type.
    a_denial_is_whole judges [
        "errors/401-body", "errors/401-mensaje", "errors/401-challenge", "errors/401-code", "errors/401-content-type",
    ] => |cx| {
        // The invariants judge each answer.
        denials(cx).map(drop)
    };
    /// timestamp of a 401 is the time of the answer, in the documented form.
    a_denial_tells_the_time judges ["errors/401-timestamp"] => |cx| tell_the_time(cx);
    /// timestamp of a 401 follows the service's clock.
    a_denial_follows_the_clock judges ["errors/401-timestamp"] needs [Need::Clock] => |cx| {
        cx.advance(3_600.0)?;
        tell_the_time(cx)
    };
    /// The realm of all 401s is the same name, without quotes or with.
    the_realm_of_denials judges ["errors/401-realm"] => |cx| {
        let realms: Vec<Option<String>> = denials(cx)?.iter().map(realm).collect();
        let Some(first) = realms.iter().flatten().next().cloned() else {
            return Err(CaseError::blocked("reading a challenge", "there is no Bearer realm=<a name>"));
        };
        let is_one = realms.iter().flatten().all(|realm| *realm == first);
        let is_quoted = first.len() > 2 && first.starts_with('"') && first.ends_with('"');
        cx.observe(&[("bare", is_one && !first.contains('"')), ("quoted", is_one && is_quoted)], format!("{realms:?}"))
    };
}

/// The 401 of every route to every kind of credential; leaves out other answers, which other cases judge.
fn denials(cx: &CaseContext<'_>) -> Result<Vec<Reply>, CaseError> {
    let book = json!({ "titulo": "x", "autor": "y" });
    let user = &cx.target().credentials.regular_user;
    let tokens = users::log_in(cx, &user.email, &user.password)?;
    let unknown = books::unknown_path(cx);
    let mut routes = vec![
        cx.get("/libros"),
        cx.get("/libros/1"),
        cx.post("/libros").json(&book),
        cx.put(&unknown).json(&book),
        cx.delete(&unknown),
        cx.get("/auth/api-keys"),
        cx.post("/auth/api-keys").json(&json!({ "nombre": "x" })),
    ];
    let mut requests = vec![
        cx.post("/libros").bearer(&tokens.session).json(&book),
        cx.post("/libros").jwt(&tokens.jwt).json(&book),
        cx.get("/libros").header("Authorization", "Basic YTpi"),
        cx.get("/libros").jwt("abc"),
        cx.delete(&unknown).key(cx.test_key()),
        cx.get("/auth/api-keys").key(cx.admin_key()),
    ];
    if cx.holds_second_factor() {
        routes.push(cx.get("/2fa/status"));
    }
    requests.extend(routes.into_iter().flat_map(|route| {
        let to = || route.clone();
        [to(), to().key("ak_nobody"), to().bearer("0123456789abcdef"), to().jwt("a.b.c")]
    }));
    let replies = cx.in_lanes(requests.len(), |nth| Ok(books::adopt(cx, requests[nth].clone().send()?)));
    let mut denied = replies.into_iter().collect::<Result<Vec<_>, CaseError>>()?;
    denied.retain(|reply| reply.is(401));
    let none = || CaseError::blocked("being denied", "no request without a valid credential is 401");
    if denied.is_empty() { Err(none()) } else { Ok(denied) }
}

/// The time in each answer is about now, in any form: another case judges the form.
fn tell_the_time(cx: &CaseContext<'_>) -> CaseResult {
    let before = cx.target_now()?;
    for reply in denials(cx)? {
        let text = reply.text_at("/error/timestamp");
        let time = clock::parse_any_iso(&text);
        let check = reply.check().at_where("/error/timestamp", clock::ANY_ISO_FORM, |_| time.is_some())?;
        let is_now = time::is_now(cx, time.unwrap_or_default(), before)?;
        check.that(is_now, Place::body("/error/timestamp"), format!("about {}", clock::iso(before)), text)?;
    }
    Ok(())
}

/// The text after `realm=` in a challenge of the scheme Bearer.
fn realm(reply: &Reply) -> Option<String> {
    header_values::bearer_realm(&reply.header("WWW-Authenticate")?).map(str::to_owned)
}
