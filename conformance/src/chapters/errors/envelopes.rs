//! `{ error: <text> }`, the one shape of every 400, 404 and 405, and what every 401 looks like. Other chapters judge
//! which request leads to which status and code.

use crate::chapters::prelude::*;
use crate::http::challenge;

cases! { "errors" by sent;
    /// Refusals of books, /auth and unknown paths are { error }.
    refusals_have_the_shape judges [
        "errors/400-books", "errors/400-auth", "errors/404-path", "errors/404-book", "errors/404-auth", "errors/405-books",
    ]: refused_by_the_catalogue;
    /// Refusals of the second factor are { error }.
    refusals_of_the_second_factor_have_the_shape judges [
        "errors/400-auth", "errors/400-two-factor", "errors/404-two-factor", "errors/405-verify",
    ]: refused_by_the_second_factor;
    /// A refusal of books, /auth and unknown paths has nothing beside error.
    nothing_beside_error_in_the_catalogue judges ["errors/nothing-beside-error"]: refused_by_the_catalogue;
    /// A refusal of the second factor has nothing beside error.
    nothing_beside_error_of_the_second_factor judges ["errors/nothing-beside-error"]: refused_by_the_second_factor;
    /// A refusal of the users interface has nothing beside error.
    nothing_beside_error_of_users judges ["errors/nothing-beside-error"] needs [Need::Interface(Interface::Users)]: refused_by_users;
    /// A refusal of the reduced GraphQL endpoint has nothing beside error.
    nothing_beside_error_of_the_reduced_form judges ["errors/nothing-beside-error"]
        needs [Need::Interface(Interface::GraphqlReduced)]: refused_by_the_reduced_form;
    /// A 401 is { error } of exactly codigo, mensaje and timestamp, with the code of its credential, a challenge, and
    /// JSON as its type.
    a_denial_is_whole judges [
        "errors/401-body", "errors/401-mensaje", "errors/401-challenge", "errors/401-code", "errors/401-content-type",
    ] => |cx| {
        // What every 401 must hold is judged of each.
        denials(cx).map(drop)
    };
    /// timestamp of a 401 is the time of the answer, in the documents' form.
    a_denial_tells_the_time judges ["errors/401-timestamp"];
    /// timestamp of a 401 follows the service's clock.
    a_denial_follows_the_clock judges ["errors/401-timestamp"] needs [Need::Clock] => |cx| {
        cx.advance(3_600.0)?;
        a_denial_tells_the_time(cx)
    };
    /// Refusals of each kind have a status that the table of errors names.
    refusals_have_statuses_of_the_table judges ["errors/statuses"] => |cx| {
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
    };
    /// Where a body that cannot be read gets a 500 instead of a 400, it has the documented body all the same.
    a_500_has_its_body judges ["errors/500-body"] => |cx| {
        // Other cases judge that these are 400, and every 500 is judged wherever it is met.
        for path in ["/libros", "/auth/login", "/auth/registro"] {
            _ = books::adopt(cx, cx.post(path).key(cx.admin_key()).json_text(b"{\"titulo\":").send()?);
        }
        Ok(())
    };
    /// The realm of all 401s is one name, without quotes or with.
    the_realm_of_denials judges ["errors/401-realm"];
}

/// The requests of a row, not sent yet.
type Requests<'c> = Result<Vec<Request<'c>>, CaseError>;

/// What every refusal must hold is judged of each answer.
fn sent(cx: &CaseContext<'_>, requests: for<'c> fn(&'c CaseContext<'_>) -> Requests<'c>) -> CaseResult {
    requests(cx)?.into_iter().try_for_each(|request| request.send().map(drop))
}

/// A request with a body that says to be JSON and is none.
fn unreadable<'t>(request: Request<'t>) -> Request<'t> {
    request.json_text(b"{\"titulo\":\"x\",\"email\":")
}

fn refused_by_the_catalogue<'c>(cx: &'c CaseContext<'_>) -> Requests<'c> {
    let (none, book) = (json!({}), json!({ "titulo": "x", "autor": "y" }));
    let create = |body: Value| cx.post("/libros").key(cx.admin_key()).json(&body);
    let login = |email: &str| cx.post("/auth/login").json(&json!({ "email": email, "password": "ninguna" }));
    let (made, unknown) = (books::create(cx, &none)?, books::unknown_path(cx));
    // A user of its own: a target may close an account for a while after wrong passwords.
    let (user, admin) = (users::register(cx, "user")?, users::register_and_log_in(cx, "admin")?.1);
    Ok(vec![
        create(json!({ "autor": "x" })),
        create(json!({ "titulo": "x" })),
        create(json!({ "titulo": "", "autor": "x" })),
        create(json!({ "titulo": "x", "autor": "" })),
        create(json!({})),
        cx.post(&made.path()).key(cx.admin_key()).json(&book),
        cx.put("/libros").key(cx.admin_key()).json(&book),
        cx.put("/libros/abc").key(cx.admin_key()).json(&book),
        cx.delete("/libros").key(cx.admin_key()),
        cx.delete("/libros/0").key(cx.admin_key()),
        unreadable(cx.post("/libros").key(cx.admin_key())),
        unreadable(cx.put(&made.path()).key(cx.admin_key())),
        cx.get(&unknown).key(cx.test_key()),
        cx.put(&unknown).key(cx.admin_key()).json(&book),
        cx.delete(&unknown).key(cx.admin_key()),
        cx.request("PATCH", "/libros").json(&none),
        cx.request("PATCH", "/libros/1").json(&none),
        cx.request("PATCH", &unknown).key(cx.admin_key()).json(&none),
        login(&users::email(cx, "nadie")),
        login(&user.email),
        unreadable(cx.post("/auth/login")),
        cx.post("/auth/registro").json(&json!({ "email": user.email, "password": PASSWORD })),
        unreadable(cx.post("/auth/registro")),
        unreadable(cx.post("/auth/api-keys").bearer(&admin.session)),
        cx.get("/auth/nada"),
        cx.get("/auth"),
        cx.post("/auth/nada").json(&none),
        cx.get("/authfoo"),
        cx.delete("/auth/nada").key(cx.admin_key()),
        cx.get("/nada"),
        cx.get("/"),
        cx.get("/nada").key(cx.admin_key()),
        cx.post("/nada").json(&none),
        cx.put("/nada").json(&none),
        cx.delete("/nada"),
        cx.get("/2fa"),
    ])
}

fn refused_by_the_second_factor<'c>(cx: &'c CaseContext<'_>) -> Requests<'c> {
    let (none, password) = (json!({}), json!({ "password": PASSWORD }));
    let wrong = json!({ "password": "ninguna" });
    let session = users::register_and_log_in(cx, "user")?.1.session;
    Ok(vec![
        cx.post("/auth/verify-2fa").json(&json!({ "sessionId": "0".repeat(64), "token": "123456" })),
        cx.post("/auth/verify-2fa").json(&none),
        unreadable(cx.post("/auth/verify-2fa")),
        cx.get("/auth/verify-2fa"),
        cx.put("/auth/verify-2fa").json(&none),
        cx.delete("/auth/verify-2fa"),
        cx.request("PATCH", "/auth/verify-2fa").json(&none),
        cx.get("/2fa/status").key(cx.admin_key()),
        cx.get("/2fa/trusted-devices").key(cx.admin_key()),
        cx.post("/2fa/enable").key(cx.admin_key()).json(&password),
        cx.post("/2fa/disable").key(cx.admin_key()).json(&password),
        cx.post("/2fa/regenerate-backup-codes").key(cx.admin_key()).json(&password),
        cx.delete("/2fa/trusted-devices/0123456789abcdef").key(cx.admin_key()),
        cx.post("/2fa/disable").bearer(&session).json(&wrong),
        cx.post("/2fa/disable").bearer(&session).json(&password),
        cx.post("/2fa/regenerate-backup-codes").bearer(&session).json(&wrong),
        unreadable(cx.post("/2fa/disable").bearer(&session)),
        cx.get("/2fa/nada").bearer(&session),
        cx.post("/2fa/nada").bearer(&session).json(&none),
    ])
}

fn refused_by_users<'c>(cx: &'c CaseContext<'_>) -> Requests<'c> {
    let at = |method: &str, path: &str| cx.request_at(Interface::Users, method, path);
    Ok(vec![
        at("POST", "/users").json(&json!({ "age": 41 })),
        at("POST", "/users").json_text(b"{\"name\":"),
        at("GET", &format!("/users/{}", cx.unique("nadie"))),
        at("GET", &format!("/users/{}/posts", cx.unique("nadie"))),
        at("GET", &format!("/{}", cx.unique("nada"))),
    ])
}

fn refused_by_the_reduced_form<'c>(cx: &'c CaseContext<'_>) -> Requests<'c> {
    let at = |method: &str, path: &str| cx.request_at(Interface::GraphqlReduced, method, path);
    Ok(vec![
        at("POST", "").json(&json!({})),
        at("POST", "").json(&json!({ "query": "{ users { nada } }" })),
        at("GET", ""),
        at("POST", "/nada").json(&json!({ "query": "{ users { id } }" })),
    ])
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
    let replies = requests.into_iter().map(|request| Ok(books::adopt(cx, request.send()?)));
    let mut denied = replies.collect::<Result<Vec<_>, CaseError>>()?;
    denied.retain(|reply| reply.is(401));
    let none = || CaseError::blocked("being denied", "no request without a valid credential is 401");
    if denied.is_empty() { Err(none()) } else { Ok(denied) }
}

/// The time is about now, in whatever form: another case judges that.
fn a_denial_tells_the_time(cx: &CaseContext<'_>) -> CaseResult {
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
    challenge::bearer_realm(&reply.header("WWW-Authenticate")?).map(str::to_owned)
}

fn the_realm_of_denials(cx: &CaseContext<'_>) -> CaseResult {
    let realms: Vec<Option<String>> = denials(cx)?.iter().map(realm).collect();
    let Some(first) = realms.first().cloned().flatten() else {
        return Err(CaseError::blocked("reading a challenge", "there is no Bearer realm=<a name>"));
    };
    let is_one = realms.iter().flatten().all(|realm| *realm == first);
    let is_quoted = first.len() > 2 && first.starts_with('"') && first.ends_with('"');
    cx.observe(&[("bare", is_one && !first.contains('"')), ("quoted", is_one && is_quoted)], format!("{realms:?}"))
}
