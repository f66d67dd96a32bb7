//! The book operations: list, read, create, replace, delete.
//!
//! Credentials are checked before. Reads see only what is durable; a write is answered once it is.

use std::sync::Arc;

use crate::accounts::principal::Principal;
use crate::context::Context;
use crate::message::Answer;
use crate::response::conditional::{digest, etag};
use crate::response::content::Response;
use crate::response::failure::{Failure, object};
use libros_server_store::{Follower, NotDurable};

mod draft;
mod in_order;
mod initial;
mod line_blocks;
mod listing;
mod page_cache;
mod record;
mod repository;

pub use initial::Initial;
pub(crate) use initial::Loading;
use listing::Listing;
pub(crate) use repository::BookRepository;
use repository::{Edit, find};

/// The collection and its operations.
#[derive(Debug)]
pub(crate) struct Books {
    repository: BookRepository,
    initial: Initial,
    context: Context,
    listing: Listing,
}

impl Books {
    /// The operations over `repository`; `initial` is what a reset goes back to.
    pub(crate) fn new(repository: BookRepository, initial: Initial, context: Context) -> Self {
        Self { repository, initial, context, listing: Listing::default() }
    }

    /// Goes back to the initial collection: on disk and for readers when this resolves. Fails when the disk refuses; nothing has
    /// changed then.
    pub(crate) async fn reset(&self) -> Result<(), NotDurable> {
        self.repository.reset(&self.initial).await
    }

    /// What takes in the books that other replicas write.
    pub(crate) fn follower(&self) -> Arc<dyn Follower> {
        self.repository.follower()
    }

    pub(crate) fn list(&self, query: Option<&str>) -> Answer<'_, Result<Response, Failure>> {
        self.listing.answer(&self.repository.published(), query.unwrap_or_default())
    }

    pub(crate) fn read(&self, id: i64) -> Result<Response, Failure> {
        let books = self.repository.published();
        // rule: books/read-unknown
        let book = find(&books, id).ok_or(Failure::BookUnknown)?;
        // rule: conditional/etag-book, conditional/etag-follows-data
        let etag = etag(book.digest(digest));
        // rule: books/read
        Ok(Response::book(book.text().to_owned(), etag))
    }

    pub(crate) async fn create(&self, body: &[u8], principal: &Principal) -> Result<Response, Failure> {
        let sent = object(body)?;
        record::check_required(&sent)?;
        let mut sent = Some(sent);
        let book = self
            .repository
            .transact(|books| {
                let id = record::next_id(books.highest_id())?;
                let now = self.context.clock.now();
                // Parsed again where other replicas wrote first: a copy for that rare case would be made under the lock of all writers.
                let sent = sent.take().map_or_else(|| object(body), Ok)?;
                Ok(Edit::Put(record::created(sent, id, now, principal)))
            })
            .await?;
        // rule: books/create-status, books/create-body
        Ok(Response::created(book.text().to_owned()))
    }

    pub(crate) async fn replace(&self, id: i64, body: &[u8], principal: &Principal) -> Result<Response, Failure> {
        let mut sent = Some(object(body));
        let book = self
            .repository
            .transact(|books| {
                // rule: books/replace-unknown, books/replace-lookup-before-body
                let original = find(books, id).ok_or(Failure::BookUnknown)?;
                let now = self.context.clock.now();
                // rule: books/replace-no-required-check
                let sent = sent.take().unwrap_or_else(|| object(body))?;
                Ok(Edit::Put(record::replaced(sent, original, now, principal)))
            })
            .await?;
        // rule: books/replace
        Ok(Response::ok(book.text().to_owned()))
    }

    pub(crate) async fn delete(&self, id: i64) -> Result<Response, Failure> {
        self.repository
            .transact(|books| {
                // rule: books/delete-unknown
                let book = find(books, id).ok_or(Failure::BookUnknown)?;
                // rule: books/delete-removes
                Ok(Edit::Remove(Arc::clone(book)))
            })
            .await?;
        // rule: books/delete-status
        Ok(Response::no_content())
    }
}
