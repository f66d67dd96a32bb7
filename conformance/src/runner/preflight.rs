//! What a run stands on, looked at before it begins: the four credentials of the profile. Judges no rule.

use std::time::Duration;

use serde_json::json;

use crate::http::connection::Connection;
use crate::http::exchange::{Received, Sent};
use crate::target::profile::{Interface, Login, Target};

/// Looks whether the target takes the profile's credentials.
///
/// # Errors
/// The line of the profile to mend, and what came.
pub fn credentials(target: &Target, timeout: Duration) -> Result<(), String> {
    let own = &target.credentials;
    for (line, key) in [("test_key", &own.test_key), ("admin_key", &own.admin_key)] {
        let headers = vec![("X-API-Key".to_owned(), key.as_bytes().to_vec())];
        let answer = ask(target, "GET", "/libros?limit=1", headers, None, timeout);
        if let Some(status) = answer.map(|received| received.status).filter(|status| *status == 401) {
            return Err(format!("`{line}` under [credentials] is refused: GET /libros with it answers {status}"));
        }
    }
    for (line, login) in [("admin_user", &own.admin_user), ("regular_user", &own.regular_user)] {
        let Some(received) = log_in(target, login, timeout) else {
            continue;
        };
        if matches!(received.status, 400 | 401) {
            let text: String = received.text().chars().take(200).collect();
            let status = received.status;
            return Err(format!(
                "`{line}` under [credentials] cannot log in: POST /auth/login as {} answers {status} {text}",
                login.email
            ));
        }
    }
    Ok(())
}

fn log_in(target: &Target, login: &Login, timeout: Duration) -> Option<Received> {
    let body = json!({ "email": login.email, "password": login.password }).to_string();
    let headers = vec![("Content-Type".to_owned(), b"application/json".to_vec())];
    ask(target, "POST", "/auth/login", headers, Some(body.into_bytes()), timeout)
}

/// What the catalogue answers; nothing when it does not, which the cases will tell better.
fn ask(
    target: &Target,
    method: &str,
    path: &str,
    headers: Vec<(String, Vec<u8>)>,
    body: Option<Vec<u8>>,
    timeout: Duration,
) -> Option<Received> {
    let address = target.address(Interface::Catalogue)?.clone();
    let mut connection = Connection::open(&address.authority, timeout).ok()?;
    let path = format!("{}{path}", address.prefix);
    let sent = Sent { method: method.to_owned(), address, path, headers, body };
    connection.exchange(&sent, timeout).ok().map(|(received, _)| received)
}
