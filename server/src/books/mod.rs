//! The book operations: list, read, create, replace, delete.
//!
//! Each finds its credential already checked. Reads see only what is durable; a write is answered once it is.

use std::sync::Arc;

use crate::auth::{Permission, Principal};
use crate::catalogue::conditional::etag;
use crate::catalogue::{Answer, BookRoute, Cache, Failure, Pagination, object};
use crate::context::Context;
use crate::message::Request;
use crate::query::{ListQuery, Page, list};
use crate::store::NotDurable;

mod draft;
mod initial;
mod record;
mod repository;

pub use initial::{BadBooks, Initial};
pub use repository::BookRepository;

use repository::{Edit, find};

/// The collection and what is done with it.
#[derive(Debug)]
pub struct Books {
    repository: BookRepository,
    initial: Initial,
    context: Context,
}

impl Books {
    /// The operations over `repository`; `initial` is what a reset goes back to.
    #[must_use]
    pub fn new(repository: BookRepository, initial: Initial, context: Context) -> Self {
        Self { repository, initial, context }
    }

    /// The permission an operation takes.
    #[must_use]
    pub fn needs(&self, route: BookRoute) -> Permission {
        match route {
            // rule: permissions/list, permissions/read
            BookRoute::List | BookRoute::Read(_) => Permission::ReadBooks,
            // rule: permissions/create, permissions/replace
            BookRoute::Create(_) | BookRoute::Replace(_) => Permission::WriteBooks,
            // rule: permissions/delete
            BookRoute::Delete(_) => Permission::DeleteBooks,
        }
    }

    /// Performs an operation for `principal`, who may.
    ///
    /// # Errors
    /// Whatever the operation refuses.
    pub async fn perform(&self, route: BookRoute, request: &Request, principal: &Principal) -> Result<Answer, Failure> {
        match route {
            BookRoute::List => Ok(self.list(request.query.as_deref())),
            BookRoute::Read(id) => self.read(id),
            // rule: books/create-with-id
            BookRoute::Create(Some(_)) => Err(Failure::IdInPath),
            // rule: books/no-id-creates
            BookRoute::Create(None) => self.create(&request.body, principal).await,
            // rule: books/no-id-replace
            BookRoute::Replace(None) => Err(Failure::IdMissing),
            BookRoute::Replace(Some(id)) => self.replace(id, &request.body, principal).await,
            // rule: books/no-id-delete
            BookRoute::Delete(None) => Err(Failure::IdMissing),
            BookRoute::Delete(Some(id)) => self.delete(id).await,
        }
    }

    /// Goes back to the initial collection: on disk and for readers when this resolves.
    ///
    /// # Errors
    /// When the disk refuses; nothing has changed then.
    pub async fn reset(&self) -> Result<(), NotDurable> {
        self.repository.seed(&self.initial).durable().await
    }

    fn list(&self, query: Option<&str>) -> Answer {
        let query = ListQuery::parse(query.unwrap_or_default());
        let page = list(&self.repository.published(), &query);
        // Of the items alone, after field selection: two lists with the same items are the same.
        // rule: conditional/etag-list, conditional/etag-items-only, conditional/etag-follows-selection
        let etag = etag(&page.datos);
        // rule: books/list-shape
        Answer::ok(list_text(&page)).kept(Cache::Public, etag).paged(pagination(&page))
    }

    // rule: books/read-ignores-query
    fn read(&self, id: i64) -> Result<Answer, Failure> {
        let books = self.repository.published();
        // rule: books/read-unknown
        let book = find(&books, id).ok_or(Failure::BookUnknown)?;
        // rule: conditional/etag-book, conditional/etag-follows-data
        let etag = etag(book.text());
        // rule: books/read
        Ok(Answer::ok(book.text().to_owned()).kept(Cache::Private, etag))
    }

    async fn create(&self, body: &[u8], principal: &Principal) -> Result<Answer, Failure> {
        let sent = object(body)?;
        record::check_required(&sent)?;
        let book = self
            .repository
            .transact(|books| {
                let id = record::next_id(books.highest_id())?;
                let now = self.context.clock.now();
                Ok(Edit::Put(record::created(sent, id, now, principal)))
            })
            .await?;
        // rule: books/create-status, books/create-body
        Ok(Answer::created(book.text().to_owned()))
    }

    async fn replace(&self, id: i64, body: &[u8], principal: &Principal) -> Result<Answer, Failure> {
        let sent = object(body);
        let book = self
            .repository
            .transact(|books| {
                // rule: books/replace-unknown, books/replace-lookup-before-body
                let original = find(books, id).ok_or(Failure::BookUnknown)?;
                let now = self.context.clock.now();
                // rule: books/replace-no-required-check
                Ok(Edit::Put(record::replaced(sent?, original, now, principal)))
            })
            .await?;
        // rule: books/replace
        Ok(Answer::ok(book.text().to_owned()))
    }

    async fn delete(&self, id: i64) -> Result<Answer, Failure> {
        self.repository
            .transact(|books| {
                // rule: books/delete-unknown
                let book = find(books, id).ok_or(Failure::BookUnknown)?;
                // rule: books/delete-removes
                Ok(Edit::Remove(Arc::clone(book)))
            })
            .await?;
        // rule: books/delete-status
        Ok(Answer::no_content())
    }
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

/// The body of a list.
fn list_text(page: &Page) -> String {
    let paginacion = page.paginacion();
    ["{\"datos\":", &page.datos, ",\"metadata\":{\"paginacion\":", &paginacion, "}}"].concat()
}
