//! Every failure of the catalogue, once: its status, its envelope and its text.
//!
//! Handlers return a [`Failure`]; nothing else in the catalogue chooses a status of 400 or more.

use http::StatusCode;
use serde_json::json;

use super::content::{HeaderProfile, Response};
use crate::json_body::BodyFailure;
use libros_server_query::json;
use libros_server_store::NotDurable;
use libros_server_system::clock::Timestamp;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Failure {
    // rule: errors/404-path, errors/404-auth, errors/404-two-factor, errors/wording
    #[error("Route not found")]
    RouteUnknown,
    /// A method that `/libros` does not have.
    // rule: errors/405-books
    #[error("Method not allowed: use GET, POST, PUT or DELETE")]
    MethodUnsupported,
    /// Anything but POST on `/auth/verify-2fa`.
    // rule: errors/405-verify
    #[error("Method not allowed: use POST")]
    MethodNotPost,
    // rule: errors/404-book
    #[error("Book not found")]
    BookUnknown,
    #[error("The field titulo is required and must not be empty")]
    TituloMissing,
    #[error("The field autor is required and must not be empty")]
    AutorMissing,
    #[error("A book is created without an id in the path")]
    IdInPath,
    #[error("The path must carry the id of the book")]
    IdMissing,
    #[error(transparent)]
    Body(#[from] BodyFailure),
    /// A field of the body is of the wrong type; the text says which, and what it must be.
    #[error("{0}")]
    FieldInvalid(&'static str),
    // rule: errors/wording
    #[error("The user already exists")]
    UserExists,
    // rule: errors/wording
    #[error("User not found")]
    UserUnknown,
    // rule: errors/wording
    #[error("Wrong password")]
    PasswordWrong,
    #[error("The user is inactive")]
    UserInactive,
    #[error("Two-factor authentication is not enabled")]
    TwoFactorNotEnabled,
    #[error("Two-factor authentication is not configured")]
    TwoFactorNotConfigured,
    #[error("Two-factor session not found or expired")]
    PendingUnknown,
    #[error("The two-factor session has expired")]
    PendingExpired,
    #[error("Too many failed attempts")]
    TooManyAttempts,
    #[error("Invalid two-factor code")]
    CodeWrong,
    /// The credential is valid, but not a user's.
    #[error("Unable to determine the authenticated user")]
    PrincipalWithoutUser,
    #[error("The device id in the path cannot be decoded")]
    DeviceIdUnreadable,
    #[error("API key unknown or not permitted")]
    ApiKeyInvalid,
    /// Not permitted: its user is missing, inactive, or lacks a permission.
    #[error("Session unknown, expired or not permitted")]
    TokenInvalid,
    /// Not permitted: its user is missing, inactive, or lacks a permission.
    #[error("JWT malformed, expired or not permitted")]
    JwtInvalid,
    #[error("No credential of a supported kind")]
    Unauthenticated,
    /// The client hung up before its work began.
    #[error("The service is busy: try again in a moment")]
    ClientGone,
    /// Something broke in a book operation; the text says what, for the operator.
    #[error("Unexpected failure")]
    BooksBroken(String),
    /// Something broke elsewhere; the text says what, for the operator.
    #[error("Unexpected failure")]
    ServerBroken(String),
}

impl Failure {
    /// The status, and the `codigo` of the envelopes that have one.
    fn status(&self) -> (StatusCode, Option<&'static str>) {
        // rule: errors/statuses
        match self {
            Self::RouteUnknown | Self::BookUnknown => (StatusCode::NOT_FOUND, None),
            Self::MethodUnsupported | Self::MethodNotPost => (StatusCode::METHOD_NOT_ALLOWED, None),
            Self::Body(failure) => (failure.status(), None),
            // rule: errors/401-code
            Self::ApiKeyInvalid => (StatusCode::UNAUTHORIZED, Some("API_KEY_INVALIDA")),
            Self::TokenInvalid => (StatusCode::UNAUTHORIZED, Some("TOKEN_INVALIDO")),
            Self::JwtInvalid => (StatusCode::UNAUTHORIZED, Some("JWT_INVALIDO")),
            Self::Unauthenticated => (StatusCode::UNAUTHORIZED, Some("NO_AUTENTICADO")),
            Self::ClientGone => (StatusCode::SERVICE_UNAVAILABLE, None),
            // rule: errors/500-books-code
            Self::BooksBroken(_) => (StatusCode::INTERNAL_SERVER_ERROR, Some("INTERNAL_ERROR")),
            // rule: errors/500-server-code
            Self::ServerBroken(_) => (StatusCode::INTERNAL_SERVER_ERROR, Some("INTERNAL_SERVER_ERROR")),
            _ => (StatusCode::BAD_REQUEST, None),
        }
    }

    /// The failure as an answer. `request_id` is asked for only where the envelope shows it. Source: catalogue-service, "Errors".
    pub(crate) fn render(&self, now: Timestamp, request_id: impl FnOnce() -> String) -> Response {
        let (status, codigo) = self.status();
        let (mensaje, timestamp) = (self.to_string(), now.iso());
        let (error, profile) = match (codigo, self) {
            // rule: errors/500-body
            (Some(codigo), Self::BooksBroken(detalles) | Self::ServerBroken(detalles)) => {
                let (detalles, id) = (detalles.as_str(), request_id());
                let error = json!({ "codigo": codigo, "mensaje": mensaje, "detalles": detalles, "timestamp": timestamp, "requestId": id });
                (error, HeaderProfile::NoCache)
            }
            // rule: errors/401-body, errors/401-mensaje, errors/401-timestamp
            (Some(codigo), _) => {
                (json!({ "codigo": codigo, "mensaje": mensaje, "timestamp": timestamp }), HeaderProfile::Denied)
            }
            // rule: errors/400-books, errors/400-auth, errors/400-two-factor, errors/404-path, errors/404-book
            // rule: errors/404-auth, errors/404-two-factor, errors/405-books, errors/405-verify
            (None, _) => (mensaje.into(), HeaderProfile::NoCache),
        };
        // rule: errors/nothing-beside-error
        let body = [r#"{"error":"#, &json::write(&error), "}"].concat();
        Response { status, body: Some(body.into()), profile }
    }
}

impl From<NotDurable> for Failure {
    fn from(error: NotDurable) -> Self {
        Self::ServerBroken(error.to_string())
    }
}
