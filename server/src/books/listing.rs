//! Lists, finished: a page that was asked for before is not cut again, and one that takes long is cut where it holds up nobody.

use std::num::NonZeroUsize;
use std::sync::{Arc, OnceLock};
use std::thread::available_parallelism;

use super::page_cache::{FinishedPage, PageCache};
use crate::crypto::hashing_pool::{HashingPool, threads_beside};
use crate::message::Client;
use crate::query::{Collection, ListQuery, Page, list};
use crate::response::conditional::{digest, etag};
use crate::response::content::{ListHeaders, Pagination};

#[derive(Debug, Default)]
pub(super) struct Listing {
    pages: PageCache,
    /// Started for the first list that takes long; `None` where the system gives no thread.
    pool: OnceLock<Option<HashingPool>>,
}

impl Listing {
    /// The page of `books` that a raw query string asks for.
    pub(super) async fn page(&self, books: Arc<Collection>, raw: &str) -> Arc<FinishedPage> {
        let query = match self.page_at_once(&books, raw) {
            Ok(page) => return page,
            Err(query) => query,
        };
        let finished = match self.pool.get_or_init(start_pool) {
            Some(pool) => {
                let (books, query) = (Arc::clone(&books), query.clone());
                pool.run(Client::default(), move || finish(&books, &query)).await.ok()
            }
            None => None,
        };
        // Where nobody else did it, or whoever did it gave up, it is done here.
        let finished = Arc::new(finished.unwrap_or_else(|| finish(&books, &query)));
        self.pages.put(&books, raw, &finished);
        finished
    }

    /// The page, where it does not take long.
    ///
    /// # Errors
    /// What is asked for, read, where it may.
    pub(super) fn page_at_once(&self, books: &Arc<Collection>, raw: &str) -> Result<Arc<FinishedPage>, Box<ListQuery>> {
        if let Some(kept) = self.pages.get(books, raw) {
            return Ok(kept);
        }
        let query = ListQuery::parse(raw);
        if query.may_take_long_over(books) {
            return Err(Box::new(query));
        }
        let finished = Arc::new(finish(books, &query));
        self.pages.put(books, raw, &finished);
        Ok(finished)
    }
}

/// Threads for lists that take long, on half of the processors. Stepping back behind those that serve is not enough: Linux takes a
/// processor from a thread that computes no sooner than at its next tick, 4 ms away, so where all compute every other request waits.
fn start_pool() -> Option<HashingPool> {
    HashingPool::start(threads_beside(available_parallelism().unwrap_or(NonZeroUsize::MIN))).ok()
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
