//! `{ error: <text> }`: the one shape of every 400, 404 and 405. Other chapters judge which request leads to which status.

use serde_json::{Value, json};

use crate::case::{CaseContext, CaseError, CaseResult, rows};
use crate::fixture::books;
use crate::fixture::users::{self, PASSWORD};
use crate::http::reply::Reply;
use crate::http::request::Request;

rows! { "errors" by have_the_shape;
    /// Creates refused for what their bodies lack are { error }.
    refused_creates_have_the_shape judges ["errors/400-books"]: 400, refused_creates;
    /// Book requests refused for an id too many or too few are { error }.
    books_refused_for_their_id_have_the_shape judges ["errors/400-books"]: 400, books_refused_for_their_id;
    /// Book bodies that are no JSON are refused with { error }.
    unreadable_books_have_the_shape judges ["errors/400-books"]: 400, unreadable_books;
    /// Logins refused for e-mail, password or body are { error }.
    refused_logins_have_the_shape judges ["errors/400-auth"]: 400, refused_logins;
    /// Registrations refused for a known e-mail or an unreadable body are { error }.
    refused_registrations_have_the_shape judges ["errors/400-auth"]: 400, refused_registrations;
    /// Verifications refused for an unknown session or an unreadable body are { error }.
    refused_verifications_have_the_shape judges ["errors/400-auth"]: 400, refused_verifications;
    /// Creations of API keys refused for an unreadable body are { error }.
    refused_key_creations_have_the_shape judges ["errors/400-auth"]: 400, refused_key_creations;
    /// Two-factor requests with an API key are refused with { error }.
    two_factor_requests_of_a_client_have_the_shape judges ["errors/400-two-factor"]: 400, two_factor_requests_of_a_client;
    /// Two-factor requests of a user are refused with { error }.
    two_factor_requests_of_a_user_have_the_shape judges ["errors/400-two-factor"]: 400, two_factor_requests_of_a_user;
    /// The 404 of an unknown path is { error }, for every method.
    unknown_paths_have_the_shape judges ["errors/404-path"]: 404, unknown_paths;
    /// The 404 of an unknown book is { error }, whether to be read, replaced or deleted.
    unknown_books_have_the_shape judges ["errors/404-book"]: 404, unknown_books;
    /// The 404 of an unknown /auth path is { error }.
    unknown_auth_paths_have_the_shape judges ["errors/404-auth"]: 404, unknown_auth_paths;
    /// The 404 of an unknown /2fa path is { error }, to a user.
    unknown_two_factor_paths_have_the_shape judges ["errors/404-two-factor"]: 404, unknown_two_factor_paths;
    /// The 405 of a book path is { error }.
    refused_methods_of_books_have_the_shape judges ["errors/405-books"]: 405, refused_methods_of_books;
    /// The 405 of /auth/verify-2fa is { error }.
    refused_methods_of_verification_have_the_shape judges ["errors/405-verify"]: 405, refused_methods_of_verification;
}

/// The requests of a row, not sent yet.
pub(super) type Requests<'c> = Result<Vec<Request<'c>>, CaseError>;

/// Each request must be refused with that status, which other cases judge; the shape is judged here.
fn have_the_shape(
    cx: &CaseContext<'_>,
    status: u16,
    requests: for<'c> fn(&'c CaseContext<'_>) -> Requests<'c>,
) -> CaseResult {
    let replies = requests(cx)?.into_iter().map(Request::send).collect::<Result<Vec<Reply>, CaseError>>()?;
    let (refused, other): (Vec<_>, Vec<_>) = replies.into_iter().partition(|reply| reply.status() == status);
    for reply in &refused {
        reply.check().refused(status)?;
    }
    // What is not refused blocks the case only after the others have been judged.
    other.into_iter().try_for_each(|reply| reply.prepared("being refused", status).map(|_| ()))
}

/// A request with a body that says to be JSON and is none.
fn unreadable<'t>(request: Request<'t>) -> Request<'t> {
    request.json_text(b"{\"titulo\":\"x\",\"email\":")
}

pub(super) fn refused_creates<'c>(cx: &'c CaseContext<'_>) -> Requests<'c> {
    let create = |body: Value| cx.post("/libros").key(cx.admin_key()).json(&body);
    Ok(vec![
        create(json!({ "autor": "x" })),
        create(json!({ "titulo": "x" })),
        create(json!({ "titulo": "", "autor": "x" })),
        create(json!({ "titulo": "x", "autor": "" })),
        create(json!({})),
    ])
}

pub(super) fn books_refused_for_their_id<'c>(cx: &'c CaseContext<'_>) -> Requests<'c> {
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

pub(super) fn unreadable_books<'c>(cx: &'c CaseContext<'_>) -> Requests<'c> {
    let made = books::create(cx, &json!({}))?;
    Ok(vec![unreadable(cx.post("/libros").key(cx.admin_key())), unreadable(cx.put(&made.path()).key(cx.admin_key()))])
}

pub(super) fn refused_logins<'c>(cx: &'c CaseContext<'_>) -> Requests<'c> {
    let login = |email: &str| cx.post("/auth/login").json(&json!({ "email": email, "password": "ninguna" }));
    // A user of its own: a target may close an account for a while after wrong passwords.
    let user = users::register(cx, "user")?;
    Ok(vec![login(&users::email(cx, "nadie")), login(&user.email), unreadable(cx.post("/auth/login"))])
}

pub(super) fn refused_registrations<'c>(cx: &'c CaseContext<'_>) -> Requests<'c> {
    let known = &cx.target().credentials.regular_user.email;
    Ok(vec![
        cx.post("/auth/registro").json(&json!({ "email": known, "password": PASSWORD })),
        unreadable(cx.post("/auth/registro")),
    ])
}

pub(super) fn refused_verifications<'c>(cx: &'c CaseContext<'_>) -> Requests<'c> {
    let unknown = json!({ "sessionId": "0".repeat(64), "token": "123456" });
    Ok(vec![
        cx.post("/auth/verify-2fa").json(&unknown),
        cx.post("/auth/verify-2fa").json(&json!({})),
        unreadable(cx.post("/auth/verify-2fa")),
    ])
}

pub(super) fn refused_key_creations<'c>(cx: &'c CaseContext<'_>) -> Requests<'c> {
    let (_, tokens) = users::register_and_log_in(cx, "admin")?;
    Ok(vec![unreadable(cx.post("/auth/api-keys").bearer(&tokens.session))])
}

pub(super) fn two_factor_requests_of_a_client<'c>(cx: &'c CaseContext<'_>) -> Requests<'c> {
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

pub(super) fn two_factor_requests_of_a_user<'c>(cx: &'c CaseContext<'_>) -> Requests<'c> {
    let (_, tokens) = users::register_and_log_in(cx, "user")?;
    let wrong = json!({ "password": "ninguna" });
    Ok(vec![
        cx.post("/2fa/disable").bearer(&tokens.session).json(&wrong),
        cx.post("/2fa/disable").bearer(&tokens.session).json(&json!({ "password": PASSWORD })),
        cx.post("/2fa/regenerate-backup-codes").bearer(&tokens.session).json(&wrong),
        unreadable(cx.post("/2fa/disable").bearer(&tokens.session)),
    ])
}

pub(super) fn unknown_paths<'c>(cx: &'c CaseContext<'_>) -> Requests<'c> {
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

pub(super) fn unknown_books<'c>(cx: &'c CaseContext<'_>) -> Requests<'c> {
    let path = books::unknown_path(cx);
    Ok(vec![
        cx.get(&path).key(cx.test_key()),
        cx.put(&path).key(cx.admin_key()).json(&json!({ "titulo": "x", "autor": "y" })),
        cx.delete(&path).key(cx.admin_key()),
    ])
}

pub(super) fn unknown_auth_paths<'c>(cx: &'c CaseContext<'_>) -> Requests<'c> {
    Ok(vec![
        cx.get("/auth/nada"),
        cx.get("/auth"),
        cx.post("/auth/nada").json(&json!({})),
        cx.get("/authfoo"),
        cx.delete("/auth/nada").key(cx.admin_key()),
    ])
}

pub(super) fn unknown_two_factor_paths<'c>(cx: &'c CaseContext<'_>) -> Requests<'c> {
    let user = &cx.target().credentials.regular_user;
    let session = users::log_in(cx, &user.email, &user.password)?.session;
    Ok(vec![cx.get("/2fa/nada").bearer(&session), cx.post("/2fa/nada").bearer(&session).json(&json!({}))])
}

pub(super) fn refused_methods_of_books<'c>(cx: &'c CaseContext<'_>) -> Requests<'c> {
    Ok(vec![
        cx.request("PATCH", "/libros").json(&json!({})),
        cx.request("PATCH", "/libros/1").json(&json!({})),
        cx.request("PATCH", &books::unknown_path(cx)).key(cx.admin_key()).json(&json!({})),
    ])
}

pub(super) fn refused_methods_of_verification<'c>(cx: &'c CaseContext<'_>) -> Requests<'c> {
    Ok(vec![
        cx.get("/auth/verify-2fa"),
        cx.put("/auth/verify-2fa").json(&json!({})),
        cx.delete("/auth/verify-2fa"),
        cx.request("PATCH", "/auth/verify-2fa").json(&json!({})),
    ])
}
