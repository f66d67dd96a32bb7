//! Failures and how they are answered: `{ error: <text> }`, or the 401 of a credential.

use serde_json::json;

use super::request_context::{RequestContext, SERVICE};
use crate::clock;
use crate::message::Reply;

/// A handler's reply or failure.
pub(crate) type Outcome = Result<Reply, Failure>;

/// What went wrong.
#[derive(Debug)]
pub(crate) struct Failure {
    status: u16,
    /// Of a 401 only.
    code: Option<&'static str>,
    text: String,
}

impl Failure {
    /// Any status with a text.
    pub(crate) fn new(status: u16, text: &str) -> Self {
        Self { status, code: None, text: text.to_owned() }
    }

    /// 400
    pub(crate) fn bad(text: &str) -> Self {
        Self::new(400, text)
    }

    pub(crate) fn unknown_path() -> Self {
        Self::new(404, "Route not found")
    }

    pub(crate) fn unknown_book() -> Self {
        Self::new(404, "Book not found")
    }

    /// 405
    pub(crate) fn not_allowed() -> Self {
        Self::new(405, "Method not allowed")
    }

    /// 401
    pub(crate) fn denied(code: &'static str, text: &str) -> Self {
        Self { status: 401, code: Some(code), text: text.to_owned() }
    }

    /// The reply it becomes.
    pub(crate) fn render(&self, cx: &RequestContext<'_>) -> Reply {
        let Some(code) = self.code else {
            return cx.reply(self.status).body(&json!({"error": self.text})).build();
        };
        let timestamp = clock::iso(cx.now());
        let error = json!({"codigo": code, "mensaje": self.text, "timestamp": timestamp});
        let reply = cx.reply(self.status).body(&json!({"error": error}));
        let reply = reply.header("Content-Type", "application/json");
        reply.header("WWW-Authenticate", format!("Bearer realm={SERVICE}")).build()
    }
}
