//! The body of a request as a JSON object, the texts in it, and why a body is refused. Knows no interface.

use http::StatusCode;
use serde_json::{Map, Value};

use crate::message::Refusal;
use libros_server_query::json;

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum BodyFailure {
    // rule: errors/malformed-create, errors/malformed-replace, errors/malformed-auth, errors/malformed-two-factor
    // rule: users/malformed-json, graphql-reduced/malformed-json, errors/text-after-json, errors/nan, users/nan
    #[error("The body is not valid JSON")]
    NotJson,
    #[error("The body's JSON is nested too deep")]
    TooDeep,
    // rule: errors/body-not-object
    #[error("The body must be a JSON object")]
    NotObject,
    #[error("The body could not be read whole")]
    Unreadable,
    #[error("The body is too large")]
    TooLarge,
}

impl BodyFailure {
    /// The failure of the body that a refusal names; `None` where a handler crashed.
    pub(crate) fn of(refusal: Refusal) -> Option<Self> {
        match refusal {
            Refusal::BodyTooLarge => Some(Self::TooLarge),
            Refusal::BodyUnreadable => Some(Self::Unreadable),
            Refusal::Crashed => None,
        }
    }

    pub(crate) fn status(self) -> StatusCode {
        if self == Self::TooLarge { StatusCode::PAYLOAD_TOO_LARGE } else { StatusCode::BAD_REQUEST }
    }
}

/// Reads a body as a JSON object. Ignores its Content-Type.
pub(crate) fn object(body: &[u8]) -> Result<Map<String, Value>, BodyFailure> {
    // rule: errors/request-content-type
    match json::parse(body) {
        Ok(Value::Object(fields)) => Ok(fields),
        Ok(_) => Err(BodyFailure::NotObject),
        Err(json::NotJson::Malformed) => Err(BodyFailure::NotJson),
        Err(json::NotJson::TooDeep) => Err(BodyFailure::TooDeep),
    }
}

/// Takes a field that holds a text; `None` when it is missing or holds anything else.
pub(crate) fn text(fields: &mut Map<String, Value>, name: &str) -> Option<String> {
    match fields.remove(name) {
        Some(Value::String(text)) => Some(text),
        _ => None,
    }
}

/// Takes a field that holds a text of at least one character.
pub(crate) fn filled_text(fields: &mut Map<String, Value>, name: &str) -> Option<String> {
    text(fields, name).filter(|text| !text.is_empty())
}
