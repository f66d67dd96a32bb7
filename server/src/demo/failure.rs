//! Every failure of the demonstration interfaces, once: its status and its text, in the envelope `{ error: <text> }`.
//!
//! Handlers return a [`Failure`]; nothing else here chooses a status of 400 or more, except for the `errors` of GraphQL.

use http::header::ALLOW;
use http::{HeaderValue, StatusCode};
use serde_json::json;

use crate::json_body::BodyFailure;
use crate::message::Reply;
use libros_server_query::json;

#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    /// No route has this path and this method.
    // rule: users/unknown-path, graphql-reduced/other-path
    #[error("Route not found")]
    PathUnknown,
    // rule: users/unknown-id, posts/unknown-user
    #[error("User not found")]
    UserUnknown,
    // rule: blog/unknown-entry, blog/unknown-id
    #[error("Entry not found")]
    EntryUnknown,
    #[error(transparent)]
    Body(#[from] BodyFailure),
    #[error("The field {0} must be a JSON object")]
    FieldNotObject(&'static str),
    #[error("The field email must hold an @")]
    EmailInvalid,
    #[error("The e-mail is already registered")]
    EmailTaken,
    #[error("The field password must have at least {0} characters")]
    PasswordShort(usize),
    /// A GraphQL request whose Content-Type is not JSON.
    #[error("Send the request with Content-Type: application/json")]
    NotCalledJson,
    #[error("A mutation needs POST")]
    MutationByGet,
    /// The reduced variant refuses this query; the text says why.
    #[error("Unsupported query: {0}")]
    FormUnsupported(String),
    #[error("Unexpected failure")]
    Crashed,
}

impl Failure {
    fn status(&self) -> StatusCode {
        match self {
            Self::PathUnknown | Self::UserUnknown | Self::EntryUnknown => StatusCode::NOT_FOUND,
            Self::Body(failure) => failure.status(),
            Self::NotCalledJson => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::MutationByGet => StatusCode::METHOD_NOT_ALLOWED,
            Self::Crashed => StatusCode::INTERNAL_SERVER_ERROR,
            _ => StatusCode::BAD_REQUEST,
        }
    }

    pub(super) fn render(&self) -> Reply {
        // rule: users/error-body, signup/error-body, errors/nothing-beside-error
        let mut reply = Reply::json(self.status(), json::write(&json!({ "error": self.to_string() })));
        if let Self::MutationByGet = self {
            reply.headers.insert(ALLOW, HeaderValue::from_static("POST, OPTIONS"));
        }
        reply
    }
}
