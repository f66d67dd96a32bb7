//! `{ error: <text> }`: the one shape of every 400, 404 and 405. Other chapters judge which request leads to which status.

use crate::chapters::prelude::*;

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
