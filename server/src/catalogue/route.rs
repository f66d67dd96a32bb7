//! Which operation a method and a path name. Pure: sees neither headers nor state.
//!
//! Paths are read as sent: nothing is decoded, normalised or folded. The failures found here come before any credential.

use http::Method;

use crate::auth::{api_keys, identity::Identity, login, registration, trusted_devices, two_factor, verification};
use crate::message::{Pending, Request};
use crate::response::{content::Response, failure::Failure};
use libros_server_query::leading_integer;

#[derive(Clone, Copy)]
pub(crate) enum Route {
    /// `OPTIONS`, any path.
    Preflight,
    Books(BookRoute),
    /// A path under `/auth` or `/2fa/`.
    Account(AccountOperation),
}

/// A book operation. The id in its path is any integer but zero; beyond the bounds of the type, it is the nearest bound, which no book has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BookRoute {
    List,
    Read(i64),
    Create(Option<i64>),
    Replace(Option<i64>),
    Delete(Option<i64>),
}

/// The handler of an operation on users, clients and second factors.
pub(crate) type AccountOperation = for<'a> fn(&'a Identity, &'a Request) -> Pending<'a, Result<Response, Failure>>;

/// The operation `method` and `path` (as sent, without the query) name.
/// Fails with [`Failure::RouteUnknown`] and the failures of a wrong method. Source: catalogue-service, "What the service does", 6.
pub(crate) fn route(method: &Method, path: &str) -> Result<Route, Failure> {
    // rule: routing/options-any-path
    if method == Method::OPTIONS {
        return Ok(Route::Preflight);
    }
    // Prefixes of texts, not of segments: /librosfoo is a book path, and so is /libros5.
    // rule: routing/path-case, routing/path-as-sent, routing/path-percent-encoded, routing/books-prefix
    if path.starts_with("/libros") {
        return books(method, path).map(Route::Books);
    }
    // rule: routing/auth-prefix, routing/two-factor-prefix
    account(method, path).map(Route::Account)
}

fn books(method: &Method, path: &str) -> Result<BookRoute, Failure> {
    let id = path_id(path);
    match *method {
        // rule: books/no-id-lists
        Method::GET => Ok(id.map_or(BookRoute::List, BookRoute::Read)),
        Method::POST => Ok(BookRoute::Create(id)),
        Method::PUT => Ok(BookRoute::Replace(id)),
        Method::DELETE => Ok(BookRoute::Delete(id)),
        // rule: sessions/unsupported-method-keeps-expiry
        // rule: books/method-not-allowed, books/method-before-credential, books/method-before-body, books/head, routing/unknown-method
        _ => Err(Failure::MethodUnsupported),
    }
}

fn account(method: &Method, path: &str) -> Result<AccountOperation, Failure> {
    Ok(match (method.as_str(), path) {
        // rule: credentials/open-routes
        ("POST", "/auth/registro") => |identity, request| Box::pin(registration::register(identity, request)),
        // rule: credentials/open-routes
        ("POST", "/auth/login") => |identity, request| Box::pin(login::login(identity, request)),
        // rule: credentials/open-routes
        ("POST", "/auth/verify-2fa") => |identity, request| Box::pin(verification::verify(identity, request)),
        // rule: verification/non-post-405, verification/method-before-body
        (_, "/auth/verify-2fa") => return Err(Failure::MethodNotPost),
        ("POST", "/auth/api-keys") => |identity, request| Box::pin(api_keys::create(identity, request)),
        ("GET", "/auth/api-keys") => |identity, request| Box::pin(api_keys::list(identity, request)),
        ("POST", "/2fa/enable") => |identity, request| Box::pin(two_factor::enable(identity, request)),
        ("POST", "/2fa/disable") => |identity, request| Box::pin(two_factor::disable(identity, request)),
        ("GET", "/2fa/status") => |identity, request| Box::pin(two_factor::status(identity, request)),
        ("POST", "/2fa/regenerate-backup-codes") => {
            |identity, request| Box::pin(two_factor::regenerate_backup_codes(identity, request))
        }
        ("GET", "/2fa/trusted-devices") => |identity, request| Box::pin(trusted_devices::list(identity, request)),
        // rule: devices/remove-without-id
        ("DELETE", _) if trusted_devices::id_in(path).is_some() => {
            |identity, request| Box::pin(trusted_devices::forget(identity, request))
        }
        // rule: routing/unknown-path, routing/no-other-pages, routing/head-elsewhere, versioning/no-path-segment
        // rule: routing/auth-unknown-path, routing/auth-wrong-method, routing/trailing-slash-elsewhere
        // rule: two-factor/unknown-path, two-factor/unknown-path-credential, two-factor/wrong-method
        _ => return Err(Failure::RouteUnknown),
    })
}

/// The id in a book path: its second segment as an integer.
fn path_id(path: &str) -> Option<i64> {
    // rule: routing/empty-segments, routing/trailing-slash-books
    let mut segments = path.split('/').filter(|segment| !segment.is_empty());
    // A path has no undecoded white space, so there is none to skip. The cast saturates.
    // rule: books/path-id-second-segment, books/path-id-missing, books/path-id-not-a-number, books/path-id-trailing-text
    // rule: books/path-id-negative, books/path-id-huge
    let id = leading_integer(segments.nth(1)?)? as i64;
    // rule: books/path-id-zero
    (id != 0).then_some(id)
}
