//! What the catalogue's handlers are given (a request, the state, the steps) and return (a reply or a failure). Answers nothing.

use serde_json::{Map, Value, json};

use super::headers::common;
use crate::clock::iso;
use crate::js;
use crate::message::{Reply, Request};
use crate::refusals::NOT_JSON;
use crate::state::State;
use crate::steps::Steps;

/// The service's name: realm of WWW-Authenticate and issuer of otpauth URLs.
pub(crate) const SERVICE: &str = "LibraryCatalogueService";

/// The JSON key of the principal in login and API-key answers, as the documents print it.
pub(crate) const SERVICE_KEY: &str = "the service";

pub(crate) struct RequestContext<'a> {
    pub(crate) steps: &'a Steps,
    pub(crate) state: &'a mut State,
    pub(crate) request: &'a Request,
}

impl RequestContext<'_> {
    pub(crate) fn now(&self) -> i64 {
        self.request.now
    }

    /// A reply with this body and the common header groups.
    pub(crate) fn reply(&self, status: u16, body: &Value) -> Reply {
        Reply { body: js::stringify(body).into_bytes(), ..common(self.request, status) }
    }

    /// The fields of the body.
    /// Errors: 400 if it is empty, not JSON, or not an object.
    pub(crate) fn fields(&self) -> Result<Map<String, Value>, Failure> {
        match js::parse(&self.request.body) {
            Ok(Value::Object(fields)) => Ok(fields),
            Ok(_) => Err(Failure::bad("the body must be a JSON object")),
            Err(_) => Err(Failure::bad(NOT_JSON)),
        }
    }
}

pub(crate) type Outcome = Result<Reply, Failure>;

/// A refusal: `{ error: <text> }`, or the 401 of a credential.
#[derive(Debug)]
pub(crate) struct Failure {
    status: u16,
    /// Only a 401 has a code.
    code: Option<&'static str>,
    text: &'static str,
}

impl Failure {
    pub(crate) const UNKNOWN_PATH: Self = Self { status: 404, code: None, text: "Route not found" };
    pub(crate) const UNKNOWN_BOOK: Self = Self { status: 404, code: None, text: "Book not found" };
    pub(crate) const NOT_ALLOWED: Self = Self { status: 405, code: None, text: "Method not allowed" };

    pub(crate) const fn bad(text: &'static str) -> Self {
        Self { status: 400, code: None, text }
    }

    pub(crate) const fn denied(code: &'static str, text: &'static str) -> Self {
        Self { status: 401, code: Some(code), text }
    }

    pub(crate) fn render(&self, cx: &RequestContext<'_>) -> Reply {
        let Some(code) = self.code else {
            return cx.reply(self.status, &json!({"error": self.text}));
        };
        let error = json!({"codigo": code, "mensaje": self.text, "timestamp": iso(cx.now())});
        let mut reply = cx.reply(self.status, &json!({"error": error}));
        reply.set("Content-Type", "application/json");
        reply.set("WWW-Authenticate", &format!("Bearer realm={SERVICE}"));
        reply
    }
}
