//! The catalogue interface: `/libros`, `/auth` and `/2fa` on one listener.
//!
//! Joins the steps of a request: route, credential, handler, table of failures, validator, headers. Never touches a socket.

use anyhow::Context as _;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};

use crate::accounts::permission::Permission;
use crate::auth::identity::Identity;
use crate::books::Books;
use crate::context::{Context, SharedClock};
use crate::json_body::BodyFailure;
use crate::message::{Interface, Pending, Refusal, Reply, Request};
use crate::response::content::{HeaderProfile, Response};
use crate::response::failure::Failure;
use crate::response::{conditional, header_templates::HeaderTemplates};
use libros_server_store::{CutOff, JournalThread};

mod route;

use route::{BookRoute, Route, route};

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The book catalogue with its authentication and two-factor routes.
#[derive(Debug)]
pub struct Catalogue {
    pub(crate) books: Books,
    pub(crate) identity: Identity,
    pub(crate) templates: HeaderTemplates,
    pub(crate) context: Context,
    /// The clock that replicas share, if there are any.
    pub(crate) shared_clock: Option<SharedClock>,
    /// Must be dropped last: it writes the changes that the other fields queued.
    pub(crate) journal: JournalThread,
}

impl Catalogue {
    /// Restores the initial clock, accounts and books, in this order. Fails if the store refuses one; those before it stay restored.
    pub async fn reset(&self) -> anyhow::Result<()> {
        match &self.shared_clock {
            Some(clock) => clock.reset().await.context("the clock")?,
            None => self.context.clock.set_ahead(0),
        }
        self.identity.reset().await.context("users and clients")?;
        self.books.reset().await.context("books")
    }

    /// Waits until this replica knows every write that any replica has confirmed. Fails when the store cannot be asked.
    pub(crate) async fn catch_up(&self) -> Result<(), CutOff> {
        self.journal.journal.catch_up(false).await
    }

    /// Catches up before a request, as [`Catalogue::catch_up`] does, except for reads if they are local.
    async fn catch_up_for(&self, request: &Request) -> Result<(), Failure> {
        let journal = &self.journal.journal;
        // rule: consistency/one-order
        let writes = request.method != Method::GET;
        if !journal.is_shared() || (!writes && journal.reads_locally()) {
            return Ok(());
        }
        journal.catch_up(writes).await.map_err(|cut_off| broken(request, cut_off.to_string()))
    }

    async fn perform(&self, request: &Request) -> Result<Response, Failure> {
        match route(&request.method, request.path())? {
            // rule: routing/options-status, routing/options-no-body
            Route::Preflight => Ok(Response { status: StatusCode::OK, body: None, profile: HeaderProfile::Preflight }),
            Route::Books(route) => {
                self.catch_up_for(request).await?;
                self.perform_on_books(route, request).await
            }
            Route::Account(operation) => {
                self.catch_up_for(request).await?;
                operation(&self.identity, request).await
            }
        }
    }

    async fn perform_on_books(&self, route: BookRoute, request: &Request) -> Result<Response, Failure> {
        // The credential comes before the id, the body and the collection.
        // rule: credentials/before-store, credentials/before-id, credentials/before-body
        let principal = self.identity.guard(&request.headers, Some(needs(route))).await?;
        match route {
            BookRoute::List => Ok(self.books.list(request.query()).await),
            // rule: books/read-ignores-query
            BookRoute::Read(id) => self.books.read(id),
            // rule: books/create-with-id
            BookRoute::Create(Some(_)) => Err(Failure::IdInPath),
            // rule: books/no-id-creates
            BookRoute::Create(None) => self.books.create(&request.body, &principal).await,
            // rule: books/no-id-replace, books/no-id-delete
            BookRoute::Replace(None) | BookRoute::Delete(None) => Err(Failure::IdMissing),
            BookRoute::Replace(Some(id)) => self.books.replace(id, &request.body, &principal).await,
            BookRoute::Delete(Some(id)) => self.books.delete(id).await,
        }
    }

    /// The id of a request as its 500 shows it.
    fn request_id(&self, headers: &HeaderMap) -> String {
        match headers.get(REQUEST_ID).map(HeaderValue::as_bytes) {
            // rule: headers/request-id-500, headers/request-id-unseen
            Some(id) if !id.is_empty() => String::from_utf8_lossy(id).into_owned(),
            // rule: headers/request-id-500
            _ => format!("req_{}_{}", self.context.clock.now().millis(), self.context.entropy.hex::<6>()),
        }
    }

    /// The reply to a request: renders a failure by the table, applies a validator, and adds the headers.
    fn reply(&self, performed: Result<Response, Failure>, request: &Request) -> Reply {
        let now = self.context.clock.now();
        let response = match performed {
            Ok(response) => conditional::apply(response, &request.headers),
            // rule: conditional/unknown-id, conditional/needs-credential
            Err(failure) => {
                if let Failure::BooksBroken(details) | Failure::ServerBroken(details) = &failure {
                    tracing::error!(method = %request.method, path = request.path(), details, "answered 500");
                }
                failure.render(now, || self.request_id(&request.headers))
            }
        };
        self.templates.fill(response, &request.headers, now)
    }
}

/// The 500 of the route that a request names.
fn broken(request: &Request, details: String) -> Failure {
    if request.path().starts_with("/libros") { Failure::BooksBroken(details) } else { Failure::ServerBroken(details) }
}

fn needs(route: BookRoute) -> Permission {
    match route {
        // rule: permissions/list, permissions/read
        BookRoute::List | BookRoute::Read(_) => Permission::ReadBooks,
        // rule: permissions/create, permissions/replace
        BookRoute::Create(_) | BookRoute::Replace(_) => Permission::WriteBooks,
        // rule: permissions/delete
        BookRoute::Delete(_) => Permission::DeleteBooks,
    }
}

impl Interface for Catalogue {
    fn answer<'a>(&'a self, request: &'a Request) -> Pending<'a, Reply> {
        Box::pin(async { self.reply(self.perform(request).await, request) })
    }

    fn refuse(&self, refusal: Refusal, request: &Request) -> Reply {
        let crashed = || broken(request, "the handler panicked; the log says where".to_owned());
        self.reply(Err(BodyFailure::of(refusal).map_or_else(crashed, Failure::Body)), request)
    }
}
