//! Answers lists: keeps finished pages, and cuts one that takes long on a worker thread, where it delays no other request.

use std::num::NonZeroUsize;
use std::sync::{Arc, OnceLock};
use std::thread::available_parallelism;

use super::page_cache::{FinishedPage, PageCache};
use super::repository::BookState;
use crate::message::{Answer, Client};
use crate::response::conditional::{digest, etag};
use crate::response::content::{ListHeaders, Pagination, Response};
use crate::response::failure::Failure;
use crate::worker_pool::{WorkerPool, threads_beside};
use libros_server_query::{Collection, ListQuery, Page, list};

#[derive(Debug, Default)]
pub(super) struct Listing {
    pages: PageCache,
    /// Started for the first list that takes long; `None` where the system gives no thread.
    pool: OnceLock<Option<WorkerPool>>,
}

impl Listing {
    /// The page of `books` that a raw query string asks for.
    pub(super) fn answer(&self, books: &Arc<BookState>, raw: &str) -> Answer<'_, Result<Response, Failure>> {
        if let Some(kept) = self.pages.get(books, raw) {
            return Answer::Now(Ok(response(&kept)));
        }
        let query = ListQuery::parse(raw);
        if !query.may_take_long_over(books) {
            return Answer::Now(Ok(self.keep(books, raw, finish(books, &query))));
        }
        let (books, query, raw) = (Arc::clone(books), Arc::new(query), raw.to_owned());
        Answer::After(Box::pin(async move {
            let finished = match self.pool.get_or_init(start_pool) {
                Some(pool) => {
                    let (books, query) = (Arc::clone(&books), Arc::clone(&query));
                    pool.run(Client::default(), move || finish(&books, &query)).await.ok()
                }
                None => None,
            };
            // Without a worker, or after its panic, the page is cut here.
            Ok(self.keep(&books, &raw, finished.unwrap_or_else(|| finish(&books, &query))))
        }))
    }

    fn keep(&self, books: &Arc<BookState>, raw: &str, page: FinishedPage) -> Response {
        let page = Arc::new(page);
        self.pages.put(books, raw, &page);
        response(&page)
    }
}

fn response(page: &FinishedPage) -> Response {
    Response::list(page.body.clone(), Arc::clone(&page.headers))
}

/// Threads for lists that take long, on half of the processors. A lower priority is not enough: Linux takes a processor from a
/// thread that computes no sooner than at its next tick, 4 ms away, so where all compute every other request waits.
fn start_pool() -> Option<WorkerPool> {
    let threads = threads_beside(available_parallelism().unwrap_or(NonZeroUsize::MIN));
    WorkerPool::start("list", threads).ok()
}

fn finish(books: &Collection, query: &ListQuery) -> FinishedPage {
    let mut page = list(books, query);
    let datos = std::mem::take(&mut page.datos);
    // Of the items alone, after field selection: two lists with the same items are the same.
    // rule: conditional/etag-list, conditional/etag-items-only, conditional/etag-follows-selection
    let etag = etag(digest(&datos));
    FinishedPage { body: body(&datos, &page).into(), headers: Arc::new(ListHeaders::new(etag, pagination(&page))) }
}

fn body(datos: &str, page: &Page) -> String {
    let paginacion = page.paginacion();
    // rule: books/list-shape
    ["{\"datos\":", datos, ",\"metadata\":{\"paginacion\":", &paginacion, "}}"].concat()
}

fn pagination(page: &Page) -> Pagination {
    Pagination {
        page: page.page,
        limit: page.limit,
        total: page.total,
        pages: page.pages,
        has_next: page.has_next,
        has_prev: page.has_prev,
    }
}
