//! Caches finished pages of the published collection, in a fixed number of places, so memory is bounded. The hash of the query string
//! selects the place, and the last page stays there. A look-up takes no lock. It compares collections by address, so it never returns a
//! page of an older one.

use std::hash::BuildHasher as _;
use std::sync::{Arc, Weak};

use arc_swap::ArcSwapOption;
use bytes::Bytes;
use hashbrown::DefaultHashBuilder;

use super::state::BookState;
use crate::response::content::ListHeaders;

const PLACES: usize = 512;
/// Larger bodies are not cached.
const BODY_MAX: usize = 1 << 15;
/// Pages of longer query strings are not cached.
const QUERY_MAX: usize = 1 << 10;

/// An answer to a list without the time and the version label.
#[derive(Debug)]
pub(super) struct FinishedPage {
    pub(super) body: Bytes,
    pub(super) headers: Arc<ListHeaders>,
}

#[derive(Debug)]
pub(super) struct PageCache {
    places: Box<[ArcSwapOption<CachedPage>]>,
    hasher: DefaultHashBuilder,
}

#[derive(Debug)]
struct CachedPage {
    query: Box<str>,
    /// Keeps no book in memory, but keeps the address from being used for another collection.
    books: Weak<BookState>,
    page: Arc<FinishedPage>,
}

impl Default for PageCache {
    fn default() -> Self {
        Self { places: (0..PLACES).map(|_| ArcSwapOption::empty()).collect(), hasher: DefaultHashBuilder::default() }
    }
}

impl PageCache {
    /// The cached page of exactly this collection and query string.
    pub(super) fn get(&self, books: &Arc<BookState>, query: &str) -> Option<Arc<FinishedPage>> {
        let cached = self.place(query).load();
        let cached = cached.as_ref()?;
        let is_hit = std::ptr::eq(cached.books.as_ptr(), Arc::as_ptr(books)) && *cached.query == *query;
        is_hit.then(|| Arc::clone(&cached.page))
    }

    /// Caches a page, unless it is too large; returns it.
    pub(super) fn put(&self, books: &Arc<BookState>, query: &str, page: FinishedPage) -> Arc<FinishedPage> {
        let page = Arc::new(page);
        if page.body.len() <= BODY_MAX && query.len() <= QUERY_MAX {
            let cached = CachedPage { query: query.into(), books: Arc::downgrade(books), page: Arc::clone(&page) };
            self.place(query).store(Some(Arc::new(cached)));
        }
        page
    }

    fn place(&self, query: &str) -> &ArcSwapOption<CachedPage> {
        &self.places[(self.hasher.hash_one(query) % PLACES as u64) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;
    use libros_server_query::{Collection, ListQuery, list};

    fn finished(body: String) -> FinishedPage {
        let page = list(&Collection::default(), &ListQuery::parse(""));
        let headers = Arc::new(ListHeaders::new(HeaderValue::from_static(""), page));
        FinishedPage { body: body.into(), headers }
    }

    #[test]
    fn kept_pages_keep_no_collection_and_large_ones_are_not_kept() {
        let (cache, books) = (PageCache::default(), Arc::new(BookState::default()));
        cache.put(&books, "", finished("a".to_owned()));
        cache.put(&books, "large", finished("a".repeat(BODY_MAX + 1)));
        assert!(cache.get(&books, "large").is_none());
        assert_eq!(Arc::strong_count(&books), 1);
    }
}
