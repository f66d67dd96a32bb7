//! What every 401 looks like, whatever led to it. Other chapters judge which request leads to one, and to which code.

use serde_json::{Value, json};

use crate::case::{CaseContext, CaseError, CaseResult, Need, cases};
use crate::clock;
use crate::contract::violation::Place;
use crate::fixture::{books, time, users};
use crate::http::challenge;
use crate::http::reply::Reply;

cases! { "errors";
    /// A 401 is { error } of exactly codigo, mensaje and timestamp.
    a_denial_has_three_fields judges ["errors/401-body"];
    /// What denies a user for lack of permission, with session or JWT, is no different.
    denials_of_a_user_look_like_any_other judges ["errors/401-body", "errors/401-mensaje", "errors/401-timestamp",
        "errors/401-challenge"];
    /// mensaje of a 401 is a text.
    a_denial_says_why judges ["errors/401-mensaje"];
    /// timestamp of a 401 is the time of the answer, in the documents' form.
    a_denial_tells_the_time judges ["errors/401-timestamp"];
    /// timestamp of a 401 follows the service's clock.
    a_denial_follows_the_clock judges ["errors/401-timestamp"] needs [Need::Clock];
    /// A 401 carries WWW-Authenticate with Bearer and a realm.
    a_denial_names_scheme_and_realm judges ["errors/401-challenge"];
    /// `codigo` of a 401 is that of the kind of credential sent, on every kind of route.
    a_denial_names_the_code_of_its_credential judges ["errors/401-code"];
    /// Refusals of each kind have a status that the table of errors names.
    refusals_have_statuses_of_the_table judges ["errors/statuses"];
    /// Where a body that cannot be read gets a 500 instead of a 400, it has the documented body all the same.
    a_500_has_its_body judges ["errors/500-body"];
    /// The realm of all 401s is one name, without quotes or with.
    the_realm_of_denials judges ["errors/401-realm"];
    /// Content-Type of a 401 is application/json, with or without a charset.
    the_content_type_of_denials judges ["errors/401-content-type"];
}

/// The 401 of every cause that needs no preparation; what answers otherwise is left out, for others to check.
fn denials(cx: &CaseContext<'_>) -> Result<Vec<Reply>, CaseError> {
    let book = json!({ "titulo": "x", "autor": "y" });
    let requests = [
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
        cx.get("/2fa/status"),
        cx.get("/2fa/status").jwt("a.b.c"),
    ];
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

fn a_denial_has_three_fields(cx: &CaseContext<'_>) -> CaseResult {
    denials(cx)?.iter().try_for_each(has_three_fields)
}

fn has_three_fields(reply: &Reply) -> CaseResult {
    reply.check_rule("errors/401-body").keys("", &["error"])?.keys("/error", &["codigo", "mensaje", "timestamp"])?;
    Ok(())
}

fn denials_of_a_user_look_like_any_other(cx: &CaseContext<'_>) -> CaseResult {
    let user = &cx.target().credentials.regular_user;
    let tokens = users::log_in(cx, &user.email, &user.password)?;
    let before = cx.target_now()?;
    let create = || cx.post("/libros").json(&json!({ "titulo": "x", "autor": "y" }));
    for request in [create().bearer(&tokens.session), create().jwt(&tokens.jwt)] {
        let reply = books::adopt(cx, request.send()?).prepared("being denied a create", 401)?;
        has_three_fields(&reply)?;
        says_why(&reply)?;
        tells_the_time(cx, &reply, before)?;
        names_scheme_and_realm(&reply)?;
    }
    Ok(())
}

fn a_denial_says_why(cx: &CaseContext<'_>) -> CaseResult {
    denials(cx)?.iter().try_for_each(says_why)
}

fn says_why(reply: &Reply) -> CaseResult {
    let is_text = |mensaje: &Value| mensaje.as_str().is_some_and(|text| !text.trim().is_empty());
    reply.check_rule("errors/401-mensaje").at_where("/error/mensaje", "a text", is_text)?;
    Ok(())
}

fn a_denial_tells_the_time(cx: &CaseContext<'_>) -> CaseResult {
    let before = cx.target_now()?;
    let is_in_form = |text: &Value| clock::parse_iso(text.as_str().unwrap_or_default()).is_some();
    for reply in denials(cx)? {
        reply.check_rule("errors/401-timestamp").at_where("/error/timestamp", clock::ISO_FORM, is_in_form)?;
        tells_the_time(cx, &reply, before)?;
    }
    Ok(())
}

/// The time is about now, in whatever form: another case judges that.
fn tells_the_time(cx: &CaseContext<'_>, reply: &Reply, before: i64) -> CaseResult {
    let check = reply.check_rule("errors/401-timestamp");
    let text = reply.text_at("/error/timestamp");
    let time = clock::parse_any_iso(&text);
    check.at_where("/error/timestamp", clock::ANY_ISO_FORM, |_| time.is_some())?;
    let is_now = time::is_now(cx, time.unwrap_or_default(), before)?;
    check.that(is_now, Place::body("/error/timestamp"), format!("about {}", clock::iso(before)), text)?;
    Ok(())
}

fn a_denial_follows_the_clock(cx: &CaseContext<'_>) -> CaseResult {
    cx.advance(3_600.0)?;
    let before = cx.target_now()?;
    denials(cx)?.iter().try_for_each(|reply| tells_the_time(cx, reply, before))
}

/// What stands after `realm=` in a challenge of the scheme Bearer.
fn realm(reply: &Reply) -> Option<String> {
    challenge::bearer_realm(&reply.header("WWW-Authenticate")?).map(str::to_owned)
}

fn a_denial_names_scheme_and_realm(cx: &CaseContext<'_>) -> CaseResult {
    denials(cx)?.iter().try_for_each(names_scheme_and_realm)
}

fn names_scheme_and_realm(reply: &Reply) -> CaseResult {
    let got = reply.header("WWW-Authenticate").unwrap_or_else(|| "absent".into());
    reply.check_rule("errors/401-challenge").that(
        realm(reply).is_some(),
        Place::header("WWW-Authenticate"),
        "Bearer realm=<a name>",
        got,
    )?;
    Ok(())
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

fn the_content_type_of_denials(cx: &CaseContext<'_>) -> CaseResult {
    for reply in denials(cx)? {
        reply.check().says_json()?;
    }
    Ok(())
}

fn a_denial_names_the_code_of_its_credential(cx: &CaseContext<'_>) -> CaseResult {
    let second_factor = cx.holds_second_factor().then_some("/2fa/status");
    for path in ["/libros", "/auth/api-keys"].into_iter().chain(second_factor) {
        cx.get(path).send()?.check().denied("NO_AUTENTICADO")?;
        cx.get(path).key("ak_ninguna").send()?.check().denied("API_KEY_INVALIDA")?;
        cx.get(path).bearer(&"0".repeat(64)).send()?.check().denied("TOKEN_INVALIDO")?;
        cx.get(path).jwt("a.b").send()?.check().denied("JWT_INVALIDO")?;
    }
    Ok(())
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
        let reply = books::adopt(cx, request.send()?);
        let is_of_table = !matches!(reply.status(), 402 | 403 | 409 | 410 | 422);
        reply.check().that(is_of_table, Place::STATUS, "400, 401, 404 or 405", reply.status())?;
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
