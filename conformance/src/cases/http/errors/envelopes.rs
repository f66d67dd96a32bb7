//! `{ error: <text> }`: the one shape of every 400, 404 and 405. Other chapters judge which request leads to which status.

use serde_json::{Value, json};

use crate::case::{CaseContext, CaseError, CaseResult, Need, rows};
use crate::fixture::books;
use crate::fixture::users::{self, PASSWORD};
use crate::http::request::Request;
use crate::implementation::profile::Interface;

rows! { "errors" by sent;
    /// Creates, replaces and deletes of books refused with 400 are { error }.
    refused_books_have_the_shape judges ["errors/400-books"]: &[refused_creates, books_refused_for_their_id, unreadable_books];
    /// Logins, registrations and creations of API keys refused with 400 are { error }.
    refusals_of_auth_have_the_shape judges ["errors/400-auth"]: &[refused_logins, refused_registrations, refused_key_creations];
    /// Verifications refused for an unknown session or an unreadable body are { error }.
    refused_verifications_have_the_shape judges ["errors/400-auth"]: &[refused_verifications];
    /// Two-factor requests refused with 400 are { error }, with an API key and with the session of a user.
    refusals_of_two_factor_have_the_shape judges ["errors/400-two-factor"]:
        &[two_factor_requests_of_a_client, two_factor_requests_of_a_user];
    /// The 404 of an unknown path is { error }, for every method.
    unknown_paths_have_the_shape judges ["errors/404-path"]: &[unknown_paths];
    /// The 404 of an unknown book is { error }, whether to be read, replaced or deleted.
    unknown_books_have_the_shape judges ["errors/404-book"]: &[unknown_books];
    /// The 404 of an unknown /auth path is { error }.
    unknown_auth_paths_have_the_shape judges ["errors/404-auth"]: &[unknown_auth_paths];
    /// The 404 of an unknown /2fa path is { error }, to a user.
    unknown_two_factor_paths_have_the_shape judges ["errors/404-two-factor"]: &[unknown_two_factor_paths];
    /// The 405 of a book path is { error }.
    refused_methods_of_books_have_the_shape judges ["errors/405-books"]: &[refused_methods_of_books];
    /// The 405 of /auth/verify-2fa is { error }.
    refused_methods_of_verification_have_the_shape judges ["errors/405-verify"]: &[refused_methods_of_verification];
    /// A 400, 404 or 405 of books, /auth and unknown paths has nothing beside error.
    nothing_beside_error_in_the_catalogue judges ["errors/nothing-beside-error"]:
        &[refused_creates, refused_logins, unknown_paths, unknown_books, unknown_auth_paths, refused_methods_of_books];
    /// A 400, 404 or 405 of the second factor has nothing beside error.
    nothing_beside_error_of_the_second_factor judges ["errors/nothing-beside-error"]:
        &[two_factor_requests_of_a_user, unknown_two_factor_paths, refused_methods_of_verification];
    /// A refusal of the users interface has nothing beside error.
    nothing_beside_error_of_users judges ["errors/nothing-beside-error"] needs [Need::Interface(Interface::Users)]: &[refused_by_users];
    /// A refusal of the reduced GraphQL endpoint has nothing beside error.
    nothing_beside_error_of_the_reduced_form judges ["errors/nothing-beside-error"]
        needs [Need::Interface(Interface::GraphqlReduced)]: &[refused_by_the_reduced_form];
}

/// The requests of a row, not sent yet.
type Requests<'c> = Result<Vec<Request<'c>>, CaseError>;

/// What every refusal must hold is judged of each answer.
fn sent(cx: &CaseContext<'_>, groups: &[for<'c> fn(&'c CaseContext<'_>) -> Requests<'c>]) -> CaseResult {
    for requests in groups {
        requests(cx)?.into_iter().try_for_each(|request| request.send().map(drop))?;
    }
    Ok(())
}

/// A request with a body that says to be JSON and is none.
fn unreadable<'t>(request: Request<'t>) -> Request<'t> {
    request.json_text(b"{\"titulo\":\"x\",\"email\":")
}

fn refused_creates<'c>(cx: &'c CaseContext<'_>) -> Requests<'c> {
    let create = |body: Value| cx.post("/libros").key(cx.admin_key()).json(&body);
    Ok(vec![
        create(json!({ "autor": "x" })),
        create(json!({ "titulo": "x" })),
        create(json!({ "titulo": "", "autor": "x" })),
        create(json!({ "titulo": "x", "autor": "" })),
        create(json!({})),
    ])
}

fn books_refused_for_their_id<'c>(cx: &'c CaseContext<'_>) -> Requests<'c> {
    let made = books::create(cx, &json!({}))?;
    let book = json!({ "titulo": "x", "autor": "y" });
    Ok(vec![
        cx.post(&made.path()).key(cx.admin_key()).json(&book),
        cx.put("/libros").key(cx.admin_key()).json(&book),
        cx.put("/libros/abc").key(cx.admin_key()).json(&book),
        cx.delete("/libros").key(cx.admin_key()),
        cx.delete("/libros/0").key(cx.admin_key()),
    ])
}

fn unreadable_books<'c>(cx: &'c CaseContext<'_>) -> Requests<'c> {
    let made = books::create(cx, &json!({}))?;
    Ok(vec![unreadable(cx.post("/libros").key(cx.admin_key())), unreadable(cx.put(&made.path()).key(cx.admin_key()))])
}

fn refused_logins<'c>(cx: &'c CaseContext<'_>) -> Requests<'c> {
    let login = |email: &str| cx.post("/auth/login").json(&json!({ "email": email, "password": "ninguna" }));
    // A user of its own: a target may close an account for a while after wrong passwords.
    let user = users::register(cx, "user")?;
    Ok(vec![login(&users::email(cx, "nadie")), login(&user.email), unreadable(cx.post("/auth/login"))])
}

fn refused_registrations<'c>(cx: &'c CaseContext<'_>) -> Requests<'c> {
    let known = &cx.target().credentials.regular_user.email;
    Ok(vec![
        cx.post("/auth/registro").json(&json!({ "email": known, "password": PASSWORD })),
        unreadable(cx.post("/auth/registro")),
    ])
}

fn refused_verifications<'c>(cx: &'c CaseContext<'_>) -> Requests<'c> {
    let unknown = json!({ "sessionId": "0".repeat(64), "token": "123456" });
    Ok(vec![
        cx.post("/auth/verify-2fa").json(&unknown),
        cx.post("/auth/verify-2fa").json(&json!({})),
        unreadable(cx.post("/auth/verify-2fa")),
    ])
}

fn refused_key_creations<'c>(cx: &'c CaseContext<'_>) -> Requests<'c> {
    let (_, tokens) = users::register_and_log_in(cx, "admin")?;
    Ok(vec![unreadable(cx.post("/auth/api-keys").bearer(&tokens.session))])
}

fn two_factor_requests_of_a_client<'c>(cx: &'c CaseContext<'_>) -> Requests<'c> {
    let password = json!({ "password": PASSWORD });
    Ok(vec![
        cx.get("/2fa/status").key(cx.admin_key()),
        cx.get("/2fa/trusted-devices").key(cx.admin_key()),
        cx.post("/2fa/enable").key(cx.admin_key()).json(&password),
        cx.post("/2fa/disable").key(cx.admin_key()).json(&password),
        cx.post("/2fa/regenerate-backup-codes").key(cx.admin_key()).json(&password),
        cx.delete("/2fa/trusted-devices/0123456789abcdef").key(cx.admin_key()),
    ])
}

fn two_factor_requests_of_a_user<'c>(cx: &'c CaseContext<'_>) -> Requests<'c> {
    let (_, tokens) = users::register_and_log_in(cx, "user")?;
    let wrong = json!({ "password": "ninguna" });
    Ok(vec![
        cx.post("/2fa/disable").bearer(&tokens.session).json(&wrong),
        cx.post("/2fa/disable").bearer(&tokens.session).json(&json!({ "password": PASSWORD })),
        cx.post("/2fa/regenerate-backup-codes").bearer(&tokens.session).json(&wrong),
        unreadable(cx.post("/2fa/disable").bearer(&tokens.session)),
    ])
}

fn unknown_paths<'c>(cx: &'c CaseContext<'_>) -> Requests<'c> {
    Ok(vec![
        cx.get("/nada"),
        cx.get("/"),
        cx.get("/nada").key(cx.admin_key()),
        cx.post("/nada").json(&json!({})),
        cx.put("/nada").json(&json!({})),
        cx.delete("/nada"),
        cx.get("/2fa"),
    ])
}

fn unknown_books<'c>(cx: &'c CaseContext<'_>) -> Requests<'c> {
    let path = books::unknown_path(cx);
    Ok(vec![
        cx.get(&path).key(cx.test_key()),
        cx.put(&path).key(cx.admin_key()).json(&json!({ "titulo": "x", "autor": "y" })),
        cx.delete(&path).key(cx.admin_key()),
    ])
}

fn unknown_auth_paths<'c>(cx: &'c CaseContext<'_>) -> Requests<'c> {
    Ok(vec![
        cx.get("/auth/nada"),
        cx.get("/auth"),
        cx.post("/auth/nada").json(&json!({})),
        cx.get("/authfoo"),
        cx.delete("/auth/nada").key(cx.admin_key()),
    ])
}

fn unknown_two_factor_paths<'c>(cx: &'c CaseContext<'_>) -> Requests<'c> {
    let user = &cx.target().credentials.regular_user;
    let session = users::log_in(cx, &user.email, &user.password)?.session;
    Ok(vec![cx.get("/2fa/nada").bearer(&session), cx.post("/2fa/nada").bearer(&session).json(&json!({}))])
}

fn refused_methods_of_books<'c>(cx: &'c CaseContext<'_>) -> Requests<'c> {
    Ok(vec![
        cx.request("PATCH", "/libros").json(&json!({})),
        cx.request("PATCH", "/libros/1").json(&json!({})),
        cx.request("PATCH", &books::unknown_path(cx)).key(cx.admin_key()).json(&json!({})),
    ])
}

fn refused_methods_of_verification<'c>(cx: &'c CaseContext<'_>) -> Requests<'c> {
    Ok(vec![
        cx.get("/auth/verify-2fa"),
        cx.put("/auth/verify-2fa").json(&json!({})),
        cx.delete("/auth/verify-2fa"),
        cx.request("PATCH", "/auth/verify-2fa").json(&json!({})),
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
