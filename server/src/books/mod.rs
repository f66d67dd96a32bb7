//! The book operations: list, read, create, replace, delete.
//!
//! The guard has checked the credential. Reads see only durable books; a write is answered once it is durable.

use std::sync::Arc;

use crate::accounts::principal::Principal;
use crate::context::Context;
use crate::json_body::object;
use crate::response::conditional::{digest, etag};
use crate::response::content::{HeaderProfile, Response};
use crate::response::failure::Failure;
use libros_server_query::{Book, Collection};
use libros_server_store::{Changes, Decided, Follower, Journal, NotDurable, Repository};

mod in_order;
mod initial;
mod listing;
mod page_cache;
mod record;
mod state;

pub use initial::InitialBooks;
use listing::Listing;
pub(crate) use state::read;
use state::{BookState, find};

#[derive(Debug)]
pub(crate) struct Books {
    repository: Arc<Repository<BookState>>,
    initial: InitialBooks,
    context: Context,
    listing: Listing,
}

impl Books {
    pub(crate) fn new(books: Collection, initial: InitialBooks, context: Context, journal: &Journal) -> Self {
        let repository = Arc::new(Repository::new(BookState(books), journal.clone()));
        Self { repository, initial, context, listing: Listing::default() }
    }

    /// Stores the whole collection, in a store that has none.
    pub(crate) fn seed(&self) -> Decided<()> {
        self.repository.decide(|books, changes| books.put_all(changes))
    }

    /// Restores the initial collection in the store and for readers of all replicas. Fails, and changes nothing, if the store refuses.
    pub(crate) async fn reset(&self) -> Result<(), NotDurable> {
        let initial = BookState(self.initial.books());
        let put = |books: &mut BookState, changes: &mut Changes| {
            books.clone_from(&initial);
            books.put_all(changes);
        };
        self.repository.transact(put).await
    }

    pub(crate) fn follower(&self) -> Arc<dyn Follower> {
        self.repository.clone()
    }

    /// Lets `decide` edit the latest state, and waits until readers see it; returns its book. Fails as `decide` does; then nothing changes.
    async fn transact(
        &self,
        decide: impl FnMut(&mut BookState, &mut Changes) -> Result<Arc<Book>, Failure>,
    ) -> Result<Arc<Book>, Failure> {
        // Decisions are made one after the other, so no id is given twice.
        // rule: books/concurrent-creates, books/refused-write-no-trace
        let decided = self.repository.transact(decide).await;
        decided.map_err(|not_durable| Failure::BooksBroken(not_durable.to_string()))?
    }

    pub(crate) async fn list(&self, query: Option<&str>) -> Response {
        let books = Arc::clone(&self.repository.published());
        self.listing.answer(&books, query.unwrap_or_default()).await
    }

    pub(crate) fn read(&self, id: i64) -> Result<Response, Failure> {
        let books = self.repository.published();
        // rule: books/read-unknown
        let book = find(&books, id).ok_or(Failure::BookUnknown)?;
        // rule: conditional/etag-book, conditional/etag-follows-data
        let etag = etag(book.digest(digest));
        // rule: books/read
        Ok(Response { profile: HeaderProfile::Book { etag }, ..Response::ok(book.text().to_owned()) })
    }

    pub(crate) async fn create(&self, body: &[u8], principal: &Principal) -> Result<Response, Failure> {
        let sent = object(body)?;
        record::check_required(&sent)?;
        let mut sent = Some(sent);
        let book = self
            .transact(|books, changes| {
                let id = record::next_id(books.highest_id())?;
                let now = self.context.clock.now();
                // Parsed again if other replicas wrote first: a copy for that rare case would take time under the lock of all writers.
                let sent = sent.take().map_or_else(|| object(body), Ok)?;
                let book = record::created(sent, id, now, principal);
                books.put(&book, changes);
                Ok(book)
            })
            .await?;
        // rule: books/create-status, books/create-body
        Ok(Response::created(book.text().to_owned()))
    }

    pub(crate) async fn replace(&self, id: i64, body: &[u8], principal: &Principal) -> Result<Response, Failure> {
        let mut sent = Some(object(body));
        let book = self
            .transact(|books, changes| {
                // rule: books/replace-unknown, books/replace-lookup-before-body
                let original = find(books, id).ok_or(Failure::BookUnknown)?;
                let now = self.context.clock.now();
                // rule: books/replace-no-required-check
                let sent = sent.take().unwrap_or_else(|| object(body))?;
                let book = record::replaced(sent, original, now, principal);
                books.put(&book, changes);
                Ok(book)
            })
            .await?;
        // rule: books/replace
        Ok(Response::ok(book.text().to_owned()))
    }

    pub(crate) async fn delete(&self, id: i64) -> Result<Response, Failure> {
        self.transact(|books, changes| {
            // rule: books/delete-unknown
            let book = Arc::clone(find(books, id).ok_or(Failure::BookUnknown)?);
            // rule: books/delete-removes
            books.remove(&book, changes);
            Ok(book)
        })
        .await?;
        // rule: books/delete-status
        Ok(Response::no_content())
    }
}
