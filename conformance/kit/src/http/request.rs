//! Builds a request and sends it in several ways.

use std::time::Duration;

use serde_json::Value;

use crate::http::client::Client;
use crate::http::connection::{BODY_BYTES_MAX, Connection};
use crate::http::exchange::{Exchange, Received, Sent};
use crate::http::reply::Reply;
use crate::implementation::profile::{Address, Interface};
use crate::verdict::CaseError;

pub fn percent_encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// JavaScript's `encodeURIComponent`.
pub fn encode_component(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.!~*'()".contains(c);
    text.chars().map(|c| if is_plain(c) { c.to_string() } else { percent_encoded(&c.to_string()) }).collect()
}

#[derive(Debug, Clone)]
#[must_use]
pub struct Request<'c> {
    client: &'c Client,
    /// `send` returns the error if there is no address to send it to.
    sent: Result<Sent, CaseError>,
    answer_bytes_max: usize,
    creates_no_user: bool,
}

impl<'c> Request<'c> {
    pub fn new(
        client: &'c Client,
        (interface, address): (Interface, Result<Address, CaseError>),
        method: &str,
        path: &str,
    ) -> Self {
        let sent = address.map(|at| Sent { interface: Some(interface), ..Sent::new(method, &at, path) });
        Self { client, sent, answer_bytes_max: BODY_BYTES_MAX, creates_no_user: false }
    }

    fn with(self, change: impl FnOnce(Sent) -> Sent) -> Self {
        Self { sent: self.sent.map(change), ..self }
    }

    /// Marks a request that must be refused: it creates no user, so it takes no turn among those that do.
    pub fn creating_no_user(self) -> Self {
        Self { creates_no_user: true, ..self }
    }

    /// Adds a header line. A value that the implementation issued with a line end in it blocks the case.
    pub fn header(self, name: &str, value: &str) -> Self {
        if value.contains(['\r', '\n']) {
            let blocked = CaseError::blocked(format!("sending {name}"), format!("{value:?} holds the end of a line"));
            return Self { sent: Err(blocked), ..self };
        }
        self.header_bytes(name, value.as_bytes())
    }

    /// Adds a header line whose value need not be UTF-8.
    pub fn header_bytes(self, name: &str, value: &[u8]) -> Self {
        self.with(|sent| sent.header(name, value))
    }

    pub fn key(self, key: &str) -> Self {
        self.header("X-API-Key", key)
    }

    pub fn bearer(self, token: &str) -> Self {
        self.header("Authorization", &format!("Bearer {token}"))
    }

    pub fn jwt(self, token: &str) -> Self {
        self.header("Authorization", &format!("JWT {token}"))
    }

    pub fn json(self, body: &Value) -> Self {
        self.bytes_as_json(body.to_string().as_bytes())
    }

    /// As [`Self::json`] for methods with a body; does nothing for others.
    pub fn json_where_due(self, body: &Value) -> Self {
        self.with(|sent| if matches!(sent.method.as_str(), "POST" | "PUT" | "PATCH") { sent.json(body) } else { sent })
    }

    /// Sends these bytes with the type of JSON, whether or not they are JSON.
    pub fn bytes_as_json(self, body: &[u8]) -> Self {
        self.body_of_type(Some("application/json"), body)
    }

    pub fn body_of_type(self, media_type: Option<&str>, body: &[u8]) -> Self {
        let typed = if let Some(media_type) = media_type { self.header("Content-Type", media_type) } else { self };
        typed.with(|sent| Sent { body: Some(body.into()), ..sent })
    }

    /// Reads answers of up to `bytes`, for answers that repeat a long request.
    pub fn answered_within(self, bytes: usize) -> Self {
        Self { answer_bytes_max: bytes, ..self }
    }

    pub fn send(self) -> Result<Reply, CaseError> {
        let client = self.client;
        let exchange = self.exchange_unrecorded()?;
        client.record(&exchange);
        Reply::new(exchange, client.rules)
    }

    /// Sends it on its own connection, asking to close it; returns the reply and the bytes that follow it.
    pub fn send_and_close(self) -> Result<(Reply, Vec<u8>), CaseError> {
        const PATIENCE: Duration = Duration::from_secs(1);
        let client = self.client;
        let mut after = Vec::new();
        let reply = self.header("Connection", "close").send_by(|sent| {
            let mut connection = Connection::open(&sent.address, client.timeout)?;
            let (received, _) = connection.exchange(sent, client.timeout)?;
            after = connection.remaining(PATIENCE);
            Ok(received)
        })?;
        Ok((reply, after))
    }

    /// Sends it with the caller's `transfer`, not over a kept connection.
    pub fn send_by(self, transfer: impl FnOnce(&Sent) -> std::io::Result<Received>) -> Result<Reply, CaseError> {
        let client = self.client;
        let exchange = client.exchange_by(self.sent?, transfer);
        client.record(&exchange);
        Reply::new(exchange, client.rules)
    }

    pub fn timeout(&self) -> Duration {
        self.client.timeout
    }

    /// Sends it without recording it: for cleaning up, and for the many requests of generated cases.
    pub fn exchange_unrecorded(self) -> Result<Exchange, CaseError> {
        let sent = self.sent?;
        let makes_user = !self.creates_no_user && sent.may_make_a_user();
        self.client.exchange(sent, self.answer_bytes_max, makes_user)
    }

    pub fn send_unrecorded(self) -> Result<Reply, CaseError> {
        let rules = self.client.rules;
        Reply::new(self.exchange_unrecorded()?, rules)
    }
}
