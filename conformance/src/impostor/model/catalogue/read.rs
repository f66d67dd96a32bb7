//! The two reads of the catalogue: a list and a single book.

use serde_json::Value;

use super::super::list;
use super::collection::place;
use super::failure::{Failure, Outcome};
use super::headers::Cache;
use super::request_context::RequestContext;
use super::{Reply, conditional};
use crate::impostor::policy::{ListEtagCovers, ListsFrom, ReadsFrom};

/// Lists without an id, reads one book with it.
pub(crate) fn answer(cx: &RequestContext<'_>, id: Option<f64>) -> Outcome {
    match id {
        Some(id) => one(cx, id),
        None => Ok(many(cx)),
    }
}

fn many(cx: &RequestContext<'_>) -> Reply {
    let books = listed(cx);
    let query = cx.request.query.as_str();
    let policy = cx.policy();
    let page = list::list(&books, query, policy);
    let items = Value::Array(page.datos.clone());
    let body = list::body(&page, policy);
    let etag = match policy.http.etag.list_covers {
        ListEtagCovers::Items => conditional::etag(cx, &items),
        ListEtagCovers::Body => conditional::etag(cx, &body),
        ListEtagCovers::WholeItems => {
            let unselected: Vec<&str> = query.split('&').filter(|pair| !pair.starts_with("fields=")).collect();
            let whole = list::list(&books, &unselected.join("&"), policy);
            conditional::etag(cx, &Value::Array(whole.datos))
        }
    };
    let reply = cx.reply(200).body(&body).cache(Cache::Public(300)).page(&page);
    conditional::answer(cx, reply, &etag, &items)
}

/// The books that a list is made from.
fn listed(cx: &RequestContext<'_>) -> Vec<Value> {
    let mut state = cx.lock();
    match cx.policy().books.lists_from {
        ListsFrom::Collection => state.books.clone(),
        ListsFrom::RecentCopy => {
            let now = cx.now();
            let recent = state.stale.take().filter(|(at, _)| now - at < 1000);
            let (at, books) = recent.unwrap_or_else(|| (now, state.books.clone()));
            state.stale = Some((at, books.clone()));
            books
        }
    }
}

/// The books that a read shows one of.
fn shown(cx: &RequestContext<'_>) -> Vec<Value> {
    let mut state = cx.lock();
    match cx.policy().books.reads_from {
        ReadsFrom::Collection => state.books.clone(),
        ReadsFrom::RecentCopy => {
            let now = cx.now();
            let recent = state.stale_reads.take().filter(|(at, _)| now - at < 30);
            let (at, books) = recent.unwrap_or_else(|| (now, state.books.clone()));
            state.stale_reads = Some((at, books.clone()));
            books
        }
    }
}

fn one(cx: &RequestContext<'_>, id: f64) -> Outcome {
    let books = shown(cx);
    let Some(at) = place(&books, id) else {
        return Err(Failure::unknown_book());
    };
    let book = books[at].clone();
    let etag = conditional::etag(cx, &book);
    let reply = cx.reply(200).body(&book).cache(Cache::Private(60));
    Ok(conditional::answer(cx, reply, &etag, &book))
}
