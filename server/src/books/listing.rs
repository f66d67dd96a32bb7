//! Answers lists: caches finished pages, and cuts a page that takes long on a worker thread, so that it delays no other request.

use std::sync::{Arc, OnceLock};

use super::page_cache::{FinishedPage, PageCache};
use super::state::BookState;
use crate::message::Client;
use crate::response::conditional::{digest, etag};
use crate::response::content::{HeaderProfile, ListHeaders, Response};
use crate::worker_pool::{WorkerPool, threads_beside};
use libros_server_query::{Collection, ListQuery, list};
use libros_server_system::processors;

#[derive(Debug, Default)]
pub(super) struct Listing {
    pages: PageCache,
    /// Starts with the first list that takes long; `None` if the system gave no thread.
    pool: OnceLock<Option<WorkerPool>>,
}

impl Listing {
    /// The page of `books` that a raw query string asks for.
    pub(super) async fn answer(&self, books: &Arc<BookState>, raw: &str) -> Response {
        let page = match self.pages.get(books, raw) {
            Some(cached) => cached,
            None => {
                let query = ListQuery::parse(raw);
                let long = query.may_take_long_over(books);
                let page = if long { self.finish_aside(books, query).await } else { finish(books, &query) };
                self.pages.put(books, raw, page)
            }
        };
        Response { profile: HeaderProfile::List(Arc::clone(&page.headers)), ..Response::ok(page.body.clone()) }
    }

    async fn finish_aside(&self, books: &Arc<BookState>, query: ListQuery) -> FinishedPage {
        let work = Arc::new((Arc::clone(books), query));
        let aside = Arc::clone(&work);
        let finished = match self.pool.get_or_init(start_pool) {
            Some(pool) => pool.run(Client::default(), move || finish(&aside.0, &aside.1)).await.ok(),
            None => None,
        };
        // If there is no worker, or it panicked, this thread cuts the page.
        finished.unwrap_or_else(|| finish(&work.0, &work.1))
    }
}

/// Starts threads for lists that take long, on half of the processors. A lower priority would not do: Linux takes a processor from a
/// computing thread only at its next tick, up to 4 ms later, so other requests would wait if all processors computed.
fn start_pool() -> Option<WorkerPool> {
    WorkerPool::start("list", threads_beside(processors())).ok()
}

fn finish(books: &Collection, query: &ListQuery) -> FinishedPage {
    let mut page = list(books, query);
    let datos = std::mem::take(&mut page.datos);
    // The hash of the items alone, after field selection: two lists with the same items are equal.
    // rule: conditional/etag-list, conditional/etag-items-only, conditional/etag-follows-selection
    let etag = etag(digest(&datos));
    // rule: books/list-shape
    let body = ["{\"datos\":", &datos, ",\"metadata\":{\"paginacion\":", &page.paginacion(), "}}"].concat();
    FinishedPage { body: body.into(), headers: Arc::new(ListHeaders::new(etag, page)) }
}
