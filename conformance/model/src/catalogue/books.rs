//! The book operations: which one a request asks for, and its answer.

use chrono::DateTime;
use serde_json::{Value, json};

use super::guard::guard;
use super::handler::{Failure, Outcome, RequestContext};
use super::headers::{CORS, add_group, cache, common, pagination};
use crate::accounts::permissions::Operation;
use crate::clock::{http_date, iso};
use crate::message::Reply;
use crate::{js, list, secrets};

/// The cache directives of a list, and of every 304.
const CACHED_LIST: &str = "public, max-age=300";

pub(crate) fn answer(cx: &mut RequestContext<'_>, path: &str) -> Outcome {
    let id = id(path);
    let operation = match (cx.request.method.as_str(), id) {
        ("GET", None) => Operation::ListBooks,
        ("GET", Some(_)) => Operation::ReadBook,
        ("POST", _) => Operation::CreateBook,
        ("PUT", _) => Operation::ReplaceBook,
        ("DELETE", _) => Operation::DeleteBook,
        _ => return Err(Failure::NOT_ALLOWED),
    };
    let name = guard(cx, operation)?.name;
    match (operation, id) {
        (Operation::CreateBook, None) => create(cx, &name),
        (Operation::CreateBook, Some(_)) => Err(Failure::bad("POST takes no id")),
        (Operation::ReplaceBook, Some(id)) => replace(cx, id, &name),
        (Operation::ReplaceBook, None) => Err(Failure::bad("PUT takes an id")),
        (Operation::DeleteBook, Some(id)) => delete(cx, id),
        (Operation::DeleteBook, None) => Err(Failure::bad("DELETE takes an id")),
        (_, Some(id)) => read(cx, id),
        (_, None) => Ok(list(cx)),
    }
}

/// The id: the second segment of the path as an integer. `None` if it is missing, not a number, or zero.
fn id(path: &str) -> Option<f64> {
    let segment = path.split('/').filter(|segment| !segment.is_empty()).nth(1)?;
    let all_digits = segment.bytes().all(|byte| byte.is_ascii_digit());
    // Digits beyond the largest number are an id too; no book has it.
    let id = js::parse_int(segment).or(all_digits.then_some(f64::INFINITY))?;
    (id != 0.0).then_some(id)
}

fn place(cx: &RequestContext<'_>, id: f64) -> Result<usize, Failure> {
    cx.state.place(id).ok_or(Failure::UNKNOWN_BOOK)
}

fn list(cx: &RequestContext<'_>) -> Reply {
    let (query, steps) = (cx.request.query.as_str(), &cx.steps.list);
    let page = list::list(&cx.state.books, query, steps);
    let etag = etag(cx, &(cx.steps.reads.list_etag_covers)(&page, &cx.state.books, query, steps));
    let mut reply = cx.reply(200, &list::body(&page, steps));
    cache(&mut reply, CACHED_LIST);
    pagination(&mut reply, &page);
    conditional(cx, reply, &etag, &page.items())
}

fn read(cx: &RequestContext<'_>, id: f64) -> Outcome {
    let book = &cx.state.books[place(cx, id)?];
    let mut reply = cx.reply(200, book);
    cache(&mut reply, "private, max-age=60");
    Ok(conditional(cx, reply, &etag(cx, book), book))
}

/// The ETag of the data returned: the MD5 of its JSON text.
fn etag(cx: &RequestContext<'_>, data: &Value) -> String {
    let steps = &cx.steps.reads;
    (steps.etag)(secrets::md5(&(steps.etag_text)(data)))
}

/// Adds ETag and Last-Modified; or answers 304, with only the CORS group, ETag and Cache-Control, if the client has the data.
fn conditional(cx: &RequestContext<'_>, mut reply: Reply, etag: &str, data: &Value) -> Reply {
    let (steps, header) = (&cx.steps.reads, |name| cx.request.header(name));
    let matches = header("if-none-match").is_some_and(|sent| (steps.if_none_match)(&sent, etag));
    let since = header("if-modified-since").and_then(|since| DateTime::parse_from_rfc2822(&since).ok());
    let is_unmodified = |since: DateTime<_>| (steps.unmodified_since)(data, since.timestamp_millis(), cx.now());
    if matches || since.is_some_and(is_unmodified) {
        reply = Reply::bare(304);
        add_group(&mut reply, CORS);
        reply.set("ETag", etag);
        reply.set("Cache-Control", CACHED_LIST);
    } else {
        reply.set("ETag", etag);
        reply.set("Last-Modified", &http_date(cx.now()));
    }
    reply
}

/// Appends a book of the fields sent and those that the service sets.
fn create(cx: &mut RequestContext<'_>, name: &str) -> Outcome {
    let mut book = cx.fields()?;
    if !["titulo", "autor"].into_iter().all(|name| (cx.steps.books.is_given)(name, book.get(name))) {
        return Err(Failure::bad("titulo and autor are required"));
    }
    let ids: Vec<u64> = cx.state.books.iter().filter_map(|book| book["id"].as_f64()).map(|id| id as u64).collect();
    book.insert("id".to_owned(), json!((cx.steps.books.next_id)(&ids)));
    book.insert("fechaCreacion".to_owned(), json!(iso(cx.now())));
    book.insert("creadoPor".to_owned(), json!(name));
    cx.state.books.push(book.clone().into());
    Ok(cx.reply(201, &book.into()))
}

/// Replaces the book by the fields sent and those that the service sets; id and fechaCreacion stay.
fn replace(cx: &mut RequestContext<'_>, id: f64, name: &str) -> Outcome {
    let at = place(cx, id)?;
    let mut book = cx.fields()?;
    let old = &cx.state.books[at];
    book.insert("id".to_owned(), old["id"].clone());
    match old.get("fechaCreacion") {
        Some(created) => _ = book.insert("fechaCreacion".to_owned(), created.clone()),
        None => _ = book.shift_remove("fechaCreacion"),
    }
    book.insert("fechaActualizacion".to_owned(), json!(iso(cx.now())));
    book.insert("actualizadoPor".to_owned(), json!(name));
    cx.state.books[at] = book.clone().into();
    Ok(cx.reply(200, &book.into()))
}

fn delete(cx: &mut RequestContext<'_>, id: f64) -> Outcome {
    cx.state.books.remove(place(cx, id)?);
    Ok(common(cx.request, 204))
}
