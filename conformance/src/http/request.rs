//! A request being put together, and the ways to send it.

use std::time::Duration;

use serde_json::Value;

use crate::clock;
use crate::context::case_context::CaseContext;
use crate::contract::verdict::CaseError;
use crate::http::connection::Connection;
use crate::http::exchange::{Exchange, Sent};
use crate::http::reply::Reply;
use crate::target::profile::Address;

/// A text with every byte of it percent-encoded, plain letters too.
pub fn percent_encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// A request being put together.
#[derive(Debug)]
pub struct Request<'t, 'a> {
    cx: &'t CaseContext<'a>,
    address: Result<Address, CaseError>,
    method: String,
    path: String,
    headers: Vec<(String, Vec<u8>)>,
    body: Option<Vec<u8>>,
}

impl<'t, 'a> Request<'t, 'a> {
    pub(crate) fn new(cx: &'t CaseContext<'a>, address: Result<Address, CaseError>, method: &str, path: &str) -> Self {
        Self { cx, address, method: method.into(), path: path.into(), headers: Vec::new(), body: None }
    }

    /// Speaks to the host alone, not to the interface's own path.
    pub(crate) fn forget_prefix(&mut self) {
        if let Ok(address) = &mut self.address {
            address.prefix.clear();
        }
    }

    /// Adds a header line; several of one name are sent as several lines.
    #[must_use]
    pub fn header(self, name: &str, value: &str) -> Self {
        self.header_bytes(name, value.as_bytes())
    }

    /// Adds a header line whose value need not be text.
    #[must_use]
    pub fn header_bytes(mut self, name: &str, value: &[u8]) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// Authenticates with an API key.
    #[must_use]
    pub fn key(self, key: &str) -> Self {
        self.header("X-API-Key", key)
    }

    /// Authenticates with a session token.
    #[must_use]
    pub fn bearer(self, token: &str) -> Self {
        self.header("Authorization", &format!("Bearer {token}"))
    }

    /// Authenticates with a JWT-style token.
    #[must_use]
    pub fn jwt(self, token: &str) -> Self {
        self.header("Authorization", &format!("JWT {token}"))
    }

    /// Sends a JSON body.
    #[must_use]
    pub fn json(self, body: &Value) -> Self {
        self.header("Content-Type", "application/json").body(body.to_string().as_bytes())
    }

    /// Sends these bytes as the body.
    #[must_use]
    pub fn body(mut self, body: &[u8]) -> Self {
        self.body = Some(body.into());
        self
    }

    /// Sends it and waits for the answer.
    ///
    /// # Errors
    /// [`CaseError::NoAnswer`] when none comes that can be read.
    pub fn send(self) -> Result<Reply, CaseError> {
        let cx = self.cx;
        let exchange = self.send_unrecorded()?;
        cx.record(exchange.clone());
        Reply::of(exchange, cx)
    }

    /// Sends it on a connection of its own, asking for that to be closed; the answer, and the bytes that came after its end.
    ///
    /// # Errors
    /// As [`Self::send`].
    pub fn send_and_close(self) -> Result<(Reply, Vec<u8>), CaseError> {
        const PATIENCE: Duration = Duration::from_secs(1);
        let cx = self.cx;
        let timeout = cx.setting().timeout;
        let request = self.header("Connection", "close");
        let sent = request.into_sent()?;
        let started = clock::stopwatch();
        let sent_at_ms = clock::unix_ms();
        let mut after = Vec::new();
        let received = cx.letting_go(&sent, || {
            let mut connection = Connection::open(&sent.address.authority, timeout)?;
            let (received, _) = connection.exchange(&sent, timeout)?;
            after = connection.remaining(PATIENCE);
            Ok::<_, std::io::Error>(received)
        });
        let duration_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        let received = received.map_err(|error| error.to_string());
        let exchange = Exchange { sent, received, duration_ms, sent_at_ms };
        cx.record(exchange.clone());
        Ok((Reply::of(exchange, cx)?, after))
    }

    /// The trial it belongs to.
    pub(crate) fn cx(&self) -> &'t CaseContext<'a> {
        self.cx
    }

    /// Sends it without adding to the case's record: for tidying up and for the many requests of generated cases.
    ///
    /// # Errors
    /// Only [`CaseError::Broken`]: a failed transfer is in the exchange.
    pub fn send_unrecorded(self) -> Result<Exchange, CaseError> {
        let cx = self.cx;
        cx.exchange(self.into_sent()?)
    }

    pub(crate) fn into_sent(self) -> Result<Sent, CaseError> {
        let address = self.address?;
        let path = format!("{}{}", address.prefix, self.path);
        let path = if path.is_empty() { "/".to_owned() } else { path };
        Ok(Sent { method: self.method, address, path, headers: self.headers, body: self.body })
    }
}
