//! Cases of the chapter credentials: every kind of credential on every route, which one counts where several are sent, and the two initial
//! API clients.

use crate::chapters::permissions::operations::{Credential, INITIAL_ADMIN};
use crate::chapters::prelude::*;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

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
    /// Near misses of a known key are as unknown as any other.
    near_misses_of_a_key_are_denied judges ["credentials/key-exact"] => |cx| {
        let known = [cx.test_key(), cx.admin_key()];
        for key in known {
            cx.get("/libros?limit=1").key(key).send()?.prepared("using a known key", 200)?;
            let cut = |chars: usize| key.chars().take(chars).collect::<String>();
            let length = key.chars().count();
            let near_misses = [
                cut(8),
                format!("{}...", cut(8)),
                cut(length.saturating_sub(1)),
                format!("{key}0"),
                format!("0{key}"),
                key.chars().skip(1).collect(),
                key.to_uppercase(),
                key.to_lowercase(),
                format!("\"{key}\""),
                format!("{key},{key}"),
                format!("Bearer {key}"),
                "*".repeat(length),
            ];
            let is_unknown = |near: &&String| !near.is_empty() && !known.contains(&near.as_str());
            let near_misses = near_misses.iter().filter(is_unknown).map(|near| cx.get("/libros?limit=1").key(near));
            each_denied("API_KEY_INVALIDA", near_misses)?;
        }
        Ok(())
    };
    /// What a client shows of itself, id and name, is no key.
    id_and_name_of_a_client_are_no_keys judges ["credentials/key-exact"] => |cx| {
        let client = clients::create(cx, &["read:libros"])?;
        cx.get("/libros?limit=1").key(&client.key).send()?.prepared("using a created key", 200)?;
        let shown = [&client.id, &client.name].into_iter().filter(|shown| !shown.is_empty());
        each_denied("API_KEY_INVALIDA", shown.map(|shown| cx.get("/libros?limit=1").key(shown)))
    };
    /// An empty X-API-Key: as if it were not sent, or a key that fails.
    an_empty_key judges ["credentials/key-empty"] => |cx| {
        let session = users::log_in_initial(cx)?.session;
        cx.get("/libros?limit=1").bearer(&session).send()?.prepared("using the session token", 200)?;
        let alone = cx.get("/libros?limit=1").key("").send()?;
        let beside = cx.get("/libros?limit=1").key("").bearer(&session).send()?;
        let code = |reply: &Reply| reply.text_at("/error/codigo");
        let readings = [
            ("absent", alone.is(401) && code(&alone) == "NO_AUTENTICADO" && beside.is(200)),
            ("failing", [&alone, &beside].iter().all(|reply| reply.is(401) && code(reply) == "API_KEY_INVALIDA")),
        ];
        let shown = |reply: &Reply| format!("{} {}", reply.status(), code(reply));
        let got = format!("alone {}; beside a session {}", shown(&alone), shown(&beside));
        cx.observe(&readings, got).seen_in([&alone, &beside])
    };
    /// With a valid key and a valid token it is the client of the key who creates and replaces.
    the_client_of_the_key_acts_not_the_user judges ["credentials/key-first"] => |cx| {
        let book = json!({ "titulo": "Hijo de hombre", "autor": "Augusto Roa Bastos" });
        let post = || cx.post("/libros").json(&book);
        let creator = |reply| -> CaseResult<Option<Value>> { Ok(books::created(cx, reply)?.reply.at("/creadoPor")) };
        let tokens = admin(cx)?;
        let client = creator(post().key(cx.test_key()).send()?)?;
        let user = creator(post().bearer(&tokens.session).send()?)?;
        let differ = client.is_some() && client != user;
        let step = "telling client and user apart by creadoPor";
        CaseError::blocked_unless(differ, step, format!("both are {client:?}"))?;
        let want = client.unwrap_or_default();
        for request in [post().bearer(&tokens.session), post().jwt(&tokens.jwt)] {
            let reply = books::adopt(cx, request.key(cx.test_key()).send()?);
            reply.check().status(201)?.at("/creadoPor", &want)?;
        }
        Ok(())
    };
    /// The list of keys shows the test client with two permissions and rateLimit 1000.
    the_test_client_is_listed judges ["credentials/initial-test-client", "credentials/initial-test-rate-limit"] => |cx| {
        let rules = ["credentials/initial-test-client", "credentials/initial-test-rate-limit"];
        is_listed(cx, "test", cx.test_key(), rules, (&INITIAL_ADMIN[..2], 1_000))
    };
    /// The list of keys shows the admin client with four permissions and rateLimit 5000.
    the_admin_client_is_listed judges ["credentials/initial-admin-client", "credentials/initial-admin-rate-limit"] => |cx| {
        let rules = ["credentials/initial-admin-client", "credentials/initial-admin-rate-limit"];
        is_listed(cx, "admin", cx.admin_key(), rules, (INITIAL_ADMIN, 5_000))
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

/// Session token and JWT of the initial regular user, both tried.
fn tokens(cx: &CaseContext<'_>) -> CaseResult<Tokens> {
    let tokens = users::log_in_initial(cx)?;
    let get = || cx.get("/libros?limit=1");
    get().bearer(&tokens.session).send()?.prepared("using the session token", 200)?;
    get().jwt(&tokens.jwt).send()?.prepared("using the JWT", 200)?;
    Ok(tokens)
}

/// Tokens of the initial admin, who may read, write and delete.
fn admin(cx: &CaseContext<'_>) -> CaseResult<Tokens> {
    let admin = &cx.target().credentials.admin_user;
    users::log_in(cx, &admin.email, &admin.password)
}

/// The clients of the list whose key begins as this one does: where keys begin alike, one of them is the initial one.
fn clients(cx: &CaseContext<'_>, list: &Reply, key: &str) -> CaseResult<Vec<Value>> {
    let shown: String = key.chars().take(8).collect();
    let body = list.json();
    let is_shown = |entry: &&Value| entry["apiKey"].as_str().is_some_and(|masked| masked.starts_with(&shown));
    let client = |entry: &Value| entry.get(&cx.target().client).cloned();
    let clients: Vec<Value> = body.as_array().into_iter().flatten().filter(is_shown).filter_map(client).collect();
    let step = "finding an initial client in the list of keys";
    CaseError::blocked_unless(!clients.is_empty(), step, format!("no key begins with {shown}"))?;
    Ok(clients)
}

fn has_permissions(client: &Value, want: &[&str]) -> bool {
    let held = client["permissions"].as_array();
    held.is_some_and(|held| {
        held.iter().filter_map(Value::as_str).collect::<BTreeSet<_>>() == want.iter().copied().collect()
    })
}

/// An initial client in the list of keys, as a newly registered admin sees it: its name, permissions and rateLimit by these rules.
fn is_listed(cx: &CaseContext<'_>, who: &str, key: &str, rules: [&'static str; 2], want: (&[&str], u64)) -> CaseResult {
    let (_, admin) = users::register_and_log_in(cx, "admin")?;
    let list = cx.get("/auth/api-keys").bearer(&admin.session).send()?.prepared("listing keys", 200)?;
    let clients = clients(cx, &list, key)?;
    let (permissions, rate_limit) = want;
    let place = format!("the {who} client in the list of keys");
    let is_right = clients.iter().any(|client| has_permissions(client, permissions));
    list.check_rule(rules[0]).that(is_right, &place, permissions.join(", "), Value::from(clients.clone()))?;
    let is_right = clients.iter().any(|client| same(&client["rateLimit"], &json!(rate_limit)));
    list.check_rule(rules[1]).that(is_right, &place, format!("rateLimit {rate_limit}"), Value::from(clients)).map(drop)
}
