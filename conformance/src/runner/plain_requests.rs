//! Plain requests to the catalogue beside the cases, for what a run wants to know itself. In no report; judges nothing.

use std::io::{self, ErrorKind};
use std::time::Duration;

use serde_json::{Value, json};

use crate::http::connection::Connection;
use crate::http::exchange::{Received, Sent};
use crate::implementation::profile::{Interface, Login, Target};

/// The answer to a login.
pub(super) fn log_in(target: &Target, login: &Login, timeout: Duration) -> io::Result<Received> {
    let body = json!({ "email": login.email, "password": login.password }).to_string();
    let headers = vec![("Content-Type".to_owned(), b"application/json".to_vec())];
    ask(target, "POST", "/auth/login", headers, Some(body.into_bytes()), timeout)
}

/// What the catalogue answers.
pub(super) fn ask(
    target: &Target,
    method: &str,
    path: &str,
    headers: Vec<(String, Vec<u8>)>,
    body: Option<Vec<u8>>,
    timeout: Duration,
) -> io::Result<Received> {
    ask_at(target, Interface::Catalogue, (method, path), headers, body, timeout)
}

/// What another interface answers.
pub(super) fn ask_at(
    target: &Target,
    interface: Interface,
    (method, path): (&str, &str),
    headers: Vec<(String, Vec<u8>)>,
    body: Option<Vec<u8>>,
    timeout: Duration,
) -> io::Result<Received> {
    let address = target.address(interface).ok_or(ErrorKind::NotFound)?.clone();
    let mut connection = Connection::open(&address, timeout)?;
    let path = format!("{}{path}", address.prefix);
    let path = if path.is_empty() { "/".to_owned() } else { path };
    let sent = Sent { method: method.to_owned(), address, interface: None, path, headers, body };
    connection.exchange(&sent, timeout).map(|(received, _)| received)
}

/// The header of the session that a login issued; none where it issued none.
pub(super) fn bearer(login: &Value) -> Vec<(String, Vec<u8>)> {
    let token = login["tokens"]["sessionToken"].as_str();
    token.map(|token| ("Authorization".to_owned(), format!("Bearer {token}").into_bytes())).into_iter().collect()
}
