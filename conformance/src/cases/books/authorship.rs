//! creadoPor and actualizadoPor: who created a book, who replaced it.

use serde_json::{Value, json};

use super::answers::is_shown;
use crate::case::{CaseContext, CaseError, CaseResult, cases};
use crate::contract::violation::Place;
use crate::fixture::users::{self, MadeUser, Tokens};
use crate::fixture::{books, clients};
use crate::http::reply::{Reply, told};
use crate::http::request::Request;

cases! { "books";
    /// creadoPor is the e-mail of the user who came with a session token.
    creado_por_is_the_email_of_a_session_s_user judges ["books/creado-por-user"];
    /// creadoPor is the e-mail of the user who came with a JWT.
    creado_por_is_the_email_of_a_jwt_s_user judges ["books/creado-por-user"];
    /// creadoPor is the name of the client whose key was used.
    creado_por_is_the_name_of_the_client judges ["books/creado-por-client"];
    /// The initial clients have names too.
    creado_por_names_the_initial_clients judges ["books/creado-por-client"];
    /// actualizadoPor is the e-mail of the user who replaced the book with a session token, whoever created it.
    actualizado_por_is_the_email_of_a_session_s_user judges ["books/actualizado-por-user"];
    /// actualizadoPor is the e-mail of the user who replaced the book with a JWT.
    actualizado_por_is_the_email_of_a_jwt_s_user judges ["books/actualizado-por-user"];
    /// actualizadoPor is the name of the client whose key was used, whoever created the book.
    actualizado_por_is_the_name_of_the_client judges ["books/actualizado-por-client"];
    /// actualizadoPor is of the last replace, whoever came before.
    actualizado_por_is_of_the_last_replace judges ["books/actualizado-por-client", "books/actualizado-por-user"];
    /// A replace that sends no creadoPor leaves none.
    creado_por_is_gone_after_a_replace judges ["books/creado-por-after-replace"];
    /// A creadoPor sent with a replace: stored, dropped, or the service's own.
    creado_por_sent_with_a_replace judges ["books/creado-por-sent-on-replace"];
}

/// The initial admin and its tokens: it may write, and its e-mail is known.
fn writer(cx: &CaseContext<'_>) -> Result<(String, Tokens), CaseError> {
    let admin = &cx.target().credentials.admin_user;
    Ok((admin.email.clone(), users::log_in(cx, &admin.email, &admin.password)?))
}

fn book() -> Value {
    json!({ "titulo": "La invención de Morel", "autor": "Adolfo Bioy Casares" })
}

/// The book as answered and as read again.
fn answered_and_read(cx: &CaseContext<'_>, reply: Reply) -> Result<[Reply; 2], CaseError> {
    let read = books::read(cx, books::id_of(&reply).unwrap_or_default())?;
    Ok([reply, read])
}

fn creado_por_is_the_email_of_a_session_s_user(cx: &CaseContext<'_>) -> CaseResult {
    let (email, tokens) = writer(cx)?;
    let made = books::created(cx, cx.post("/libros").bearer(&tokens.session).json(&book()).send()?)?;
    for reply in answered_and_read(cx, made.reply)? {
        reply.check().at("/creadoPor", &json!(email))?;
    }
    Ok(())
}

fn creado_por_is_the_email_of_a_jwt_s_user(cx: &CaseContext<'_>) -> CaseResult {
    let (user, tokens): (MadeUser, Tokens) = users::register_and_log_in(cx, "moderator")?;
    let made = books::created(cx, cx.post("/libros").jwt(&tokens.jwt).json(&book()).send()?)?;
    for reply in answered_and_read(cx, made.reply)? {
        reply.check().at("/creadoPor", &json!(user.email))?;
    }
    Ok(())
}

fn creado_por_is_the_name_of_the_client(cx: &CaseContext<'_>) -> CaseResult {
    let client = clients::create(cx, &["read:libros", "write:libros"])?;
    let made = books::created(cx, cx.post("/libros").key(&client.key).json(&book()).send()?)?;
    for reply in answered_and_read(cx, made.reply)? {
        reply.check().at("/creadoPor", &json!(client.name))?;
    }
    Ok(())
}

fn creado_por_names_the_initial_clients(cx: &CaseContext<'_>) -> CaseResult {
    let (_, admin) = users::register_and_log_in(cx, "admin")?;
    for key in [cx.test_key(), cx.admin_key()] {
        let made = books::created(cx, cx.post("/libros").key(key).json(&book()).send()?)?;
        let is_name = |name: &Value| name.as_str().is_some_and(|name| !name.is_empty() && name != key);
        let check = made.reply.check().at_where("/creadoPor", "the client's name, a text", is_name)?;
        if let Some(name) = listed_name(cx, &admin, key)? {
            check.at("/creadoPor", &name)?;
        }
    }
    Ok(())
}

/// The name that the list of keys shows beside this one, where it shows a single key of such a beginning.
fn listed_name(cx: &CaseContext<'_>, admin: &Tokens, key: &str) -> Result<Option<Value>, CaseError> {
    let reply = cx.get("/auth/api-keys").bearer(&admin.session).send()?;
    let masked = Value::from(format!("{}...", key.chars().take(8).collect::<String>()));
    let keys = reply.json();
    let mut fitting = keys.as_array().into_iter().flatten().filter(|entry| entry["apiKey"] == masked);
    let name = fitting.next().and_then(|entry| entry.pointer(&clients::client_field(cx, "name"))).cloned();
    Ok(name.filter(|name| name.is_string() && fitting.next().is_none()))
}

fn actualizado_por_is_the_email_of_a_session_s_user(cx: &CaseContext<'_>) -> CaseResult {
    let (email, tokens) = writer(cx)?;
    let made = books::create(cx, &json!({}))?;
    let reply = cx.put(&made.path()).bearer(&tokens.session).json(&book()).send()?;
    let reply = reply.prepared("replacing a book", 200)?;
    for reply in answered_and_read(cx, reply)? {
        reply.check().at("/actualizadoPor", &json!(email))?;
    }
    Ok(())
}

fn actualizado_por_is_the_email_of_a_jwt_s_user(cx: &CaseContext<'_>) -> CaseResult {
    let (_, creator) = writer(cx)?;
    let made = books::created(cx, cx.post("/libros").jwt(&creator.jwt).json(&book()).send()?)?;
    let (user, tokens) = users::register_and_log_in(cx, "moderator")?;
    let reply = cx.put(&made.path()).jwt(&tokens.jwt).json(&book()).send()?;
    let reply = reply.prepared("replacing a book", 200)?;
    for reply in answered_and_read(cx, reply)? {
        reply.check().at("/actualizadoPor", &json!(user.email))?;
    }
    Ok(())
}

fn actualizado_por_is_the_name_of_the_client(cx: &CaseContext<'_>) -> CaseResult {
    let client = clients::create(cx, &["write:libros"])?;
    let made = books::create(cx, &json!({}))?;
    let reply = cx.put(&made.path()).key(&client.key).json(&book()).send()?;
    let reply = reply.prepared("replacing a book", 200)?;
    for reply in answered_and_read(cx, reply)? {
        reply.check().at("/actualizadoPor", &json!(client.name))?;
    }
    Ok(())
}

fn actualizado_por_is_of_the_last_replace(cx: &CaseContext<'_>) -> CaseResult {
    let client = clients::create(cx, &["write:libros"])?;
    let (user, tokens) = users::register_and_log_in(cx, "moderator")?;
    let made = books::create(cx, &json!({}))?;
    let replace = |request: Request<'_>| request.json(&book()).send()?.prepared("replacing a book", 200);
    for _ in 0..2 {
        for reply in answered_and_read(cx, replace(cx.put(&made.path()).key(&client.key))?)? {
            reply.check_rule("books/actualizado-por-client").at("/actualizadoPor", &json!(client.name))?;
        }
        for reply in answered_and_read(cx, replace(cx.put(&made.path()).bearer(&tokens.session))?)? {
            reply.check_rule("books/actualizado-por-user").at("/actualizadoPor", &json!(user.email))?;
        }
    }
    Ok(())
}

fn creado_por_is_gone_after_a_replace(cx: &CaseContext<'_>) -> CaseResult {
    let made = books::create(cx, &json!({}))?;
    let reply = cx.put(&made.path()).key(cx.admin_key()).json(&book()).send()?.prepared("replacing a book", 200)?;
    cx.check(!is_shown(&reply.json(), "creadoPor"), Place::body("/creadoPor"), "no such field, or null", told(&reply))
}

fn creado_por_sent_with_a_replace(cx: &CaseContext<'_>) -> CaseResult {
    let made = books::create(cx, &json!({}))?;
    let creator = made.reply.at("/creadoPor");
    let sent = json!(users::NOBODY);
    let mut body = book();
    body["creadoPor"] = sent.clone();
    let reply = cx.put(&made.path()).key(cx.admin_key()).json(&body).send()?.prepared("replacing a book", 200)?;
    let seen = reply.at("/creadoPor");
    let is_replacer = seen.is_some() && seen == reply.at("/actualizadoPor");
    let readings = [
        ("stored", seen == Some(sent)),
        ("dropped", seen.is_none()),
        ("own", seen == creator || is_replacer || seen == Some(Value::Null)),
    ];
    cx.observe(&readings, told(&reply))
}
