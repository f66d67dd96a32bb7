//! Cases of the chapter versioning: the version label, asked for, echoed, never judged.

use serde_json::json;

use crate::case::Case;
use crate::context::case_context::Trial;
use crate::contract::verdict::Stop;
use crate::http::reply::Reply;
use crate::http::request::Request;

mod echo;
mod labels;

/// The tables of the chapter.
pub const TABLES: &[&[Case]] = &[echo::CASES, labels::CASES];

const HEADER: &str = "X-API-Version";

/// A successful answer of each book operation, with the label, if any.
fn book_answers(t: &Trial<'_>, label: Option<&str>) -> Result<Vec<Reply>, Stop> {
    let with = |request| labelled(request, label);
    let body = json!({ "titulo": "El túnel", "autor": "Ernesto Sabato" });
    let created = with(t.post("/libros")).key(t.admin_key()).json(&body).send()?;
    let made = t.made(created)?;
    let list = with(t.get("/libros?limit=1")).key(t.admin_key()).send()?.prepared("listing", 200)?;
    let read = with(t.get(&made.path())).key(t.admin_key()).send()?.prepared("reading", 200)?;
    let put = with(t.put(&made.path())).key(t.admin_key()).json(&body).send()?.prepared("replacing", 200)?;
    let deleted = with(t.delete(&made.path())).key(t.admin_key()).send()?.prepared("deleting", 204)?;
    Ok(vec![made.reply, list, read, put, deleted])
}

fn labelled<'t, 'a>(request: Request<'t, 'a>, label: Option<&str>) -> Request<'t, 'a> {
    match label {
        Some(label) => request.header(HEADER, label),
        None => request,
    }
}

/// One refusal of each kind that every header group belongs to: 400, 404 and 405, of books, authentication and nothing.
fn refusals(t: &Trial<'_>, label: Option<&str>) -> Result<Vec<Reply>, Stop> {
    let with = |request| labelled(request, label);
    let key = t.admin_key();
    let requests = [
        (400, with(t.post("/libros")).key(key).json(&json!({}))),
        (400, with(t.delete("/libros")).key(key)),
        (400, with(t.put("/libros")).key(key).json(&json!({}))),
        (404, with(t.get(&t.unknown_book())).key(key)),
        (404, with(t.delete(&t.unknown_book())).key(key)),
        (405, with(t.request("PATCH", "/libros"))),
        (404, with(t.get("/nada"))),
        (404, with(t.post("/auth/nada")).json(&json!({}))),
        (400, with(t.post("/auth/login")).json(&json!({ "email": "nadie@example.test", "password": "x" }))),
        (405, with(t.get("/auth/verify-2fa"))),
        (400, with(t.get("/2fa/status")).key(key)),
    ];
    let send = |(status, request): (u16, Request<'_, '_>)| request.send()?.prepared("being refused", status);
    requests.into_iter().map(send).collect()
}

/// A 401 need not carry the version; where it does, it must be the right one.
fn denial(t: &Trial<'_>, label: Option<&str>) -> Result<Option<Reply>, Stop> {
    let reply = labelled(t.get("/libros"), label).send()?.prepared("being denied", 401)?;
    Ok(reply.header(HEADER).is_some().then_some(reply))
}
