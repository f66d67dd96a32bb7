//! The two reads of the catalogue: a list and a single book.

use super::conditional;
use super::failure::{Failure, Outcome};
use super::headers::Cache;
use super::request_context::RequestContext;
use crate::list;
use crate::message::Reply;

pub(crate) fn many(cx: &RequestContext<'_>) -> Reply {
    let (query, steps) = (cx.request.query.as_str(), &cx.steps.list);
    let page = list::list(&cx.state.books, query, steps);
    let etag = conditional::etag(cx, &(cx.steps.reads.list_etag_covers)(&page, &cx.state.books, query, steps));
    let reply = cx.reply(200).body(&list::body(&page, steps)).cache(Cache::Public(300)).page(&page);
    conditional::answer(cx, reply, &etag, &page.datos.into())
}

pub(crate) fn one(cx: &RequestContext<'_>, id: f64) -> Outcome {
    let at = cx.state.place(id).ok_or_else(Failure::unknown_book)?;
    let book = &cx.state.books[at];
    let etag = conditional::etag(cx, book);
    let reply = cx.reply(200).body(book).cache(Cache::Private(60));
    Ok(conditional::answer(cx, reply, &etag, book))
}
