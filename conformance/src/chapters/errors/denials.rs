//! What every 401 looks like, whatever led to it. Other chapters judge which request leads to one, and to which code.

use crate::chapters::prelude::*;
use crate::clock;
use crate::http::challenge;

cases! { "errors";
    /// A 401 is { error } of exactly codigo, mensaje and timestamp, with the code of its credential, a challenge, and
    /// JSON as its type.
    a_denial_is_whole judges [
        "errors/401-body", "errors/401-mensaje", "errors/401-challenge", "errors/401-code", "errors/401-content-type",
    ];
    /// timestamp of a 401 is the time of the answer, in the documents' form.
    a_denial_tells_the_time judges ["errors/401-timestamp"];
    /// timestamp of a 401 follows the service's clock.
    a_denial_follows_the_clock judges ["errors/401-timestamp"] needs [Need::Clock];
    /// Refusals of each kind have a status that the table of errors names.
    refusals_have_statuses_of_the_table judges ["errors/statuses"];
    /// Where a body that cannot be read gets a 500 instead of a 400, it has the documented body all the same.
    a_500_has_its_body judges ["errors/500-body"];
    /// The realm of all 401s is one name, without quotes or with.
    the_realm_of_denials judges ["errors/401-realm"];
}

/// The 401 of every cause; what answers otherwise is left out, for others to check.
fn denials(cx: &CaseContext<'_>) -> Result<Vec<Reply>, CaseError> {
    let book = json!({ "titulo": "x", "autor": "y" });
    let user = &cx.target().credentials.regular_user;
    let tokens = users::log_in(cx, &user.email, &user.password)?;
    let mut requests = vec![
        cx.post("/libros").bearer(&tokens.session).json(&book),
        cx.post("/libros").jwt(&tokens.jwt).json(&book),
        cx.get("/libros"),
        cx.get("/libros/1"),
        cx.post("/libros").json(&book),
        cx.get("/libros").header("Authorization", "Basic YTpi"),
        cx.get("/libros").key("ak_nobody"),
        cx.get("/libros").bearer("0123456789abcdef"),
        cx.get("/libros").jwt("a.b.c"),
        cx.get("/libros").jwt("abc"),
        cx.delete(&books::unknown_path(cx)).key(cx.test_key()),
        cx.get("/auth/api-keys"),
        cx.get("/auth/api-keys").key(cx.admin_key()),
        cx.post("/auth/api-keys").bearer("0123456789abcdef").json(&json!({ "nombre": "x" })),
    ];
    if cx.holds_second_factor() {
        requests.extend([
            cx.get("/2fa/status"),
            cx.get("/2fa/status").key("ak_nobody"),
            cx.get("/2fa/status").bearer("0123456789abcdef"),
            cx.get("/2fa/status").jwt("a.b.c"),
        ]);
    }
    let mut denied = Vec::new();
    for request in requests {
        let reply = books::adopt(cx, request.send()?);
        if reply.status() == 401 {
            denied.push(reply);
        }
    }
    if denied.is_empty() {
        return Err(CaseError::blocked("being denied", "no request without a valid credential is 401"));
    }
    Ok(denied)
}

/// What every 401 must hold is judged of each.
fn a_denial_is_whole(cx: &CaseContext<'_>) -> CaseResult {
    denials(cx).map(drop)
}

fn a_denial_tells_the_time(cx: &CaseContext<'_>) -> CaseResult {
    let before = cx.target_now()?;
    denials(cx)?.iter().try_for_each(|reply| tells_the_time(cx, reply, before))
}

/// The time is about now, in whatever form: another case judges that.
fn tells_the_time(cx: &CaseContext<'_>, reply: &Reply, before: i64) -> CaseResult {
    let check = reply.check_rule("errors/401-timestamp");
    let text = reply.text_at("/error/timestamp");
    let time = clock::parse_any_iso(&text);
    check.at_where("/error/timestamp", clock::ANY_ISO_FORM, |_| time.is_some())?;
    let is_now = time::is_now(cx, time.unwrap_or_default(), before)?;
    check.that(is_now, Place::body("/error/timestamp"), format!("about {}", clock::iso(before)), text).map(drop)
}

fn a_denial_follows_the_clock(cx: &CaseContext<'_>) -> CaseResult {
    cx.advance(3_600.0)?;
    let before = cx.target_now()?;
    denials(cx)?.iter().try_for_each(|reply| tells_the_time(cx, reply, before))
}

/// The text after `realm=` in a challenge of the scheme Bearer.
fn realm(reply: &Reply) -> Option<String> {
    challenge::bearer_realm(&reply.header("WWW-Authenticate")?).map(str::to_owned)
}

fn the_realm_of_denials(cx: &CaseContext<'_>) -> CaseResult {
    let realms: Vec<Option<String>> = denials(cx)?.iter().map(realm).collect();
    let Some(first) = realms.first().cloned().flatten() else {
        return Err(CaseError::blocked("reading a challenge", "there is no Bearer realm=<a name>"));
    };
    let is_one = realms.iter().flatten().all(|realm| *realm == first);
    let is_quoted = first.len() > 2 && first.starts_with('"') && first.ends_with('"');
    let readings = [("bare", is_one && !first.contains('"')), ("quoted", is_one && is_quoted)];
    cx.observe(&readings, format!("{realms:?}"))
}

fn refusals_have_statuses_of_the_table(cx: &CaseContext<'_>) -> CaseResult {
    let user = users::register(cx, "user")?;
    let again = json!({ "email": user.email, "password": user.password });
    let tokens = users::log_in(cx, &user.email, &user.password)?;
    for request in [
        cx.post("/auth/registro").json(&again),
        cx.post("/libros").key(cx.admin_key()).json(&json!({ "autor": "y" })),
        cx.post("/libros").bearer(&tokens.session).json(&json!({ "titulo": "x", "autor": "y" })),
        cx.get("/auth/api-keys").bearer(&tokens.session),
        cx.delete(&books::unknown_path(cx)).key(cx.admin_key()),
    ] {
        _ = books::adopt(cx, request.send()?);
    }
    Ok(())
}

/// Other cases judge that these are 400, and every 500 is judged wherever it is met.
fn a_500_has_its_body(cx: &CaseContext<'_>) -> CaseResult {
    for path in ["/libros", "/auth/login", "/auth/registro"] {
        _ = books::adopt(cx, cx.post(path).key(cx.admin_key()).json_text(b"{\"titulo\":").send()?);
    }
    Ok(())
}
