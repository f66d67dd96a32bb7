//! What a run stands on, looked at before it begins: the four credentials of the profile. Judges no rule.

use std::io::{self, ErrorKind};
use std::time::Duration;

use serde_json::json;

use crate::http::connection::Connection;
use crate::http::exchange::{Received, Sent};
use crate::target::profile::{Address, Interface, Login, Target};

/// Why a run need not begin.
#[derive(Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A credential is refused: the line of the profile to mend, and what came.
    Credential(String),
    /// The target takes connections and answers none of the requests.
    Silence(String),
}

/// Looks whether the target answers at all, and takes the profile's credentials.
///
/// # Errors
/// What keeps a run from saying anything worth reading.
pub fn credentials(target: &Target, timeout: Duration) -> Result<(), Refusal> {
    let own = &target.credentials;
    let mut silence = None;
    let mut has_answered = false;
    for (line, key) in [("test_key", &own.test_key), ("admin_key", &own.admin_key)] {
        let headers = vec![("X-API-Key".to_owned(), key.as_bytes().to_vec())];
        match ask(target, "GET", "/libros?limit=1", headers, None, timeout) {
            Ok(received) if received.status == 401 => {
                let why = format!("`{line}` under [credentials] is refused: GET /libros with it answers 401");
                return Err(Refusal::Credential(why));
            }
            Ok(_) => has_answered = true,
            // More than is read is an answer, if a wrong one.
            Err(why) if why.kind() == ErrorKind::FileTooLarge => has_answered = true,
            Err(why) => {
                silence = Some(why.to_string());
                // To ask again would only take as long again.
                if why.kind() == ErrorKind::TimedOut {
                    break;
                }
            }
        }
    }
    if let Some(why) = silence.filter(|_| !has_answered) {
        let url = target.address(Interface::Catalogue).map(Address::url).unwrap_or_default();
        return Err(Refusal::Silence(format!("GET {url}/libros has no answer that can be read: {why}")));
    }
    let mut roles = Vec::new();
    for (line, login) in [("admin_user", &own.admin_user), ("regular_user", &own.regular_user)] {
        // What else goes wrong the cases tell better.
        let Ok(received) = log_in(target, login, timeout) else {
            break;
        };
        roles.push(received.json().unwrap_or_default()[&target.principal]["role"].clone());
        if matches!(received.status, 400 | 401) {
            let text: String = received.text().chars().take(200).collect();
            let status = received.status;
            return Err(Refusal::Credential(format!(
                "`{line}` under [credentials] cannot log in: POST /auth/login as {} answers {status} {text}{}",
                login.email,
                address_hint(target)
            )));
        }
    }
    if roles == ["user", "admin"] {
        let why = "`admin_user` and `regular_user` under [credentials] are exchanged: the first logs in as user, the other as admin";
        return Err(Refusal::Credential(why.to_owned()));
    }
    if are_keys_exchanged(target, timeout) {
        let why = "`test_key` and `admin_key` under [credentials] are exchanged: DELETE is refused to the admin's and not to the other";
        return Err(Refusal::Credential(why.to_owned()));
    }
    Ok(())
}

/// Whether the permission to delete is with the key that should lack it, and not with the other; asked with an id nobody has.
fn are_keys_exchanged(target: &Target, timeout: Duration) -> bool {
    const NOBODY: &str = "/libros/2147483647";
    let own = &target.credentials;
    let status = |method: &str, key: &str| {
        let headers = vec![("X-API-Key".to_owned(), key.as_bytes().to_vec())];
        ask(target, method, NOBODY, headers, None, timeout).ok().map(|received| received.status)
    };
    let answers =
        |key: &str, to_delete: u16| status("GET", key) == Some(404) && status("DELETE", key) == Some(to_delete);
    answers(&own.admin_key, 401) && answers(&own.test_key, 404)
}

/// The address of the books in the place of the catalogue's lists books, and logs nobody in.
fn address_hint(target: &Target) -> &'static str {
    let is_of_books = target.address(Interface::Catalogue).is_some_and(|address| address.prefix.ends_with("/libros"));
    if is_of_books { "; is `catalogue` under [urls] the address before /libros?" } else { "" }
}

fn log_in(target: &Target, login: &Login, timeout: Duration) -> io::Result<Received> {
    let body = json!({ "email": login.email, "password": login.password }).to_string();
    let headers = vec![("Content-Type".to_owned(), b"application/json".to_vec())];
    ask(target, "POST", "/auth/login", headers, Some(body.into_bytes()), timeout)
}

/// What the catalogue answers.
fn ask(
    target: &Target,
    method: &str,
    path: &str,
    headers: Vec<(String, Vec<u8>)>,
    body: Option<Vec<u8>>,
    timeout: Duration,
) -> io::Result<Received> {
    let address = target.address(Interface::Catalogue).ok_or(ErrorKind::NotFound)?.clone();
    let mut connection = Connection::open(&address, timeout)?;
    let path = format!("{}{path}", address.prefix);
    let sent = Sent { method: method.to_owned(), address, path, headers, body };
    connection.exchange(&sent, timeout).map(|(received, _)| received)
}

#[cfg(test)]
mod tests {
    use std::mem::swap;

    use super::*;
    use crate::impostor::{Impostor, Options};
    use crate::target::process::REFERENCE_PROFILE;

    #[test]
    fn exchanged_credentials_are_told_apart_from_wrong_ones() {
        const TIMEOUT: Duration = Duration::from_secs(10);
        let impostor = Impostor::start(Options::default()).unwrap();
        let url = impostor.urls().catalogue;
        let told = |exchange: &dyn Fn(&mut Target)| {
            let mut target = Target::parse(REFERENCE_PROFILE).unwrap();
            target.place_only(&[("catalogue".to_owned(), url.clone())].into()).unwrap();
            exchange(&mut target);
            credentials(&target, TIMEOUT).map_err(|refusal| match refusal {
                Refusal::Credential(why) | Refusal::Silence(why) => why,
            })
        };
        assert_eq!(told(&|_| ()), Ok(()));
        let users = told(&|target| {
            let own = &mut target.credentials;
            swap(&mut own.admin_user, &mut own.regular_user);
        });
        assert!(users.unwrap_err().contains("`admin_user` and `regular_user` under [credentials] are exchanged"));
        let keys = told(&|target| {
            let own = &mut target.credentials;
            swap(&mut own.test_key, &mut own.admin_key);
        });
        assert!(keys.unwrap_err().contains("`test_key` and `admin_key` under [credentials] are exchanged"));
        let wrong = told(&|target| target.credentials.test_key.push('0'));
        assert!(wrong.unwrap_err().contains("`test_key` under [credentials] is refused"));
    }
}
