//! Reads the body of a request as a JSON object with texts and numbers, or fails with the reason. Knows no interface.

use http::{HeaderValue, StatusCode};
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
    #[error("The field {0} is required")]
    FieldMissing(&'static str),
    #[error("The field {0} must be a string")]
    FieldNotText(&'static str),
    #[error("The field {0} must be a number")]
    FieldNotNumber(&'static str),
    #[error("The field {0} must not be empty")]
    FieldEmpty(&'static str),
}

impl BodyFailure {
    /// The failure of a body that the transport refused; `None` if a handler crashed.
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

/// Whether a Content-Type is `application/json`, with any parameters.
pub(crate) fn is_json(media_type: &HeaderValue) -> bool {
    let essence = media_type.as_bytes().split(|byte| *byte == b';').next().unwrap_or_default();
    essence.trim_ascii().eq_ignore_ascii_case(b"application/json")
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

pub(crate) fn optional_text(
    fields: &mut Map<String, Value>,
    name: &'static str,
) -> Result<Option<String>, BodyFailure> {
    match fields.remove(name) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(BodyFailure::FieldNotText(name)),
    }
}

pub(crate) fn text(fields: &mut Map<String, Value>, name: &'static str) -> Result<String, BodyFailure> {
    // rule: errors/key-case-closed, users/key-case, graphql-reduced/key-case, signup/key-case
    optional_text(fields, name)?.ok_or(BodyFailure::FieldMissing(name))
}

/// Removes a field that must be a text of at least one character.
pub(crate) fn filled_text(fields: &mut Map<String, Value>, name: &'static str) -> Result<String, BodyFailure> {
    let text = text(fields, name)?;
    if text.is_empty() { Err(BodyFailure::FieldEmpty(name)) } else { Ok(text) }
}

pub(crate) fn number(fields: &mut Map<String, Value>, name: &'static str) -> Result<f64, BodyFailure> {
    let value = fields.remove(name).ok_or(BodyFailure::FieldMissing(name))?;
    value.as_f64().ok_or(BodyFailure::FieldNotNumber(name))
}
