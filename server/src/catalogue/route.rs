//! Which operation a method and a path name. Pure: sees neither headers nor state.
//!
//! Paths are read as sent: nothing is decoded, normalised or folded. The failures found here come before any credential.

use http::Method;

use crate::response::failure::Failure;

/// What a request asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Route {
    /// `OPTIONS`, any path.
    Preflight,
    Books(BookRoute),
    /// A path under `/auth`.
    Auth(AuthRoute),
    /// A path under `/2fa/`.
    TwoFactor(TwoFactorRoute),
}

/// A book operation. An id is any integer but zero, held within the bounds of its type: what lies beyond them is
/// an id that no book has. `None` where the path carries none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BookRoute {
    /// `GET` without an id.
    List,
    /// `GET` with an id.
    Read(i64),
    /// `POST`.
    Create(Option<i64>),
    /// `PUT`.
    Replace(Option<i64>),
    /// `DELETE`.
    Delete(Option<i64>),
}

/// An operation under `/auth`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AuthRoute {
    /// `POST /auth/registro`
    Register,
    /// `POST /auth/login`
    Login,
    /// `POST /auth/verify-2fa`
    VerifyTwoFactor,
    /// `POST /auth/api-keys`
    CreateApiKey,
    /// `GET /auth/api-keys`
    ListApiKeys,
}

/// An operation under `/2fa/`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TwoFactorRoute {
    /// `POST /2fa/enable`
    Enable,
    /// `POST /2fa/disable`
    Disable,
    /// `GET /2fa/status`
    Status,
    /// `POST /2fa/regenerate-backup-codes`
    RegenerateBackupCodes,
    /// `GET /2fa/trusted-devices`
    ListDevices,
    /// `DELETE /2fa/trusted-devices/<deviceId>`; the id as sent, undecoded, not empty.
    ForgetDevice(String),
}

/// The operation `method` and `path` (as sent, without the query) name.
/// Fails with [`Failure::RouteUnknown`] and the failures of a wrong method. Source: catalogue-service, "What the service does", 6.
pub(crate) fn route(method: &Method, path: &str) -> Result<Route, Failure> {
    // rule: routing/options-any-path
    if method == Method::OPTIONS {
        return Ok(Route::Preflight);
    }
    // Prefixes of texts, not of segments: /librosfoo is a book path, and so is /libros5.
    // rule: routing/path-case, routing/path-as-sent, routing/path-percent-encoded
    // rule: routing/books-prefix
    if path.starts_with("/libros") {
        return books(method, path).map(Route::Books);
    }
    // rule: routing/auth-prefix
    if path.starts_with("/auth") {
        return auth(method, path).map(Route::Auth);
    }
    // rule: routing/two-factor-prefix
    if let Some(rest) = path.strip_prefix("/2fa/") {
        return two_factor(method, rest).map(Route::TwoFactor);
    }
    // rule: routing/unknown-path, routing/no-other-pages, routing/head-elsewhere, versioning/no-path-segment
    Err(Failure::RouteUnknown)
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

fn auth(method: &Method, path: &str) -> Result<AuthRoute, Failure> {
    match (path, method) {
        ("/auth/registro", &Method::POST) => Ok(AuthRoute::Register),
        ("/auth/login", &Method::POST) => Ok(AuthRoute::Login),
        ("/auth/verify-2fa", &Method::POST) => Ok(AuthRoute::VerifyTwoFactor),
        // rule: verification/non-post-405, verification/method-before-body
        ("/auth/verify-2fa", _) => Err(Failure::MethodNotPost),
        ("/auth/api-keys", &Method::POST) => Ok(AuthRoute::CreateApiKey),
        ("/auth/api-keys", &Method::GET) => Ok(AuthRoute::ListApiKeys),
        // rule: routing/auth-unknown-path, routing/auth-wrong-method, routing/trailing-slash-elsewhere
        _ => Err(Failure::RouteUnknown),
    }
}

fn two_factor(method: &Method, rest: &str) -> Result<TwoFactorRoute, Failure> {
    match (rest, method) {
        ("enable", &Method::POST) => Ok(TwoFactorRoute::Enable),
        ("disable", &Method::POST) => Ok(TwoFactorRoute::Disable),
        ("status", &Method::GET) => Ok(TwoFactorRoute::Status),
        ("regenerate-backup-codes", &Method::POST) => Ok(TwoFactorRoute::RegenerateBackupCodes),
        ("trusted-devices", &Method::GET) => Ok(TwoFactorRoute::ListDevices),
        (_, &Method::DELETE) => match rest.strip_prefix("trusted-devices/") {
            Some(device) if !device.is_empty() && !device.contains('/') => {
                Ok(TwoFactorRoute::ForgetDevice(device.to_owned()))
            }
            // rule: devices/remove-without-id
            _ => Err(Failure::RouteUnknown),
        },
        // rule: two-factor/unknown-path, two-factor/unknown-path-credential, two-factor/wrong-method
        _ => Err(Failure::RouteUnknown),
    }
}

/// The id a book path carries: its second segment, read as an integer.
fn path_id(path: &str) -> Option<i64> {
    // rule: routing/empty-segments, routing/trailing-slash-books
    let mut segments = path.as_bytes().split(|byte| *byte == b'/').filter(|segment| !segment.is_empty());
    // rule: books/path-id-second-segment, books/path-id-missing
    let id = leading_integer(segments.nth(1)?)?;
    // rule: books/path-id-zero
    (id != 0).then_some(id)
}

/// The integer a text begins with, as JavaScript's `parseInt(text, 10)` reads it; `None` where it begins with none.
///
/// A number beyond the type's bounds is its nearest bound.
fn leading_integer(text: &[u8]) -> Option<i64> {
    // A path has no undecoded white space, so there is none to skip.
    // rule: books/path-id-negative
    let (negative, digits) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        all => (false, all),
    };
    // rule: books/path-id-trailing-text
    let length = digits.iter().take_while(|byte| byte.is_ascii_digit()).count();
    // rule: books/path-id-not-a-number
    if length == 0 {
        return None;
    }
    // rule: books/path-id-huge
    let magnitude = digits[..length]
        .iter()
        .fold(0_i64, |number, digit| number.saturating_mul(10).saturating_add(i64::from(digit - b'0')));
    Some(if negative { -magnitude } else { magnitude })
}
