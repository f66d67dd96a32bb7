//! Answers of every kind to requests under a version label.

use serde_json::json;

use crate::case::{CaseContext, CaseError};
use crate::fixture::{books, users};
use crate::http::reply::Reply;
use crate::http::request::Request;

pub(crate) const HEADER: &str = "X-API-Version";

/// A successful answer of each book operation, with the label, if any.
pub(crate) fn book_answers(cx: &CaseContext<'_>, label: Option<&str>) -> Result<Vec<Reply>, CaseError> {
    let with = |request| labelled(request, label);
    let body = json!({ "titulo": "El túnel", "autor": "Ernesto Sabato" });
    let created = with(cx.post("/libros")).key(cx.admin_key()).json(&body).send()?;
    let made = books::created(cx, created)?;
    let list = with(cx.get("/libros?limit=1")).key(cx.admin_key()).send()?.prepared("listing", 200)?;
    let read = with(cx.get(&made.path())).key(cx.admin_key()).send()?.prepared("reading", 200)?;
    let put = with(cx.put(&made.path())).key(cx.admin_key()).json(&body).send()?.prepared("replacing", 200)?;
    let deleted = with(cx.delete(&made.path())).key(cx.admin_key()).send()?.prepared("deleting", 204)?;
    Ok(vec![made.reply, list, read, put, deleted])
}

pub(crate) fn labelled<'t>(request: Request<'t>, label: Option<&str>) -> Request<'t> {
    match label {
        Some(label) => request.header(HEADER, label),
        None => request,
    }
}

/// One refusal of each kind that every header group belongs to: 400, 404 and 405, of books, authentication and nothing.
pub(crate) fn refusals(cx: &CaseContext<'_>, label: Option<&str>) -> Result<Vec<Reply>, CaseError> {
    let with = |request| labelled(request, label);
    let key = cx.admin_key();
    let mut requests = vec![
        (400, with(cx.post("/libros")).key(key).json(&json!({}))),
        (400, with(cx.delete("/libros")).key(key)),
        (400, with(cx.put("/libros")).key(key).json(&json!({}))),
        (404, with(cx.get(&books::unknown_path(cx))).key(key)),
        (404, with(cx.delete(&books::unknown_path(cx))).key(key)),
        (405, with(cx.request("PATCH", "/libros"))),
        (404, with(cx.get("/nada"))),
        (404, with(cx.post("/auth/nada")).json(&json!({}))),
        (400, with(cx.post("/auth/login")).json(&json!({ "email": users::NOBODY, "password": "x" }))),
    ];
    if cx.holds_second_factor() {
        requests.push((405, with(cx.get("/auth/verify-2fa"))));
        requests.push((400, with(cx.get("/2fa/status")).key(key)));
    }
    let send = |(status, request): (u16, Request<'_>)| request.send()?.prepared("being refused", status);
    requests.into_iter().map(send).collect()
}
