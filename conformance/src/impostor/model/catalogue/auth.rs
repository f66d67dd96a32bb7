//! The /auth routes. Registration, login, verification and API keys have files of their own.

use super::failure::Failure;
use super::{Exchange, Outcome, api_keys, login, registration, verify};

/// Answers a request whose path starts with /auth.
pub(crate) fn answer(exchange: &Exchange<'_>, path: &str) -> Outcome {
    let method = exchange.request.method.as_str();
    match (method, path) {
        ("POST", "/auth/registro") => registration::register(exchange),
        ("POST", "/auth/login") => login::login(exchange),
        ("POST", "/auth/verify-2fa") => verify::verify(exchange),
        (_, "/auth/verify-2fa") => Err(Failure::not_allowed()),
        ("POST", "/auth/api-keys") => api_keys::create(exchange),
        ("GET", "/auth/api-keys") => api_keys::list(exchange),
        _ => Err(Failure::unknown_path()),
    }
}
