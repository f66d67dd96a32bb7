//! Every failure of the catalogue, once: its status, its envelope and its text.
//!
//! Handlers return a [`Failure`]; nothing else in the catalogue chooses a status of 400 or more.

use http::StatusCode;
use serde_json::{Map, Value, json};

use super::content::Response;
use libros_server_query::json;
use libros_server_store::NotDurable;
use libros_server_system::clock::Timestamp;

/// Why a request was turned down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Failure {
    RouteUnknown,
    /// A method `/libros` does not know.
    MethodUnsupported,
    /// Anything but POST on `/auth/verify-2fa`.
    MethodNotPost,
    BookUnknown,
    TituloMissing,
    AutorMissing,
    IdInPath,
    IdMissing,
    BodyNotJson,
    BodyTooDeep,
    /// The body is JSON, but not an object.
    BodyNotObject,
    BodyUnreadable,
    BodyTooLarge,
    /// A field of the body is missing or of the wrong type; the text says which, and what it must be.
    FieldInvalid(&'static str),
    UserExists,
    UserUnknown,
    PasswordWrong,
    UserInactive,
    TwoFactorNotEnabled,
    TwoFactorNotConfigured,
    /// No such pending login, or it is gone.
    PendingUnknown,
    PendingExpired,
    TooManyAttempts,
    CodeWrong,
    /// The credential names no user.
    PrincipalWithoutUser,
    DeviceIdUnreadable,
    /// The API key is unknown or lacks a permission.
    ApiKeyInvalid,
    /// The session token is unknown or expired, its user missing, inactive, or lacking a permission.
    TokenInvalid,
    /// The JWT is malformed or expired, its user missing, inactive, or lacking a permission.
    JwtInvalid,
    /// No credential of a supported kind.
    Unauthenticated,
    /// The client hung up before its turn came.
    ClientGone,
    /// Something broke in a book operation; the text says what, for the operator.
    BooksBroken(String),
    /// Something broke elsewhere; the text says what, for the operator.
    ServerBroken(String),
}

/// How a failure is put into a body.
///
/// Source: catalogue-service, "Errors".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Envelope {
    /// `{ error: <text> }`
    Plain,
    /// `{ error: { codigo, mensaje, timestamp } }`
    Credential(&'static str),
    /// `{ error: { codigo, mensaje, detalles, timestamp, requestId } }`
    Broken(&'static str),
}

impl Failure {
    fn row(&self) -> (StatusCode, Envelope, &'static str) {
        use Envelope::{Broken, Credential, Plain};
        // rule: errors/statuses
        let bad = |text| (StatusCode::BAD_REQUEST, Plain, text);
        let unknown = |text| (StatusCode::NOT_FOUND, Plain, text);
        let method = |text| (StatusCode::METHOD_NOT_ALLOWED, Plain, text);
        // rule: errors/401-code
        let denied = |codigo, text| (StatusCode::UNAUTHORIZED, Credential(codigo), text);
        let broken = |codigo, text| (StatusCode::INTERNAL_SERVER_ERROR, Broken(codigo), text);
        match self {
            // rule: errors/404-path, errors/404-auth, errors/404-two-factor, errors/wording
            Self::RouteUnknown => unknown("Route not found"),
            // rule: errors/404-book
            Self::BookUnknown => unknown("Book not found"),
            // rule: errors/405-books
            Self::MethodUnsupported => method("Method not allowed: use GET, POST, PUT or DELETE"),
            // rule: errors/405-verify
            Self::MethodNotPost => method("Method not allowed: use POST"),
            Self::TituloMissing => bad("The field titulo is required and must not be empty"),
            Self::AutorMissing => bad("The field autor is required and must not be empty"),
            Self::IdInPath => bad("A book is created without an id in the path"),
            Self::IdMissing => bad("The path must carry the id of the book"),
            Self::BodyNotJson => bad("The body is not valid JSON"),
            Self::BodyTooDeep => bad("The body's JSON is nested too deep"),
            Self::BodyNotObject => bad("The body must be a JSON object"),
            Self::BodyUnreadable => bad("The body could not be read whole"),
            Self::BodyTooLarge => (StatusCode::PAYLOAD_TOO_LARGE, Plain, "The body is too large"),
            Self::FieldInvalid(text) => bad(text),
            // rule: errors/wording
            Self::UserExists => bad("The user already exists"),
            // rule: errors/wording
            Self::UserUnknown => bad("User not found"),
            // rule: errors/wording
            Self::PasswordWrong => bad("Wrong password"),
            Self::UserInactive => bad("The user is inactive"),
            Self::TwoFactorNotEnabled => bad("Two-factor authentication is not enabled"),
            Self::TwoFactorNotConfigured => bad("Two-factor authentication is not configured"),
            Self::PendingUnknown => bad("Two-factor session not found or expired"),
            Self::PendingExpired => bad("The two-factor session has expired"),
            Self::TooManyAttempts => bad("Too many failed attempts"),
            Self::CodeWrong => bad("Invalid two-factor code"),
            Self::PrincipalWithoutUser => bad("Unable to determine the authenticated user"),
            Self::DeviceIdUnreadable => bad("The device id in the path cannot be decoded"),
            Self::ApiKeyInvalid => denied("API_KEY_INVALIDA", "API key unknown or not permitted"),
            Self::TokenInvalid => denied("TOKEN_INVALIDO", "Session unknown, over or not permitted"),
            Self::JwtInvalid => denied("JWT_INVALIDO", "JWT malformed, over or not permitted"),
            Self::Unauthenticated => denied("NO_AUTENTICADO", "No credential of a supported kind"),
            Self::ClientGone => (StatusCode::SERVICE_UNAVAILABLE, Plain, "The service is busy: try again in a moment"),
            // rule: errors/500-books-code
            Self::BooksBroken(_) => broken("INTERNAL_ERROR", "Unexpected failure"),
            // rule: errors/500-server-code
            Self::ServerBroken(_) => broken("INTERNAL_SERVER_ERROR", "Unexpected failure"),
        }
    }

    /// The failure as an answer. `request_id` is asked for only where the envelope shows it.
    pub(crate) fn render(&self, now: Timestamp, request_id: impl FnOnce() -> String) -> Response {
        let (status, envelope, text) = self.row();
        let body = match envelope {
            // rule: errors/nothing-beside-error, errors/400-books, errors/400-auth, errors/400-two-factor, errors/404-path, errors/404-book
            // rule: errors/404-auth, errors/404-two-factor, errors/405-books, errors/405-verify
            Envelope::Plain => json!({ "error": text }),
            // rule: errors/401-body, errors/401-mensaje, errors/401-timestamp
            Envelope::Credential(codigo) => json!({
                "error": { "codigo": codigo, "mensaje": text, "timestamp": now.iso() }
            }),
            // rule: errors/500-body
            Envelope::Broken(codigo) => json!({
                "error": {
                    "codigo": codigo,
                    "mensaje": text,
                    "detalles": self.details(),
                    "timestamp": now.iso(),
                    "requestId": request_id(),
                }
            }),
        };
        let body = json::write(&body);
        match envelope {
            Envelope::Credential(_) => Response::denied(status, body),
            Envelope::Plain | Envelope::Broken(_) => Response::plain(status, body),
        }
    }

    fn details(&self) -> &str {
        match self {
            Self::BooksBroken(details) | Self::ServerBroken(details) => details,
            _ => "",
        }
    }
}

impl From<NotDurable> for Failure {
    fn from(error: NotDurable) -> Self {
        Self::ServerBroken(error.to_string())
    }
}

impl From<json::NotJson> for Failure {
    fn from(error: json::NotJson) -> Self {
        match error {
            // rule: errors/text-after-json, errors/nan
            // rule: errors/malformed-create, errors/malformed-replace, errors/malformed-auth, errors/malformed-two-factor
            json::NotJson::Malformed => Self::BodyNotJson,
            json::NotJson::TooDeep => Self::BodyTooDeep,
        }
    }
}

/// Reads a request's body as a JSON object.
///
/// Content-Type is not looked at. Fails with a 400 for whatever is not a JSON object.
pub(crate) fn object(body: &[u8]) -> Result<Map<String, Value>, Failure> {
    // rule: errors/request-content-type
    match json::parse(body)? {
        Value::Object(fields) => Ok(fields),
        // rule: errors/body-not-object
        _ => Err(Failure::BodyNotObject),
    }
}
