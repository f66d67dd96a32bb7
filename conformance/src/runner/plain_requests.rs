//! Requests that the run sends for itself, beside those of its cases. No report shows them. Judges nothing.

use std::io::{self, ErrorKind};
use std::time::Duration;

use serde_json::{Value, json};

use crate::http::connection::Connection;
use crate::http::exchange::{Received, Sent};
use crate::implementation::profile::{Interface, Login, Target};

pub(super) fn log_in(target: &Target, login: &Login, timeout: Duration) -> io::Result<Received> {
    let body = json!({ "email": login.email, "password": login.password });
    ask(target, Interface::Catalogue, ("POST", "/auth/login"), timeout, |sent| sent.json(&body))
}

/// What the catalogue answers to a request with an API key.
pub(super) fn ask_with_key(
    target: &Target,
    (method, path): (&str, &str),
    key: &str,
    timeout: Duration,
) -> io::Result<Received> {
    ask(target, Interface::Catalogue, (method, path), timeout, |sent| sent.header("X-API-Key", key))
}

/// What an interface answers to a request, `with` headers and a body.
pub(super) fn ask(
    target: &Target,
    interface: Interface,
    (method, path): (&str, &str),
    timeout: Duration,
    with: impl FnOnce(Sent) -> Sent,
) -> io::Result<Received> {
    let address = target.address(interface).ok_or(ErrorKind::NotFound)?;
    let sent = with(Sent::new(method, address, path));
    Connection::open(address, timeout)?.exchange(&sent, timeout).map(|(received, _)| received)
}

/// Adds the session that a login issued, if it issued one.
pub(super) fn with_session(sent: Sent, login: &Value) -> Sent {
    match login["tokens"]["sessionToken"].as_str() {
        Some(token) => sent.header("Authorization", format!("Bearer {token}")),
        None => sent,
    }
}
