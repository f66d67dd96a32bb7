//! The catalogue interface: `/libros`, `/auth` and `/2fa` on one listener.
//!
//! The roof: route, then credential, then handler; a failure through its table; a validator may turn the response into a 304;
//! one place gives it its headers. Never touches a socket.

use http::{HeaderMap, HeaderName, HeaderValue, Method};

use crate::accounts::permission::Permission;
use crate::accounts::principal::Principal;
use crate::auth::identity::Identity;
use crate::auth::{api_keys, login, registration, trusted_devices, two_factor, verification};
use crate::books::Books;
use crate::clock::Timestamp;
use crate::context::{Context, SharedClock};
use crate::message::{Awaited, Interface, Refusal, Reply, Request};
use crate::response::conditional;
use crate::response::content::Response;
use crate::response::failure::Failure;
use crate::response::header_templates::HeaderTemplates;
use crate::store::{CutOff, JournalThread};

mod route;

pub use route::{AuthRoute, BookRoute, Route, TwoFactorRoute, route};

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The book catalogue with its authentication and two-factor routes.
#[derive(Debug)]
pub struct Catalogue {
    pub(crate) books: Books,
    /// Users, clients and all that proves who asks.
    pub identity: Identity,
    templates: HeaderTemplates,
    context: Context,
    /// The clock of all replicas, where there are others.
    pub(crate) shared_clock: Option<SharedClock>,
    /// The last to be dropped: it writes what the others leave behind.
    journal: JournalThread,
}

impl Catalogue {
    /// Puts the interface together; `build` is the value of X-API-Build.
    pub(crate) fn new(
        books: Books,
        identity: Identity,
        build: &HeaderValue,
        context: Context,
        shared_clock: Option<SharedClock>,
        journal: JournalThread,
    ) -> Self {
        Self { books, identity, templates: HeaderTemplates::new(build), context, shared_clock, journal }
    }

    /// Waits until everything is known here that any replica had answered for before the call.
    ///
    /// # Errors
    /// When the store cannot be asked.
    pub(crate) async fn catch_up(&self) -> Result<(), CutOff> {
        self.journal.journal().catch_up(false).await
    }

    /// As [`Catalogue::catch_up`], but for reads that may be a moment behind.
    async fn catch_up_for(&self, route: &Route, method: &Method) -> Result<(), Failure> {
        if *method == Method::GET && self.journal.journal().reads_locally() {
            return Ok(());
        }
        // rule: consistency/one-order
        let writes = *method != Method::GET;
        self.journal.journal().catch_up(writes).await.map_err(|cut_off| match route {
            Route::Books(_) => Failure::BooksBroken(cut_off.to_string()),
            _ => Failure::ServerBroken(cut_off.to_string()),
        })
    }

    /// Does what a route asks for.
    ///
    /// # Errors
    /// Whatever its handler refuses.
    pub async fn perform(&self, route: Route, request: &Request) -> Result<Response, Failure> {
        if self.journal.journal().is_shared() && !matches!(route, Route::Preflight) {
            self.catch_up_for(&route, &request.method).await?;
        }
        match route {
            Route::Preflight => Ok(Response::preflight()),
            Route::Books(route) => {
                // The credential comes before the id, the body and the collection.
                // rule: credentials/before-store, credentials/before-id, credentials/before-body
                let principal = self.identity.guard(&request.headers, &[needs(route)]).await?;
                self.perform_on_books(route, request, &principal).await
            }
            // Boxed: their many states would make every request's future larger, and it is moved several times.
            Route::Auth(route) => Box::pin(self.perform_auth(route, request)).await,
            Route::TwoFactor(route) => Box::pin(self.perform_two_factor(route, request)).await,
        }
    }

    async fn perform_on_books(
        &self,
        route: BookRoute,
        request: &Request,
        principal: &Principal,
    ) -> Result<Response, Failure> {
        match route {
            BookRoute::List => Ok(self.books.list(request.query()).await),
            // rule: books/read-ignores-query
            BookRoute::Read(id) => self.books.read(id),
            // rule: books/create-with-id
            BookRoute::Create(Some(_)) => Err(Failure::IdInPath),
            // rule: books/no-id-creates
            BookRoute::Create(None) => self.books.create(&request.body, principal).await,
            // rule: books/no-id-replace
            BookRoute::Replace(None) => Err(Failure::IdMissing),
            BookRoute::Replace(Some(id)) => self.books.replace(id, &request.body, principal).await,
            // rule: books/no-id-delete
            BookRoute::Delete(None) => Err(Failure::IdMissing),
            BookRoute::Delete(Some(id)) => self.books.delete(id).await,
        }
    }

    /// A read of books that waits for nothing; `None` where the page takes long.
    fn read_at_once(&self, route: BookRoute, request: &Request, now: Timestamp) -> Option<Result<Response, Failure>> {
        // rule: credentials/before-store, credentials/before-id
        if let Err(failure) = self.identity.guard_at_once(&request.headers, &[needs(route)], now) {
            return Some(Err(failure));
        }
        match route {
            BookRoute::List => self.books.list_at_once(request.query()).map(Ok),
            BookRoute::Read(id) => Some(self.books.read(id)),
            _ => None,
        }
    }

    async fn perform_auth(&self, route: AuthRoute, request: &Request) -> Result<Response, Failure> {
        match route {
            // rule: credentials/open-routes
            AuthRoute::Register => registration::register(&self.identity, request).await,
            // rule: credentials/open-routes
            AuthRoute::Login => login::login(&self.identity, request).await,
            // rule: credentials/open-routes
            AuthRoute::VerifyTwoFactor => verification::verify(&self.identity, request).await,
            AuthRoute::CreateApiKey => api_keys::create(&self.identity, request).await,
            AuthRoute::ListApiKeys => api_keys::list(&self.identity, &request.headers).await,
        }
    }

    async fn perform_two_factor(&self, route: TwoFactorRoute, request: &Request) -> Result<Response, Failure> {
        match route {
            TwoFactorRoute::Enable => two_factor::enable(&self.identity, request).await,
            TwoFactorRoute::Disable => two_factor::disable(&self.identity, request).await,
            TwoFactorRoute::Status => two_factor::status(&self.identity, &request.headers).await,
            TwoFactorRoute::RegenerateBackupCodes => two_factor::regenerate_backup_codes(&self.identity, request).await,
            TwoFactorRoute::ListDevices => trusted_devices::list(&self.identity, &request.headers).await,
            TwoFactorRoute::ForgetDevice(id) => trusted_devices::forget(&self.identity, &request.headers, &id).await,
        }
    }

    fn render(&self, failure: &Failure, request: &Request, now: Timestamp) -> Response {
        if let Failure::BooksBroken(details) | Failure::ServerBroken(details) = failure {
            tracing::error!(method = %request.method, path = request.path(), details, "answered 500");
        }
        failure.render(now, || self.request_id(&request.headers))
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

    /// The reply to a request: a failure through its table, a validator heeded, and its headers.
    fn reply(&self, performed: Result<Response, Failure>, request: &Request, now: Timestamp) -> Reply {
        let response = match performed {
            Ok(response) => conditional::apply(response, &request.headers),
            // rule: conditional/unknown-id, conditional/needs-credential
            Err(failure) => self.render(&failure, request, now),
        };
        self.templates.fill(response, &request.headers, now)
    }
}

/// The permission that an operation on books takes.
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
    fn answer_at_once(&self, request: &Request) -> Option<Reply> {
        // Where there are other replicas, they are asked first.
        if request.method != Method::GET || self.journal.journal().is_shared() {
            return None;
        }
        let Ok(Route::Books(route)) = route(&request.method, request.path()) else {
            return None;
        };
        let now = self.context.clock.now();
        self.read_at_once(route, request, now).map(|performed| self.reply(performed, request, now))
    }

    fn answer<'a>(&'a self, request: &'a Request) -> Awaited<'a> {
        Box::pin(async move {
            let performed = match route(&request.method, request.path()) {
                Ok(route) => self.perform(route, request).await,
                Err(failure) => Err(failure),
            };
            self.reply(performed, request, self.context.clock.now())
        })
    }

    fn refuse(&self, refusal: Refusal, request: &Request) -> Reply {
        let failure = match refusal {
            Refusal::BodyTooLarge => Failure::BodyTooLarge,
            Refusal::BodyUnreadable => Failure::BodyUnreadable,
            Refusal::Crashed => {
                let details = "the handler panicked; the log says where".to_owned();
                match route(&request.method, request.path()) {
                    Ok(Route::Books(_)) => Failure::BooksBroken(details),
                    _ => Failure::ServerBroken(details),
                }
            }
        };
        self.reply(Err(failure), request, self.context.clock.now())
    }
}
