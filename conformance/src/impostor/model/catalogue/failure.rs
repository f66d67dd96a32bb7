//! Failures and how they are answered: `{ error: <text> }`, or the 401 of a credential.

use serde_json::{Value, json};

use super::super::clock;
use super::body::drop_key;
use super::{Area, Exchange, SERVICE, area};
use crate::impostor::http::Reply;

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

    /// 404 of a path.
    pub(crate) fn unknown_path() -> Self {
        Self::new(404, "Route not found")
    }

    /// 404 of a book.
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
    pub(crate) fn render(&self, exchange: &Exchange<'_>) -> Reply {
        if let Some(code) = self.code {
            return self.render_denied(exchange, code);
        }
        let mut body = json!({"error": self.text});
        let path = exchange.path();
        match (self.status, area(&path)) {
            (400, Area::Books) if exchange.on("book-400-as-object") => {
                body = json!({"error": {"mensaje": self.text}});
            }
            (400, Area::Auth) if exchange.on("auth-400-has-code") => {
                body = json!({"error": self.text, "codigo": "BAD_REQUEST"});
            }
            (400, Area::TwoFactor) if exchange.on("two-factor-400-says-message") => {
                body = json!({"message": self.text});
            }
            (404, Area::Elsewhere) if exchange.on("unknown-path-names-path") => {
                body = json!({"error": self.text, "path": path});
            }
            (404, Area::Books) if exchange.on("unknown-book-says-mensaje") => {
                body = json!({"mensaje": self.text});
            }
            (404, Area::Auth) if exchange.on("auth-404-empty-text") => body = json!({"error": ""}),
            (404, Area::TwoFactor) if exchange.on("two-factor-404-as-object") => {
                body = json!({"error": {"codigo": "NOT_FOUND", "mensaje": self.text}});
            }
            (405, Area::Books) if exchange.on("book-405-lists-methods") => {
                body = json!({"error": self.text, "allowed": ["GET", "POST", "PUT", "DELETE"]});
            }
            (405, Area::Auth) if exchange.on("verify-405-says-message") => {
                body = json!({"message": self.text});
            }
            _ => {}
        }
        if exchange.on("request-id-in-errors")
            && let Some(id) = exchange.request.header("x-request-id")
        {
            body["requestId"] = Value::from(id);
        }
        exchange.dress(self.status).body(&body).done()
    }

    fn render_denied(&self, exchange: &Exchange<'_>, code: &'static str) -> Reply {
        let mut error = json!({
            "codigo": code,
            "mensaje": self.text,
            "timestamp": clock::iso(exchange.now()),
        });
        if exchange.on("401-has-path") {
            error["path"] = Value::from(exchange.path());
        }
        if exchange.on("401-lacks-timestamp") {
            drop_key(&mut error, "timestamp");
        }
        if exchange.on("401-mensaje-empty") {
            error["mensaje"] = json!("");
        }
        if exchange.on("401-timestamp-without-milliseconds") {
            error["timestamp"] = json!(clock::format(exchange.now(), "%Y-%m-%dT%H:%M:%SZ"));
        }
        if exchange.on("401-timestamp-a-number") {
            error["timestamp"] = json!(exchange.now());
        }
        let body = if exchange.on("401-flat") { error } else { json!({"error": error}) };
        let scheme = exchange.pick("401-challenges-basic", "Basic", "Bearer");
        let key_refused = code == "API_KEY_INVALIDA" && exchange.on("key-refused-with-403");
        let status = if key_refused { 403 } else { 401 };
        let mut dress = exchange.dress(status).body(&body);
        if !exchange.reads("401-with-charset") {
            dress = dress.header("Content-Type", "application/json");
        }
        let silent = exchange.on("401-without-challenge")
            || exchange.on("key-401-without-challenge") && code == "API_KEY_INVALIDA";
        if !silent {
            let realm = if exchange.on("challenge-without-realm") {
                scheme.to_owned()
            } else {
                let quote = if exchange.reads("realm-quoted") { "\"" } else { "" };
                format!("{scheme} realm={quote}{SERVICE}{quote}")
            };
            dress = dress.header("WWW-Authenticate", realm);
        }
        let mut reply = dress.done();
        if exchange.reads("401-bare") {
            let own = |name: &str| matches!(name, "Content-Type" | "WWW-Authenticate");
            reply.headers.retain(|(name, _)| own(name));
        }
        reply
    }
}
