//! Which operation a method and a path name. Pure: sees neither headers nor state.

use http::Method;

use super::failure::Failure;

/// What a request asks for.
#[derive(Debug, Clone, PartialEq)]
pub enum Route {
    /// `OPTIONS`, any path.
    Preflight,
    /// A book operation.
    Books(BookRoute),
    /// A path under `/auth`.
    Auth(AuthRoute),
    /// A path under `/2fa/`.
    TwoFactor(TwoFactorRoute),
}

/// A book operation; the id is `None` where the path carries none. Ids are integers read as a JS number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum BookRoute {
    /// `GET` without an id.
    List,
    /// `GET` with an id.
    Read(f64),
    /// `POST`.
    Create(Option<f64>),
    /// `PUT`.
    Replace(Option<f64>),
    /// `DELETE`.
    Delete(Option<f64>),
}

/// An operation under `/auth`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuthRoute {
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
pub enum TwoFactorRoute {
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
    /// `DELETE /2fa/trusted-devices/<deviceId>`; the id as sent, undecoded, not empty
    ForgetDevice(String),
}

/// The operation `method` and `path` (as sent, without the query) name.
///
/// # Errors
/// [`Failure::RouteUnknown`] and the failures of a wrong method: all of them before any credential.
pub fn route(method: &Method, path: &str) -> Result<Route, Failure> {
    if method == Method::OPTIONS {
        return Ok(Route::Preflight);
    }
    if path.starts_with("/auth") {
        return auth(method, path).map(Route::Auth);
    }
    if let Some(rest) = path.strip_prefix("/2fa/") {
        return two_factor(method, rest).map(Route::TwoFactor);
    }
    if path.starts_with("/libros") {
        return books(method, path).map(Route::Books);
    }
    Err(Failure::RouteUnknown)
}

fn auth(method: &Method, path: &str) -> Result<AuthRoute, Failure> {
    match (path, method.as_str()) {
        ("/auth/registro", "POST") => Ok(AuthRoute::Register),
        ("/auth/login", "POST") => Ok(AuthRoute::Login),
        ("/auth/verify-2fa", "POST") => Ok(AuthRoute::VerifyTwoFactor),
        ("/auth/verify-2fa", _) => Err(Failure::MethodNotPost),
        ("/auth/api-keys", "POST") => Ok(AuthRoute::CreateApiKey),
        ("/auth/api-keys", "GET") => Ok(AuthRoute::ListApiKeys),
        _ => Err(Failure::RouteUnknown),
    }
}

fn two_factor(method: &Method, rest: &str) -> Result<TwoFactorRoute, Failure> {
    match (rest, method.as_str()) {
        ("enable", "POST") => Ok(TwoFactorRoute::Enable),
        ("disable", "POST") => Ok(TwoFactorRoute::Disable),
        ("status", "GET") => Ok(TwoFactorRoute::Status),
        ("regenerate-backup-codes", "POST") => Ok(TwoFactorRoute::RegenerateBackupCodes),
        ("trusted-devices", "GET") => Ok(TwoFactorRoute::ListDevices),
        (_, "DELETE") => match rest.strip_prefix("trusted-devices/") {
            Some(device) if !device.is_empty() && !device.contains('/') => {
                Ok(TwoFactorRoute::ForgetDevice(device.to_owned()))
            }
            _ => Err(Failure::RouteUnknown),
        },
        _ => Err(Failure::RouteUnknown),
    }
}

fn books(method: &Method, path: &str) -> Result<BookRoute, Failure> {
    let id = path
        .split('/')
        .filter(|s| !s.is_empty())
        .nth(1)
        .and_then(leading_integer);
    match method.as_str() {
        "GET" => Ok(id.map_or(BookRoute::List, BookRoute::Read)),
        "POST" => Ok(BookRoute::Create(id)),
        "PUT" => Ok(BookRoute::Replace(id)),
        "DELETE" => Ok(BookRoute::Delete(id)),
        _ => Err(Failure::MethodUnsupported),
    }
}

/// The integer a text starts with, as JavaScript's `parseInt(text, 10)` reads it; `None` for none and for zero.
fn leading_integer(segment: &str) -> Option<f64> {
    let digits_end = segment.bytes().take_while(u8::is_ascii_digit).count();
    segment[..digits_end]
        .parse::<f64>()
        .ok()
        .filter(|id| *id != 0.0)
}
