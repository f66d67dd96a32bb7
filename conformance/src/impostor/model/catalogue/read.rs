//! The two reads of the catalogue: a list and a single book.

use serde_json::Value;

use super::super::list;
use super::super::state::{RecentCopy, State};
use super::collection::place;
use super::failure::{Failure, Outcome};
use super::headers::Cache;
use super::request_context::RequestContext;
use super::{Reply, conditional};
use crate::impostor::policy::ListEtagCovers;

/// Lists without an id, reads one book with it.
pub(crate) fn answer(cx: &RequestContext<'_>, id: Option<f64>) -> Outcome {
    match id {
        Some(id) => one(cx, id),
        None => Ok(many(cx)),
    }
}

fn many(cx: &RequestContext<'_>) -> Reply {
    let mut books = seen(cx, cx.policy().books.list_staleness_ms, |state| &mut state.list_copy);
    if cx.policy().books.newest_first {
        books.reverse();
    }
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

/// The books as a list or a read sees them; `copy` is where the recent copy of that one is kept.
fn seen(cx: &RequestContext<'_>, staleness_ms: i64, copy: fn(&mut State) -> &mut Option<RecentCopy>) -> Vec<Value> {
    let mut state = cx.lock();
    let now = cx.now();
    let recent = copy(&mut state).take().filter(|recent| now - recent.taken_at < staleness_ms);
    let recent = recent.unwrap_or_else(|| RecentCopy { taken_at: now, books: state.books.clone() });
    copy(&mut state).insert(recent).books.clone()
}

fn one(cx: &RequestContext<'_>, id: f64) -> Outcome {
    let books = seen(cx, cx.policy().books.read_staleness_ms, |state| &mut state.read_copy);
    let Some(at) = place(&books, id) else {
        return Err(Failure::unknown_book());
    };
    let book = books[at].clone();
    let etag = conditional::etag(cx, &book);
    let reply = cx.reply(200).body(&book).cache(Cache::Private(60));
    Ok(conditional::answer(cx, reply, &etag, &book))
}
