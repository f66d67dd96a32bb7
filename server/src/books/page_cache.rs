//! Finished pages, kept while the collection they were cut from is the published one.
//!
//! A fixed number of places, each for the last page whose query string has its hash: memory is bounded, and a look-up takes no
//! lock. Never returns a page of another collection than the published one: it compares the collections by address.

use std::hash::BuildHasher as _;
use std::sync::{Arc, Weak};

use arc_swap::ArcSwapOption;
use bytes::Bytes;
use hashbrown::DefaultHashBuilder;

use super::state::BookState;
use crate::response::content::ListHeaders;

const PLACES: usize = 512;
/// Larger bodies are not kept.
const BODY_MAX: usize = 1 << 15;
/// Pages of longer query strings are not kept.
const QUERY_MAX: usize = 1 << 10;

/// An answer to a list without the time and the version label.
#[derive(Debug)]
pub(super) struct FinishedPage {
    pub(super) body: Bytes,
    pub(super) headers: Arc<ListHeaders>,
}

#[derive(Debug)]
pub(super) struct PageCache {
    places: Box<[ArcSwapOption<Kept>]>,
    hasher: DefaultHashBuilder,
}

#[derive(Debug)]
struct Kept {
    query: Box<str>,
    /// Keeps no book alive, only the address from being given to another collection.
    books: Weak<BookState>,
    page: Arc<FinishedPage>,
}

impl Default for PageCache {
    fn default() -> Self {
        Self { places: (0..PLACES).map(|_| ArcSwapOption::empty()).collect(), hasher: DefaultHashBuilder::default() }
    }
}

impl PageCache {
    /// The page of this very collection for this very query string, if it is kept.
    pub(super) fn get(&self, books: &Arc<BookState>, query: &str) -> Option<Arc<FinishedPage>> {
        let kept = self.place(query).load();
        let kept = kept.as_ref()?;
        let holds = std::ptr::eq(kept.books.as_ptr(), Arc::as_ptr(books)) && *kept.query == *query;
        holds.then(|| Arc::clone(&kept.page))
    }

    /// Keeps a page, unless it is too large; returns it.
    pub(super) fn put(&self, books: &Arc<BookState>, query: &str, page: FinishedPage) -> Arc<FinishedPage> {
        let page = Arc::new(page);
        if page.body.len() <= BODY_MAX && query.len() <= QUERY_MAX {
            let kept = Kept { query: query.into(), books: Arc::downgrade(books), page: Arc::clone(&page) };
            self.place(query).store(Some(Arc::new(kept)));
        }
        page
    }

    fn place(&self, query: &str) -> &ArcSwapOption<Kept> {
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
