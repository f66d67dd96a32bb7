//! The /auth routes. Registration, login, verification and API keys have files of their own.

use super::failure::{Failure, Outcome};
use super::request_context::RequestContext;
use super::{api_keys, login, registration, verify};

/// Answers a request whose path starts with /auth.
pub(crate) fn answer(cx: &RequestContext<'_>, path: &str) -> Outcome {
    let method = cx.request.method.as_str();
    match (method, path) {
        ("POST", "/auth/registro") => registration::register(cx),
        ("POST", "/auth/login") => login::login(cx),
        ("POST", "/auth/verify-2fa") => verify::verify(cx),
        (_, "/auth/verify-2fa") => Err(Failure::not_allowed()),
        ("POST", "/auth/api-keys") => api_keys::create(cx),
        ("GET", "/auth/api-keys") => api_keys::list(cx),
        _ => Err(Failure::unknown_path()),
    }
}
