//! One answer of every kind, for rules that hold on every answer: a header may be missing on one kind alone.

use serde_json::json;

use crate::case::{CaseContext, CaseError, CaseResult};
use crate::fixture::users::{self, PASSWORD};
use crate::fixture::{books, preflight};
use crate::http::reply::Reply;

/// Sends for answers of every kind, once a run; what is wrong with them, the rules say that hold for all answers.
pub(super) fn sampled(cx: &CaseContext<'_>) -> CaseResult {
    cx.session().sample.get_or_init(|| sample(cx)).clone()
}

fn sample(cx: &CaseContext<'_>) -> CaseResult {
    let set = books::create_set(cx, &[json!({ "n": 1 }), json!({ "n": 2 }), json!({ "n": 3 })])?;
    for parameters in ["limit=1&page=2", "limit=2&page=2", "page=3", "limit=500", "fields=titulo&page=9"] {
        cx.get(&set.path(parameters)).key(cx.test_key()).send()?;
    }
    for path in ["/libros?limit=1", "/revistas"] {
        cx.get(path).key(cx.test_key()).header("Origin", "https://lectores.example.test").send()?;
    }
    for path in ["/libros", "/libros/1", "/auth/login", "/2fa/status", "/revistas"] {
        for request in preflight::beside_plain(cx, path) {
            request.send()?;
        }
    }
    cx.delete(&set.books[0].path()).key(cx.admin_key()).send()?;
    book_successes(cx)?;
    not_found(cx)?;
    refused(cx)?;
    denied(cx)?;
    auth_successes(cx)?;
    Ok(())
}

/// What an answer is, and the answer.
pub(super) type Answers = Vec<(&'static str, Reply)>;

/// Successes of the book interface with a body.
pub(super) fn book_successes(cx: &CaseContext<'_>) -> Result<Answers, CaseError> {
    let key = cx.admin_key();
    let set = books::create_set(cx, &[json!({})])?;
    let book = &set.books[0];
    let replaced = json!({ "titulo": "Rayuela", "autor": "Julio Cortázar" });
    Ok(vec![
        ("a list", cx.get(&set.path("")).key(key).send()?.prepared("listing", 200)?),
        ("an empty list", cx.get(&set.path("titulo=nada")).key(key).send()?.prepared("listing", 200)?),
        ("a book", cx.get(&book.path()).key(key).send()?.prepared("reading", 200)?),
        ("a created book", book.reply.clone()),
        ("a replaced book", cx.put(&book.path()).key(key).json(&replaced).send()?.prepared("replacing", 200)?),
    ])
}

/// Successes of the other interfaces of the catalogue, with a body.
pub(super) fn auth_successes(cx: &CaseContext<'_>) -> Result<Answers, CaseError> {
    let email = users::email(cx, "cabecera");
    let body = json!({ "email": email, "password": PASSWORD, "role": "admin" });
    let registered = cx.post("/auth/registro").json(&body).send()?.prepared("registering a user", 201)?;
    let logged_in = users::try_log_in(cx, &email, PASSWORD)?.prepared("logging in", 200)?;
    let token = logged_in.text_at("/tokens/sessionToken");
    let client = json!({ "nombre": cx.unique("cliente"), "permisos": ["read:libros"] });
    let created = cx.post("/auth/api-keys").bearer(&token).json(&client).send()?;
    let mut answers = vec![
        ("a registration", registered),
        ("a login", logged_in),
        ("a created API key", created.prepared("creating an API key", 201)?),
        ("the list of API keys", cx.get("/auth/api-keys").bearer(&token).send()?.prepared("listing API keys", 200)?),
    ];
    if cx.holds_second_factor() {
        let status = cx.get("/2fa/status").bearer(&token).send()?.prepared("reading the status", 200)?;
        answers.push(("the two-factor status", status));
    }
    Ok(answers)
}

/// Refusals with 404.
pub(super) fn not_found(cx: &CaseContext<'_>) -> Result<Answers, CaseError> {
    let key = cx.admin_key();
    let book = json!({ "titulo": "x", "autor": "y" });
    let unknown = books::unknown_path(cx);
    let answers = vec![
        ("404 of an unknown path", cx.get("/revistas").send()?),
        ("404 of an unknown book", cx.get(&unknown).key(key).send()?),
        ("404 of replacing an unknown book", cx.put(&unknown).key(key).json(&book).send()?),
        ("404 of deleting an unknown book", cx.delete(&unknown).key(key).send()?),
        ("404 of an unknown /auth path", cx.get("/auth/nada").send()?),
    ];
    all_with(answers, 404)
}

/// Refusals with 400 and 405.
pub(super) fn refused(cx: &CaseContext<'_>) -> Result<Answers, CaseError> {
    let key = cx.admin_key();
    let (untitled, unknown) = (json!({ "autor": "y" }), json!({ "email": users::NOBODY, "password": "x" }));
    let mut answers = all_with(
        vec![
            ("400 of a book without titulo", cx.post("/libros").key(key).json(&untitled).send()?),
            ("400 of a delete without id", cx.delete("/libros").key(key).send()?),
            ("400 of malformed JSON", cx.post("/libros").key(key).json_text(b"{").send()?),
            ("400 of a login", cx.post("/auth/login").json(&unknown).send()?),
        ],
        400,
    )?;
    let mut methods = vec![("405 of a book path", cx.request("PATCH", "/libros").send()?)];
    if cx.holds_second_factor() {
        methods.push(("405 of /auth/verify-2fa", cx.get("/auth/verify-2fa").send()?));
    }
    answers.extend(all_with(methods, 405)?);
    Ok(answers)
}

/// Refusals with 401, one a code.
pub(super) fn denied(cx: &CaseContext<'_>) -> Result<Answers, CaseError> {
    let answers = vec![
        ("401 without a credential", cx.get("/libros").send()?),
        ("401 of an unknown key", cx.get("/libros").key("ak_ninguna").send()?),
        ("401 of an unknown session token", cx.get("/libros").bearer(&"0".repeat(64)).send()?),
        ("401 of a malformed JWT", cx.get("/libros").jwt("a.b").send()?),
    ];
    all_with(answers, 401)
}

fn all_with(answers: Answers, status: u16) -> Result<Answers, CaseError> {
    answers.into_iter().map(|(what, reply)| Ok((what, reply.prepared(what, status)?))).collect()
}
