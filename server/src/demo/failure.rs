//! Every failure of the demonstration interfaces, once: its status and its text, in the envelope `{ error: <text> }`.
//!
//! Handlers return a [`Failure`]; nothing else here chooses a status of 400 or more, but for what GraphQL itself calls
//! an error (`errors` beside or instead of `data`).

use std::borrow::Cow;

use http::header::ALLOW;
use http::{HeaderValue, StatusCode};
use serde_json::json;

use super::reply;
use crate::message::{Refusal, Reply};
use libros_server_query::json;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Failure {
    /// No such path, or not with this method.
    PathUnknown,
    UserUnknown,
    EntryUnknown,
    BodyNotJson,
    BodyTooDeep,
    /// The body is JSON, but not an object.
    BodyNotObject,
    /// The body ended early or could not be read.
    BodyUnreadable,
    BodyTooLarge,
    /// A field that must be there is not.
    FieldMissing(&'static str),
    /// A field that must be a text is something else.
    FieldNotText(&'static str),
    /// A field that must be a number is something else.
    FieldNotNumber(&'static str),
    /// A field that must not be empty is.
    FieldEmpty(&'static str),
    /// The e-mail has no `@`.
    EmailInvalid,
    EmailTaken,
    /// The password has fewer characters than this.
    PasswordShort(usize),
    /// A GraphQL request whose body does not call itself JSON.
    NotCalledJson,
    /// A field of a GraphQL request that must be an object (or null) is something else.
    FieldNotObject(&'static str),
    MutationByGet,
    /// The reduced variant does not take this query; the text says why.
    FormUnsupported(String),
    Crashed,
}

impl Failure {
    fn row(&self) -> (StatusCode, Cow<'static, str>) {
        use StatusCode as S;
        let (status, text): (StatusCode, Cow<'static, str>) = match self {
            // rule: users/unknown-path, graphql-reduced/other-path
            Self::PathUnknown => (S::NOT_FOUND, "Route not found".into()),
            // rule: users/unknown-id, posts/unknown-user
            Self::UserUnknown => (S::NOT_FOUND, "User not found".into()),
            // rule: blog/unknown-entry, blog/unknown-id
            Self::EntryUnknown => (S::NOT_FOUND, "Entry not found".into()),
            // rule: users/malformed-json, graphql-reduced/malformed-json
            // rule: errors/text-after-json, users/nan
            Self::BodyNotJson => (S::BAD_REQUEST, "The body is not valid JSON".into()),
            Self::BodyTooDeep => (S::BAD_REQUEST, "The body's JSON is nested too deep".into()),
            Self::BodyNotObject => (S::BAD_REQUEST, "The body must be a JSON object".into()),
            Self::BodyUnreadable => (S::BAD_REQUEST, "The body could not be read whole".into()),
            Self::BodyTooLarge => (S::PAYLOAD_TOO_LARGE, "The body is too large".into()),
            Self::FieldMissing(name) => (S::BAD_REQUEST, format!("The field {name} is required").into()),
            Self::FieldNotText(name) => (S::BAD_REQUEST, format!("The field {name} must be a string").into()),
            Self::FieldNotNumber(name) => (S::BAD_REQUEST, format!("The field {name} must be a number").into()),
            Self::FieldEmpty(name) => (S::BAD_REQUEST, format!("The field {name} must not be empty").into()),
            Self::EmailInvalid => (S::BAD_REQUEST, "The field email must hold an @".into()),
            Self::EmailTaken => (S::BAD_REQUEST, "The e-mail is already registered".into()),
            Self::PasswordShort(least) => {
                (S::BAD_REQUEST, format!("The field password must have at least {least} characters").into())
            }
            Self::NotCalledJson => {
                (S::UNSUPPORTED_MEDIA_TYPE, "Send the request with Content-Type: application/json".into())
            }
            Self::FieldNotObject(name) => (S::BAD_REQUEST, format!("The field {name} must be a JSON object").into()),
            Self::MutationByGet => (S::METHOD_NOT_ALLOWED, "A mutation needs POST".into()),
            Self::FormUnsupported(why) => (S::BAD_REQUEST, format!("Unsupported query: {why}").into()),
            Self::Crashed => (S::INTERNAL_SERVER_ERROR, "Unexpected failure".into()),
        };
        (status, text)
    }

    pub(super) fn render(&self) -> Reply {
        let (status, text) = self.row();
        // rule: users/error-body, signup/error-body, errors/nothing-beside-error
        let mut reply = reply::json(status, json::write(&json!({ "error": text })));
        if status == StatusCode::METHOD_NOT_ALLOWED {
            reply.headers.insert(ALLOW, HeaderValue::from_static("POST, OPTIONS"));
        }
        reply
    }
}

impl From<json::NotJson> for Failure {
    fn from(error: json::NotJson) -> Self {
        match error {
            json::NotJson::Malformed => Self::BodyNotJson,
            json::NotJson::TooDeep => Self::BodyTooDeep,
        }
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::BodyTooLarge => Self::BodyTooLarge,
            Refusal::BodyUnreadable => Self::BodyUnreadable,
            Refusal::Crashed => Self::Crashed,
        }
    }
}
