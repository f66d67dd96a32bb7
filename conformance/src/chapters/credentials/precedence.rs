//! Which credential counts when there are several.

use crate::chapters::prelude::*;
use crate::fixture::users::Tokens;

cases! { "credentials";
    /// A valid key is let in beside a token or scheme that would fail.
    a_valid_key_is_let_in_beside_a_failing_token judges ["credentials/key-first"];
    /// With a valid key and a valid token it is the client of the key who creates and replaces.
    the_client_of_the_key_acts_not_the_user judges ["credentials/key-first"];
    /// The order of the two headers is nothing.
    the_order_of_the_headers_is_nothing judges ["credentials/key-first"];
    /// On /auth/api-keys and /2fa a valid key counts before a token, whether that is valid or fails.
    a_key_counts_first_on_every_protected_route judges ["credentials/key-first"];
    /// On /auth/api-keys and /2fa an unknown key is denied as such beside a valid session or JWT.
    an_unknown_key_is_denied_on_every_protected_route judges ["credentials/key-no-fall-through"];
    /// An unknown key is denied as such beside a valid session or JWT.
    an_unknown_key_is_denied_beside_a_valid_token judges ["credentials/key-no-fall-through"];
    /// A key that lacks the permission is denied as such beside a session or JWT that holds it.
    a_key_lacking_the_permission_is_denied_beside_a_valid_token judges ["credentials/key-no-fall-through"];
}

/// Tokens of the initial admin, who may read, write and delete.
fn admin(cx: &CaseContext<'_>) -> Result<Tokens, CaseError> {
    let admin = &cx.target().credentials.admin_user;
    users::log_in(cx, &admin.email, &admin.password)
}

fn a_valid_key_is_let_in_beside_a_failing_token(cx: &CaseContext<'_>) -> CaseResult {
    for value in ["Bearer 0123456789abcdef", "JWT a.b.c", "JWT x", "Basic YTpi", "Bearer"] {
        cx.get("/libros?limit=1").key(cx.test_key()).header("Authorization", value).send()?.check().status(200)?;
    }
    Ok(())
}

fn the_client_of_the_key_acts_not_the_user(cx: &CaseContext<'_>) -> CaseResult {
    let book = json!({ "titulo": "Hijo de hombre", "autor": "Augusto Roa Bastos" });
    let post = || cx.post("/libros").json(&book);
    let creator = |reply| -> Result<Option<Value>, CaseError> { Ok(books::created(cx, reply)?.reply.at("/creadoPor")) };
    let tokens = admin(cx)?;
    let client = creator(post().key(cx.test_key()).send()?)?;
    let user = creator(post().bearer(&tokens.session).send()?)?;
    if client.is_none() || client == user {
        return Err(CaseError::blocked("telling client and user apart by creadoPor", format!("both are {client:?}")));
    }
    let want = client.unwrap_or_default();
    let with_session = books::adopt(cx, post().key(cx.test_key()).bearer(&tokens.session).send()?);
    let with_jwt = books::adopt(cx, post().key(cx.test_key()).jwt(&tokens.jwt).send()?);
    for reply in [with_session, with_jwt] {
        reply.check().status(201)?.at("/creadoPor", &want)?;
    }
    Ok(())
}

fn the_order_of_the_headers_is_nothing(cx: &CaseContext<'_>) -> CaseResult {
    cx.get("/libros?limit=1").bearer("0123456789abcdef").key(cx.test_key()).send()?.check().status(200).map(drop)
}

fn a_key_counts_first_on_every_protected_route(cx: &CaseContext<'_>) -> CaseResult {
    let (_, keeper) = users::register_and_log_in(cx, "admin")?;
    let key = clients::create_as(cx, &keeper, &["manage:api_keys"])?.key;
    let list = || cx.get("/auth/api-keys").key(&key);
    list().send()?.prepared("listing keys with the key alone", 200)?;
    for request in [list().bearer("0123456789abcdef"), list().jwt("a.b.c")] {
        request.send()?.check().status(200)?;
    }
    if cx.holds_second_factor() {
        let status = || cx.get("/2fa/status");
        status().bearer(&keeper.session).send()?.prepared("asking for the status with the session alone", 200)?;
        // A key names no user.
        for request in [status().bearer(&keeper.session), status().jwt(&keeper.jwt)] {
            request.key(cx.test_key()).send()?.check().status(400)?;
        }
    }
    Ok(())
}

fn an_unknown_key_is_denied_on_every_protected_route(cx: &CaseContext<'_>) -> CaseResult {
    let (_, keeper) = users::register_and_log_in(cx, "admin")?;
    let mut routes = vec![cx.get("/auth/api-keys"), cx.get("/auth/api-keys")];
    cx.get("/auth/api-keys").bearer(&keeper.session).send()?.prepared("listing keys with the session alone", 200)?;
    if cx.holds_second_factor() {
        cx.get("/2fa/status").bearer(&keeper.session).send()?.prepared("asking for the status", 200)?;
        routes.extend([cx.get("/2fa/status"), cx.get("/2fa/trusted-devices")]);
    }
    for (number, request) in routes.into_iter().enumerate() {
        let request = request.key("ak_nobody");
        let request = if number % 2 == 0 { request.bearer(&keeper.session) } else { request.jwt(&keeper.jwt) };
        request.send()?.check().denied("API_KEY_INVALIDA")?;
    }
    Ok(())
}

fn an_unknown_key_is_denied_beside_a_valid_token(cx: &CaseContext<'_>) -> CaseResult {
    let tokens = admin(cx)?;
    let get = || cx.get("/libros?limit=1");
    get().bearer(&tokens.session).send()?.prepared("using the session token alone", 200)?;
    get().jwt(&tokens.jwt).send()?.prepared("using the JWT alone", 200)?;
    for reply in [
        get().key("ak_nobody").bearer(&tokens.session).send()?,
        get().key("ak_nobody").jwt(&tokens.jwt).send()?,
        get().bearer(&tokens.session).key("ak_nobody").send()?,
    ] {
        reply.check().denied("API_KEY_INVALIDA")?;
    }
    Ok(())
}

fn a_key_lacking_the_permission_is_denied_beside_a_valid_token(cx: &CaseContext<'_>) -> CaseResult {
    let tokens = admin(cx)?;
    let twin = books::create(cx, &json!({}))?;
    books::create(cx, &json!({}))?;
    let deleted = cx.delete(&twin.path()).bearer(&tokens.session).send()?;
    deleted.prepared("deleting a book with the session token alone", 204)?;
    let made = books::create(cx, &json!({}))?;
    let before = books::stored(cx, made.id)?;
    for request in [
        cx.delete(&made.path()).key(cx.test_key()).bearer(&tokens.session),
        cx.delete(&made.path()).key(cx.test_key()).jwt(&tokens.jwt),
    ] {
        request.send()?.check().denied("API_KEY_INVALIDA")?;
    }
    let after = cx.get(&made.path()).key(cx.admin_key()).send()?;
    after.check().that(same(&after.json(), &before), "the book afterwards", &before, after.json()).map(drop)
}
