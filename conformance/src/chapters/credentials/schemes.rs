//! Every protected route with every kind of credential, let in and denied; no credential, and schemes that the service
//! does not know.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::chapters::permissions::operations::Credential;
use crate::chapters::prelude::*;
use crate::fixture::tokens;

cases! { "credentials";
    /// Books are created, listed, read, replaced and deleted with an API key, and refused as the documents say.
    a_key_walks_every_route judges ["credentials/key-known"] and [WALKED]
        by walks_every_route(|cx, admin| Ok(Credential::Key(clients::create_as(cx, admin, &WALKING)?.key)));
    /// The same with a session token.
    a_session_walks_every_route judges ["sessions/accepted"] and [WALKED]
        by walks_every_route(|_, admin| Ok(Credential::Session(admin.session.clone())));
    /// The same with a JWT.
    a_jwt_walks_every_route judges ["tokens/accepted"] and [WALKED]
        by walks_every_route(|_, admin| Ok(Credential::Jwt(admin.jwt.clone())));
    /// The second factor's routes answer a JWT as they answer a session token.
    two_factor_routes_are_alike_to_both_tokens judges ["tokens/accepted", "two-factor/status-devices", "devices/list-shape",
        "backup-codes/regenerate-unused"] => |cx| {
        let enrolled = two_factor::enroll(cx)?;
        let tokens = &enrolled.tokens;
        two_factor::trust(cx, &enrolled.user, enrolled.backup_code(0)?, &two_factor::phone(cx))?;
        for (path, rule) in
            [("/2fa/status", "two-factor/status-devices"), ("/2fa/trusted-devices", "devices/list-shape")]
        {
            let by_session = cx.get(path).bearer(&tokens.session).send()?.prepared("asking by session", 200)?;
            let by_jwt = cx.get(path).jwt(&tokens.jwt).send()?;
            by_jwt.check_rule("tokens/accepted").status(200)?;
            by_jwt.check_rule(rule).body(&by_session.json())?;
        }
        let password = json!({ "password": enrolled.user.password });
        let codes = cx.post("/2fa/regenerate-backup-codes").jwt(&tokens.jwt).json(&password).send()?;
        codes.check_rule("tokens/accepted").status(200)?;
        let codes = two_factor::backup_codes_in(&codes);
        let first = codes.first().cloned().unwrap_or_default();
        two_factor::verify_anew(cx, &enrolled, &first)?
            .check_rule("backup-codes/regenerate-unused")
            .status(200)
            .map(drop)
    };
    /// A user who registered without a nombre has the same id at the registration and at the login.
    a_nameless_registration_and_its_login_agree judges ["login/user-identity"] => |cx| {
        let email = users::email(cx, "sin-nombre");
        let registered = users::registration(cx, &json!({ "email": email, "password": PASSWORD })).send()?;
        let id = registered.prepared("registering a user", 201)?.text_at("/id");
        let login = users::try_log_in(cx, &email, PASSWORD)?.prepared("logging in", 200)?;
        login.check().at(&users::principal_field(cx, "id"), &json!(id)).map(drop)
    };
    /// No protected route lets in a request without a credential.
    no_route_lets_in_nothing judges ["credentials/none"] by is_denied_everywhere("NO_AUTENTICADO", None);
    /// No protected route lets in an unknown API key.
    no_route_lets_in_an_unknown_key judges ["credentials/key-unknown"]
        by is_denied_everywhere("API_KEY_INVALIDA", Some(&Credential::Key(format!("ak_{}", "0".repeat(32)))));
    /// No protected route lets in an unknown session token.
    no_route_lets_in_an_unknown_session judges ["sessions/unknown"]
        by is_denied_everywhere("TOKEN_INVALIDO", Some(&Credential::Session("0".repeat(64))));
    /// No protected route lets in a JWT whose payload is none.
    no_route_lets_in_an_undecodable_jwt judges ["tokens/payload-undecodable"]
        by is_denied_everywhere("JWT_INVALIDO", Some(&Credential::Jwt(format!("{0}.{0}.{0}", tokens::segment_of_text("nada")))));
    /// Other schemes, and a token without one, are 401 NO_AUTENTICADO, though the token be good.
    other_schemes_are_no_credential judges ["credentials/unsupported-scheme"] => |cx| {
        let tokens = tokens(cx)?;
        let user = &cx.target().credentials.regular_user;
        let values = [
            "Basic YWRtaW46YWRtaW4=".to_owned(),
            format!("Basic {}", STANDARD.encode(format!("{}:{}", user.email, user.password))),
            "Digest username=\"admin\"".to_owned(),
            format!("Token {}", tokens.session),
            format!("Basic {}", tokens.session),
            format!("Token {}", tokens.jwt),
            format!("ApiKey {}", cx.test_key()),
            format!("X-API-Key {}", cx.test_key()),
            tokens.session.clone(),
            tokens.jwt,
            cx.test_key().to_owned(),
        ];
        each_denied("NO_AUTENTICADO", values.map(|value| cx.get("/libros?limit=1").header("Authorization", &value)))
    };
    /// Other letter cases of the schemes: no supported kind, or let in.
    schemes_in_another_letter_case judges ["credentials/scheme-case"] => |cx| {
        let tokens = tokens(cx)?;
        for (scheme, token) in
            [("bearer", &tokens.session), ("BEARER", &tokens.session), ("jwt", &tokens.jwt), ("Jwt", &tokens.jwt)]
        {
            let reply = authorized(cx, &format!("{scheme} {token}"))?;
            let readings = [("no-autenticado", is_denied(&reply, "NO_AUTENTICADO")), ("let-in", reply.is(200))];
            cx.observe(&readings, got(scheme, &reply))?;
        }
        Ok(())
    };
    /// `Bearer` with nothing after it: no supported kind, or an unknown token.
    bearer_with_nothing_after_it judges ["credentials/bearer-bare"] => |cx| {
        for value in ["Bearer", "Bearer "] {
            let reply = authorized(cx, value)?;
            let is = |code| is_denied(&reply, code);
            let readings = [("no-autenticado", is("NO_AUTENTICADO")), ("token-invalido", is("TOKEN_INVALIDO"))];
            cx.observe(&readings, got(value, &reply))?;
        }
        Ok(())
    };
    /// Further spaces after the scheme: part of the token, or trimmed.
    further_spaces_after_the_scheme judges ["credentials/spaces-after-scheme"] => |cx| {
        let tokens = tokens(cx)?;
        for (scheme, token) in [("Bearer", &tokens.session), ("JWT", &tokens.jwt)] {
            let reply = authorized(cx, &format!("{scheme}   {token}"))?;
            // A reader that splits at spaces finds no token at all.
            let codes = ["NO_AUTENTICADO", "TOKEN_INVALIDO", "JWT_INVALIDO"];
            let is_denied = codes.iter().any(|code| is_denied(&reply, code));
            cx.observe(&[("part", is_denied), ("trimmed", reply.is(200))], got(scheme, &reply))?;
        }
        Ok(())
    };
}

/// What a walk judges besides its credential.
const WALKED: &[&str] = &[
    "books/create-status",
    "books/create-body",
    "books/list-shape",
    "books/read",
    "books/read-unknown",
    "books/replace",
    "books/replace-unknown",
    "books/fecha-creacion-preserved",
    "books/titulo-required",
    "books/no-id-replace",
    "books/delete-status",
    "books/delete-unknown",
    "storage/between-requests",
    "api-keys/created",
    "api-keys/list",
    "api-keys/key-works",
];

/// The permissions that a walk takes.
const WALKING: [&str; 4] = ["read:libros", "write:libros", "delete:libros", "manage:api_keys"];

/// Walks with the credential that `of` makes or takes of a new admin.
fn walks_every_route(cx: &CaseContext<'_>, of: fn(&CaseContext<'_>, &Tokens) -> CaseResult<Credential>) -> CaseResult {
    let credential = of(cx, &users::register_and_log_in(cx, "admin")?.1)?;
    let with = |request| credential.on(request);
    let marker = cx.unique("lote");
    let body = json!({ "titulo": "Rayuela", "autor": "Julio Cortázar", "fechaPublicacion": "1963-06-28", "n": 7, "lote": marker });
    let made = with(cx.post("/libros").json(&body)).send()?;
    made.check_rule("books/create-status").status(201)?;
    let book = books::created(cx, made)?;
    let list = with(cx.get(&format!("/libros?lote={marker}"))).send()?;
    list.check_rule("books/list-shape").status(200)?;
    list.check_rule("storage/between-requests").at("/datos", &json!([book.value()]))?;
    let read = with(cx.get(&book.path())).send()?;
    read.check_rule("books/read").status(200)?.body(&book.value())?;
    let replacement =
        json!({ "titulo": "62", "autor": "Julio Cortázar", "fechaPublicacion": "1968-01-01", "lote": marker });
    let replaced = with(cx.put(&book.path()).json(&replacement)).send()?;
    replaced.check_rule("books/replace").status(200)?.at("/titulo", &json!("62"))?;
    let created_at = book.value()["fechaCreacion"].clone();
    replaced.check_rule("books/fecha-creacion-preserved").at("/fechaCreacion", &created_at)?;
    let read = with(cx.get(&book.path())).send()?;
    read.check_rule("books/read").status(200)?.body(&replaced.json())?;
    let list = with(cx.get(&format!("/libros?lote={marker}&limit=1"))).send()?;
    list.check_rule("storage/between-requests").at("/datos", &json!([replaced.json()]))?;
    refusals(cx, &with, &book.path())?;
    keys(cx, &with)
}

/// What each kind is refused, and the end of the book.
fn refusals<'c>(cx: &'c CaseContext<'_>, with: &impl Fn(Request<'c>) -> Request<'c>, book: &str) -> CaseResult {
    let unknown = books::unknown_path(cx);
    let body = json!({ "titulo": "x", "autor": "y" });
    with(cx.get(&unknown)).send()?.check_rule("books/read-unknown").refused(404)?;
    with(cx.put(&unknown).json(&body)).send()?.check_rule("books/replace-unknown").refused(404)?;
    with(cx.delete(&unknown)).send()?.check_rule("books/delete-unknown").refused(404)?;
    with(cx.post("/libros").json(&json!({ "autor": "y" }))).send()?.check_rule("books/titulo-required").refused(400)?;
    with(cx.put("/libros").json(&body)).send()?.check_rule("books/no-id-replace").refused(400)?;
    with(cx.delete(book)).send()?.check_rule("books/delete-status").status(204).map(drop)
}

/// A key is made, works, and is listed as it was made.
fn keys<'c>(cx: &'c CaseContext<'_>, with: &impl Fn(Request<'c>) -> Request<'c>) -> CaseResult {
    let body = json!({ "nombre": cx.unique("cliente"), "permisos": ["read:libros"], "rateLimit": 70 });
    let made = with(cx.post("/auth/api-keys").json(&body)).send()?;
    made.check_rule("api-keys/created").status(201)?;
    let key = made.text_at("/apiKey");
    cx.get("/libros?limit=1").key(&key).send()?.check_rule("api-keys/key-works").status(200)?;
    let list = with(cx.get("/auth/api-keys")).send()?;
    let check = list.check_rule("api-keys/list").status(200)?;
    let principal = clients::client_field(cx, "").trim_end_matches('/').to_owned();
    let client = made.at(&principal).unwrap_or_default();
    let entries = list.json();
    let mut shown = entries.as_array().into_iter().flatten().filter_map(|entry| entry.pointer(&principal));
    let shown = shown.find(|shown| same(&shown["id"], &client["id"])).cloned().unwrap_or_default();
    let is_same = ["id", "name", "permissions", "rateLimit"].iter().all(|name| same(&shown[*name], &client[*name]));
    check.that(is_same, "the entry of the client", &client, &shown)?;
    // The initial clients are listed alike to everybody; when a key was last used, and what others made meanwhile, differs.
    let (_, admin) = users::register_and_log_in(cx, "admin")?;
    let again = cx.get("/auth/api-keys").bearer(&admin.session).send()?.prepared("listing API keys", 200)?.json();
    let mask: String = cx.test_key().chars().take(8).collect();
    let first = |list: &Value| {
        let is_initial = |entry: &&Value| entry["apiKey"].as_str().is_some_and(|key| key.starts_with(&mask));
        let mut entry = list.as_array().into_iter().flatten().find(is_initial).cloned().unwrap_or_default();
        entry.pointer_mut(&principal).and_then(Value::as_object_mut).map(|client| client.remove("lastUsed"));
        entry
    };
    let is_same = same(&first(&entries), &first(&again));
    check.that(is_same, "the entry of the test client", first(&again), first(&entries)).map(drop)
}

fn is_denied_everywhere(cx: &CaseContext<'_>, code: &str, credential: Option<&Credential>) -> CaseResult {
    let (book, password) = (json!({ "titulo": "x", "autor": "y" }), json!({ "password": PASSWORD }));
    for request in [
        cx.get("/libros"),
        cx.get("/libros/1"),
        cx.post("/libros").json(&book),
        cx.put(&books::unknown_path(cx)).json(&book),
        cx.delete(&books::unknown_path(cx)),
        cx.get("/auth/api-keys"),
        cx.post("/auth/api-keys").json(&json!({ "nombre": "x" })),
        cx.get("/2fa/status"),
        cx.get("/2fa/trusted-devices"),
        cx.post("/2fa/enable").json(&password),
        cx.post("/2fa/disable").json(&password),
        cx.post("/2fa/regenerate-backup-codes").json(&password),
        cx.delete("/2fa/trusted-devices/0123456789abcdef"),
    ] {
        let request = if let Some(credential) = credential { credential.on(request) } else { request };
        books::adopt(cx, request.send()?).check().denied(code)?;
    }
    Ok(())
}

/// Session token and JWT of the initial regular user, both tried.
fn tokens(cx: &CaseContext<'_>) -> CaseResult<Tokens> {
    let tokens = users::log_in_initial(cx)?;
    let get = || cx.get("/libros?limit=1");
    get().bearer(&tokens.session).send()?.prepared("using the session token", 200)?;
    get().jwt(&tokens.jwt).send()?.prepared("using the JWT", 200)?;
    Ok(tokens)
}

fn authorized(cx: &CaseContext<'_>, value: &str) -> CaseResult<Reply> {
    cx.get("/libros?limit=1").header("Authorization", value).send()
}

fn is_denied(reply: &Reply, code: &str) -> bool {
    reply.is(401) && reply.text_at("/error/codigo") == code
}

fn got(asked: &str, reply: &Reply) -> String {
    format!("for {asked}: {} {}", reply.status(), reply.text_at("/error/codigo"))
}
