//! The catalogue interface: `/libros`, `/auth` and `/2fa` on one listener.
//!
//! Route, then credential, then handler; a failure through its table; a validator may turn the answer into a 304;
//! one place dresses it with headers. Never touches a socket.

use http::{HeaderMap, HeaderName, HeaderValue};

use crate::auth::Identity;
use crate::books::Books;
use crate::context::Context;
use crate::message::{Interface, Refusal, Reply, Request};
use crate::store::JournalThread;

mod answer;
pub mod conditional;
mod failure;
mod headers;
mod route;
mod wardrobe;

pub use answer::{Answer, Cache, Dress, Pagination};
pub use failure::{Failure, object};
pub use headers::SERVICE_NAME;
pub use route::{AuthRoute, BookRoute, Route, TwoFactorRoute, route};
pub use wardrobe::Wardrobe;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The book catalogue with its authentication and two-factor routes.
#[derive(Debug)]
pub struct Catalogue {
    /// The books.
    pub books: Books,
    /// Users, clients and all that proves who asks.
    pub identity: Identity,
    wardrobe: Wardrobe,
    context: Context,
    /// The last to be dropped: it writes what the others leave behind.
    _journal: JournalThread,
}

impl Catalogue {
    /// Puts the interface together; `build` is the value of X-API-Build.
    #[must_use]
    pub fn new(
        books: Books,
        identity: Identity,
        build: &HeaderValue,
        context: Context,
        journal: JournalThread,
    ) -> Self {
        Self { books, identity, wardrobe: Wardrobe::new(build), context, _journal: journal }
    }

    async fn perform(&self, request: &Request) -> Result<Answer, Failure> {
        match route(&request.method, &request.path)? {
            Route::Preflight => Ok(Answer::preflight()),
            Route::Books(route) => {
                // The credential comes before the id, the body and the collection.
                // rule: credentials/before-store, credentials/before-id, credentials/before-body
                let principal = self.identity.guard(&request.headers, &[self.books.needs(route)])?;
                self.books.perform(route, request, &principal).await
            }
            Route::Auth(route) => self.identity.auth(route, request).await,
            Route::TwoFactor(route) => self.identity.two_factor(route, request).await,
        }
    }

    fn render(&self, failure: &Failure, request: &Request) -> Answer {
        if let Failure::BooksBroken(details) | Failure::ServerBroken(details) = failure {
            tracing::error!(method = %request.method, path = request.path, details, "answered 500");
        }
        let now = self.context.clock.now();
        failure.render(now, || self.request_id(&request.headers))
    }

    /// The id of a request as its 500 shows it.
    // rule: headers/request-id-500, headers/request-id-unseen
    fn request_id(&self, headers: &HeaderMap) -> String {
        match headers.get(REQUEST_ID).map(HeaderValue::as_bytes) {
            Some(id) if !id.is_empty() => String::from_utf8_lossy(id).into_owned(),
            _ => format!("req_{}_{}", self.context.clock.now().millis(), self.context.entropy.hex::<6>()),
        }
    }

    fn dress(&self, answer: Answer, request: &Request) -> Reply {
        self.wardrobe.dress(answer, &request.headers, self.context.clock.now())
    }
}

impl Interface for Catalogue {
    async fn answer(&self, request: &Request) -> Reply {
        let answer = match self.perform(request).await {
            Ok(answer) => conditional::apply(answer, &request.headers),
            // rule: conditional/unknown-id, conditional/needs-credential
            Err(failure) => self.render(&failure, request),
        };
        self.dress(answer, request)
    }

    fn refuse(&self, refusal: Refusal, request: &Request) -> Reply {
        let failure = match refusal {
            Refusal::BodyTooLarge => Failure::BodyTooLarge,
            Refusal::BodyUnreadable => Failure::BodyUnreadable,
            Refusal::Crashed => {
                let details = "the handler panicked; the log says where".to_owned();
                match route(&request.method, &request.path) {
                    Ok(Route::Books(_)) => Failure::BooksBroken(details),
                    _ => Failure::ServerBroken(details),
                }
            }
        };
        self.dress(self.render(&failure, request), request)
    }
}
