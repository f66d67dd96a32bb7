//! `{ error: <text> }`: the one shape of every 400, 404 and 405. Which request leads to which status is other chapters' matter.

use serde_json::{Value, json};

use crate::cases;
use crate::context::case_context::CaseContext;
use crate::contract::verdict::{CaseError, CaseResult};
use crate::fixture::books;
use crate::fixture::users::{self, PASSWORD};
use crate::http::reply::Reply;
use crate::http::request::Request;

cases! { "errors";
    /// Creates refused for what their bodies lack are { error }.
    refused_creates_have_the_shape judges ["errors/400-books"];
    /// Book requests refused for an id too many or too few are { error }.
    books_refused_for_their_id_have_the_shape judges ["errors/400-books"];
    /// Book bodies that are no JSON are refused with { error }.
    unreadable_books_have_the_shape judges ["errors/400-books"];
    /// Logins refused for e-mail, password or body are { error }.
    refused_logins_have_the_shape judges ["errors/400-auth"];
    /// Registrations refused for a known e-mail or an unreadable body are { error }.
    refused_registrations_have_the_shape judges ["errors/400-auth"];
    /// Verifications refused for an unknown session or an unreadable body are { error }.
    refused_verifications_have_the_shape judges ["errors/400-auth"];
    /// Creations of API keys refused for an unreadable body are { error }.
    refused_key_creations_have_the_shape judges ["errors/400-auth"];
    /// Two-factor requests with an API key are refused with { error }.
    two_factor_requests_of_a_client_have_the_shape judges ["errors/400-two-factor"];
    /// Two-factor requests of a user are refused with { error }.
    two_factor_requests_of_a_user_have_the_shape judges ["errors/400-two-factor"];
    /// The 404 of an unknown path is { error }, for every method.
    unknown_paths_have_the_shape judges ["errors/404-path"];
    /// The 404 of an unknown book is { error }, whether to be read, replaced or deleted.
    unknown_books_have_the_shape judges ["errors/404-book"];
    /// The 404 of an unknown /auth path is { error }.
    unknown_auth_paths_have_the_shape judges ["errors/404-auth"];
    /// The 404 of an unknown /2fa path is { error }, to a user.
    unknown_two_factor_paths_have_the_shape judges ["errors/404-two-factor"];
    /// The 405 of a book path is { error }.
    refused_methods_of_books_have_the_shape judges ["errors/405-books"];
    /// The 405 of /auth/verify-2fa is { error }.
    refused_methods_of_verification_have_the_shape judges ["errors/405-verify"];
}

/// Each request must be refused with that status, which other cases judge; the shape is judged here.
fn have_the_shape(status: u16, requests: Vec<Request<'_>>) -> CaseResult {
    let send = |request: Request<'_>| request.send();
    let replies = requests.into_iter().map(send).collect::<Result<Vec<Reply>, CaseError>>()?;
    let (refused, other): (Vec<_>, Vec<_>) = replies.into_iter().partition(|reply| reply.status() == status);
    for reply in &refused {
        reply.check().refused(status)?;
    }
    // What is not refused blocks the case only after the others have been judged.
    other.into_iter().try_for_each(|reply| reply.prepared("being refused", status).map(|_| ()))
}

/// A request with a body that says to be JSON and is none.
fn unreadable<'t>(request: Request<'t>) -> Request<'t> {
    request.header("Content-Type", "application/json").body(b"{\"titulo\":\"x\",\"email\":")
}

fn refused_creates_have_the_shape(cx: &CaseContext<'_>) -> CaseResult {
    let create = |body: Value| cx.post("/libros").key(cx.admin_key()).json(&body);
    let requests = vec![
        create(json!({ "autor": "x" })),
        create(json!({ "titulo": "x" })),
        create(json!({ "titulo": "", "autor": "x" })),
        create(json!({ "titulo": "x", "autor": "" })),
        create(json!({})),
    ];
    have_the_shape(400, requests)
}

fn books_refused_for_their_id_have_the_shape(cx: &CaseContext<'_>) -> CaseResult {
    let made = books::create(cx, &json!({}))?;
    let book = json!({ "titulo": "x", "autor": "y" });
    let requests = vec![
        cx.post(&made.path()).key(cx.admin_key()).json(&book),
        cx.put("/libros").key(cx.admin_key()).json(&book),
        cx.put("/libros/abc").key(cx.admin_key()).json(&book),
        cx.delete("/libros").key(cx.admin_key()),
        cx.delete("/libros/0").key(cx.admin_key()),
    ];
    have_the_shape(400, requests)
}

fn unreadable_books_have_the_shape(cx: &CaseContext<'_>) -> CaseResult {
    let made = books::create(cx, &json!({}))?;
    let requests =
        vec![unreadable(cx.post("/libros").key(cx.admin_key())), unreadable(cx.put(&made.path()).key(cx.admin_key()))];
    have_the_shape(400, requests)
}

fn refused_logins_have_the_shape(cx: &CaseContext<'_>) -> CaseResult {
    let login = |email: &str| cx.post("/auth/login").json(&json!({ "email": email, "password": "ninguna" }));
    let requests = vec![
        login(&format!("{}@example.test", cx.unique("nadie"))),
        login(&cx.target().credentials.regular_user.email),
        unreadable(cx.post("/auth/login")),
    ];
    have_the_shape(400, requests)
}

fn refused_registrations_have_the_shape(cx: &CaseContext<'_>) -> CaseResult {
    let known = &cx.target().credentials.regular_user.email;
    let requests = vec![
        cx.post("/auth/registro").json(&json!({ "email": known, "password": PASSWORD })),
        cx.post("/auth/registro").json(&json!({ "password": PASSWORD })),
        unreadable(cx.post("/auth/registro")),
    ];
    have_the_shape(400, requests)
}

fn refused_verifications_have_the_shape(cx: &CaseContext<'_>) -> CaseResult {
    let unknown = json!({ "sessionId": "0".repeat(64), "token": "123456" });
    let requests = vec![
        cx.post("/auth/verify-2fa").json(&unknown),
        cx.post("/auth/verify-2fa").json(&json!({})),
        unreadable(cx.post("/auth/verify-2fa")),
    ];
    have_the_shape(400, requests)
}

fn refused_key_creations_have_the_shape(cx: &CaseContext<'_>) -> CaseResult {
    let (_, tokens) = users::register_and_log_in(cx, "admin")?;
    let requests = vec![unreadable(cx.post("/auth/api-keys").bearer(&tokens.session))];
    have_the_shape(400, requests)
}

fn two_factor_requests_of_a_client_have_the_shape(cx: &CaseContext<'_>) -> CaseResult {
    let password = json!({ "password": PASSWORD });
    let requests = vec![
        cx.get("/2fa/status").key(cx.admin_key()),
        cx.get("/2fa/trusted-devices").key(cx.admin_key()),
        cx.post("/2fa/enable").key(cx.admin_key()).json(&password),
        cx.post("/2fa/disable").key(cx.admin_key()).json(&password),
        cx.post("/2fa/regenerate-backup-codes").key(cx.admin_key()).json(&password),
        cx.delete("/2fa/trusted-devices/0123456789abcdef").key(cx.admin_key()),
    ];
    have_the_shape(400, requests)
}

fn two_factor_requests_of_a_user_have_the_shape(cx: &CaseContext<'_>) -> CaseResult {
    let (_, tokens) = users::register_and_log_in(cx, "user")?;
    let wrong = json!({ "password": "ninguna" });
    let requests = vec![
        cx.post("/2fa/disable").bearer(&tokens.session).json(&wrong),
        cx.post("/2fa/disable").bearer(&tokens.session).json(&json!({ "password": PASSWORD })),
        cx.post("/2fa/regenerate-backup-codes").bearer(&tokens.session).json(&wrong),
        unreadable(cx.post("/2fa/disable").bearer(&tokens.session)),
    ];
    have_the_shape(400, requests)
}

fn unknown_paths_have_the_shape(cx: &CaseContext<'_>) -> CaseResult {
    let requests = vec![
        cx.get("/nada"),
        cx.get("/"),
        cx.get("/nada").key(cx.admin_key()),
        cx.post("/nada").json(&json!({})),
        cx.put("/nada").json(&json!({})),
        cx.delete("/nada"),
        cx.get("/2fa"),
    ];
    have_the_shape(404, requests)
}

fn unknown_books_have_the_shape(cx: &CaseContext<'_>) -> CaseResult {
    let path = books::unknown_path(cx);
    let requests = vec![
        cx.get(&path).key(cx.test_key()),
        cx.put(&path).key(cx.admin_key()).json(&json!({ "titulo": "x", "autor": "y" })),
        cx.delete(&path).key(cx.admin_key()),
    ];
    have_the_shape(404, requests)
}

fn unknown_auth_paths_have_the_shape(cx: &CaseContext<'_>) -> CaseResult {
    let requests = vec![
        cx.get("/auth/nada"),
        cx.get("/auth"),
        cx.post("/auth/nada").json(&json!({})),
        cx.get("/authfoo"),
        cx.delete("/auth/nada").key(cx.admin_key()),
    ];
    have_the_shape(404, requests)
}

fn unknown_two_factor_paths_have_the_shape(cx: &CaseContext<'_>) -> CaseResult {
    let user = &cx.target().credentials.regular_user;
    let session = users::log_in(cx, &user.email, &user.password)?.session;
    let requests = vec![
        cx.get("/2fa/nada").bearer(&session),
        cx.get("/2fa/").bearer(&session),
        cx.post("/2fa/nada").bearer(&session).json(&json!({})),
    ];
    have_the_shape(404, requests)
}

fn refused_methods_of_books_have_the_shape(cx: &CaseContext<'_>) -> CaseResult {
    let requests = vec![
        cx.request("PATCH", "/libros").json(&json!({})),
        cx.request("PATCH", "/libros/1").json(&json!({})),
        cx.request("PATCH", &books::unknown_path(cx)).key(cx.admin_key()).json(&json!({})),
        cx.request("PATCH", "/librosfoo").json(&json!({})),
    ];
    have_the_shape(405, requests)
}

fn refused_methods_of_verification_have_the_shape(cx: &CaseContext<'_>) -> CaseResult {
    let requests = vec![
        cx.get("/auth/verify-2fa"),
        cx.put("/auth/verify-2fa").json(&json!({})),
        cx.delete("/auth/verify-2fa"),
        cx.request("PATCH", "/auth/verify-2fa").json(&json!({})),
    ];
    have_the_shape(405, requests)
}
