//! One answer of every kind, for rules that hold on every answer: a header may be missing on one kind alone.

use serde_json::json;

use crate::context::case_context::Trial;
use crate::contract::verdict::Stop;
use crate::fixture::users::PASSWORD;
use crate::http::reply::Reply;

/// What an answer is, and the answer.
pub(super) type Answers = Vec<(&'static str, Reply)>;

/// Successes of the book interface with a body.
pub(super) fn book_successes(t: &Trial<'_>) -> Result<Answers, Stop> {
    let key = t.admin_key();
    let lot = t.create_lot(&[json!({})])?;
    let book = &lot.books[0];
    let replaced = json!({ "titulo": "Rayuela", "autor": "Julio Cortázar" });
    Ok(vec![
        ("a list", t.get(&lot.path("")).key(key).send()?.prepared("listing", 200)?),
        ("an empty list", t.get(&lot.path("titulo=nada")).key(key).send()?.prepared("listing", 200)?),
        ("a book", t.get(&book.path()).key(key).send()?.prepared("reading", 200)?),
        ("a created book", book.reply.clone()),
        ("a replaced book", t.put(&book.path()).key(key).json(&replaced).send()?.prepared("replacing", 200)?),
    ])
}

/// Successes of the other interfaces of the catalogue, with a body.
pub(super) fn auth_successes(t: &Trial<'_>) -> Result<Answers, Stop> {
    let email = format!("{}@example.test", t.unique("cabecera"));
    let body = json!({ "email": email, "password": PASSWORD, "role": "admin" });
    let registered = t.post("/auth/registro").json(&body).send()?.prepared("registering a user", 201)?;
    let logged_in = t.post("/auth/login").json(&body).send()?.prepared("logging in", 200)?;
    let token = logged_in.text_at("/tokens/sessionToken");
    let client = json!({ "nombre": t.unique("cliente"), "permisos": ["read:libros"] });
    let created = t.post("/auth/api-keys").bearer(&token).json(&client).send()?;
    Ok(vec![
        ("a registration", registered),
        ("a login", logged_in),
        ("a created API key", created.prepared("creating an API key", 201)?),
        ("the list of API keys", t.get("/auth/api-keys").bearer(&token).send()?.prepared("listing API keys", 200)?),
        ("the two-factor status", t.get("/2fa/status").bearer(&token).send()?.prepared("reading the status", 200)?),
    ])
}

/// Refusals with 404.
pub(super) fn not_found(t: &Trial<'_>) -> Result<Answers, Stop> {
    let key = t.admin_key();
    let book = json!({ "titulo": "x", "autor": "y" });
    let unknown = t.unknown_book();
    let answers = vec![
        ("404 of an unknown path", t.get("/revistas").send()?),
        ("404 of an unknown book", t.get(&unknown).key(key).send()?),
        ("404 of replacing an unknown book", t.put(&unknown).key(key).json(&book).send()?),
        ("404 of deleting an unknown book", t.delete(&unknown).key(key).send()?),
        ("404 of an unknown /auth path", t.get("/auth/nada").send()?),
    ];
    all_with(answers, 404)
}

/// Refusals with 400 and 405.
pub(super) fn refused(t: &Trial<'_>) -> Result<Answers, Stop> {
    let key = t.admin_key();
    let (untitled, unknown) = (json!({ "autor": "y" }), json!({ "email": "nadie@example.test", "password": "x" }));
    let mut answers = all_with(
        vec![
            ("400 of a book without titulo", t.post("/libros").key(key).json(&untitled).send()?),
            ("400 of a delete without id", t.delete("/libros").key(key).send()?),
            ("400 of malformed JSON", t.post("/libros").key(key).body(b"{").send()?),
            ("400 of a login", t.post("/auth/login").json(&unknown).send()?),
        ],
        400,
    )?;
    answers.extend(all_with(
        vec![
            ("405 of a book path", t.request("PATCH", "/libros").send()?),
            ("405 of /auth/verify-2fa", t.get("/auth/verify-2fa").send()?),
        ],
        405,
    )?);
    Ok(answers)
}

/// Refusals with 401, one a code.
pub(super) fn denied(t: &Trial<'_>) -> Result<Answers, Stop> {
    let answers = vec![
        ("401 without a credential", t.get("/libros").send()?),
        ("401 of an unknown key", t.get("/libros").key("ak_ninguna").send()?),
        ("401 of an unknown session token", t.get("/libros").bearer(&"0".repeat(64)).send()?),
        ("401 of a malformed JWT", t.get("/libros").jwt("a.b").send()?),
    ];
    all_with(answers, 401)
}

fn all_with(answers: Answers, status: u16) -> Result<Answers, Stop> {
    answers.into_iter().map(|(what, reply)| Ok((what, reply.prepared(what, status)?))).collect()
}
