//! The named mixes: what each sends, and which answer it wants. Sends nothing but what it must prepare.

use std::time::Duration;

use serde_json::{Value, json};

use crate::http::connection::Connection;
use crate::http::exchange::{Received, Sent};
use crate::target::profile::{Address, Interface, Target};

/// What is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Mix {
    /// The first page of the list, again and again
    List,
    /// Lists of three kinds, filtered, searched, sorted, of which no two are alike
    Query,
    /// One book by its id
    Read,
    /// New books; deleted afterwards
    Create,
    /// Logins of the regular user
    Login,
}

impl Mix {
    /// All of them, the reading ones first.
    pub(crate) const ALL: [Self; 5] = [Self::List, Self::Query, Self::Read, Self::Create, Self::Login];

    /// Its name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::List => "list",
            Self::Query => "query",
            Self::Read => "read",
            Self::Create => "create",
            Self::Login => "login",
        }
    }

    fn status(self) -> u16 {
        if self == Self::Create { 201 } else { 200 }
    }
}

/// A mix made ready for a target.
#[derive(Debug, Clone)]
pub(super) struct Prepared {
    /// Of replicas all, of which each connection keeps to one; never none.
    addresses: Vec<Address>,
    sending: Sending,
    key: String,
    login: Value,
    nonce: String,
    /// The book that is read, made for it.
    pub(super) book: Option<u64>,
}

#[derive(Debug, Clone)]
enum Sending {
    Mix(Mix),
    Deletes(Vec<u64>),
}

impl Prepared {
    /// Makes what the mix needs, and sends its first request once to see that it is answered.
    pub(super) fn new(target: &Target, mix: Mix, nonce: &str, timeout: Duration) -> Result<Self, String> {
        let places = target.addresses().filter(|(interface, _)| *interface == Interface::Catalogue);
        let addresses: Vec<Address> = places.map(|(_, address)| address.clone()).collect();
        if addresses.is_empty() {
            return Err("the target names no catalogue".to_owned());
        }
        let user = &target.credentials.regular_user;
        let mut prepared = Self {
            addresses,
            sending: Sending::Mix(mix),
            key: target.credentials.admin_key.clone(),
            login: json!({ "email": user.email, "password": user.password }),
            nonce: nonce.to_owned(),
            book: None,
        };
        if mix == Mix::Read {
            let made = prepared.send("POST", "/libros", Some(&prepared.new_book("read")), timeout)?;
            let id = made.json().and_then(|book| book.get("id")?.as_u64());
            let status = made.status;
            prepared.book =
                Some(id.ok_or_else(|| format!("creating a book to read is answered {status}, without an id"))?);
        } else if mix != Mix::Create {
            let (method, path, body) = prepared.asked(mix, u64::from(u32::MAX));
            let first = prepared.send(method, &path, body.as_ref(), timeout)?;
            if first.status != mix.status() {
                return Err(format!("{method} {path} is answered {}, and {} is wanted", first.status, mix.status()));
            }
        }
        Ok(prepared)
    }

    /// Deletes of books, at the same place.
    pub(super) fn deleting(&self, books: Vec<u64>) -> Self {
        Self { sending: Sending::Deletes(books), ..self.clone() }
    }

    /// `host:port`, for the connection of that number.
    pub(super) fn authority(&self, connection: usize) -> &str {
        &self.address(connection).authority
    }

    fn address(&self, connection: usize) -> &Address {
        &self.addresses[connection % self.addresses.len()]
    }

    /// How many requests there are; `None` where there is no end of them.
    pub(super) fn count(&self) -> Option<u64> {
        match &self.sending {
            Sending::Mix(_) => None,
            Sending::Deletes(books) => u64::try_from(books.len()).ok(),
        }
    }

    /// The bytes of a request, over the connection of that number.
    pub(super) fn request(&self, number: u64, connection: usize) -> Option<Vec<u8>> {
        let (method, path, body) = match &self.sending {
            Sending::Mix(mix) => self.asked(*mix, number),
            Sending::Deletes(books) => {
                ("DELETE", format!("/libros/{}", books.get(usize::try_from(number).ok()?)?), None)
            }
        };
        let Address { authority, prefix, .. } = self.address(connection);
        let key = &self.key;
        let mut text = format!("{method} {prefix}{path} HTTP/1.1\r\nHost: {authority}\r\n");
        if !path.starts_with("/auth/") {
            text.push_str(&format!("X-API-Key: {key}\r\n"));
        }
        match body {
            None => text.push_str("\r\n"),
            Some(body) => {
                let body = body.to_string();
                let length = body.len();
                text.push_str(&format!("Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"));
            }
        }
        Some(text.into_bytes())
    }

    /// What an answer is worth: the id of a book it created, or what was wrong.
    pub(super) fn look_at(&self, status: u16, body: impl FnOnce() -> Vec<u8>) -> Result<Option<u64>, String> {
        match self.sending {
            Sending::Deletes(_) => Ok(None),
            Sending::Mix(mix) if status != mix.status() => Err(format!("status {status}")),
            Sending::Mix(Mix::Create) => {
                let book = serde_json::from_slice::<Value>(&body()).ok();
                Ok(book.and_then(|book| book.get("id")?.as_u64()))
            }
            Sending::Mix(_) => Ok(None),
        }
    }

    fn asked(&self, mix: Mix, number: u64) -> (&'static str, String, Option<Value>) {
        let nonce = &self.nonce;
        match mix {
            Mix::List => ("GET", "/libros?limit=20".to_owned(), None),
            Mix::Query => {
                let path = match number % 3 {
                    0 => format!("/libros?autor=Jorge%20Luis%20Borges,{nonce}-{number}&sort=-titulo&limit=20"),
                    1 => format!("/libros?q={nonce}-{number}&limit=20"),
                    _ => format!("/libros?sort=autor,-titulo&fields=titulo,autor,{nonce}{number}&limit=20"),
                };
                ("GET", path, None)
            }
            Mix::Read => ("GET", format!("/libros/{}", self.book.unwrap_or_default()), None),
            Mix::Create => ("POST", "/libros".to_owned(), Some(self.new_book(&number.to_string()))),
            Mix::Login => ("POST", "/auth/login".to_owned(), Some(self.login.clone())),
        }
    }

    fn new_book(&self, name: &str) -> Value {
        json!({ "titulo": format!("Carga {} {name}", self.nonce), "autor": "Nadie", "paginas": 100, "lote": self.nonce })
    }

    /// One request by the client that judges, which repairs nothing.
    fn send(&self, method: &str, path: &str, body: Option<&Value>, timeout: Duration) -> Result<Received, String> {
        let mut headers = vec![("X-API-Key".to_owned(), self.key.clone().into_bytes())];
        if path.starts_with("/auth/") {
            headers.clear();
        }
        let body = body.map(|body| body.to_string().into_bytes());
        headers.extend(body.iter().map(|_| ("Content-Type".to_owned(), b"application/json".to_vec())));
        let address = self.address(0);
        let path = format!("{}{path}", address.prefix);
        let sent = Sent { method: method.to_owned(), address: address.clone(), path, headers, body };
        let exchange = || Connection::open(address, timeout)?.exchange(&sent, timeout);
        let (received, _) = exchange().map_err(|error| format!("{}: {error}; is the target up?", address.url()))?;
        Ok(received)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::process::REFERENCE_PROFILE;
    use std::collections::BTreeSet;

    fn prepared(mix: Mix) -> Prepared {
        let target = Target::parse(REFERENCE_PROFILE).unwrap();
        let addresses = vec![target.address(Interface::Catalogue).cloned().unwrap()];
        let (key, nonce) = ("ak_1".to_owned(), "n".to_owned());
        Prepared { addresses, sending: Sending::Mix(mix), key, login: json!({}), nonce, book: Some(7) }
    }

    #[test]
    fn no_two_queries_are_alike_and_every_list_is() {
        let distinct = |mix| (0..300).map(|number| prepared(mix).request(number, 0)).collect::<BTreeSet<_>>().len();
        assert_eq!(
            (distinct(Mix::Query), distinct(Mix::Create), distinct(Mix::List), distinct(Mix::Read)),
            (300, 300, 1, 1)
        );
    }

    #[test]
    fn another_status_is_an_error_and_a_created_book_is_remembered() {
        let create = prepared(Mix::Create);
        assert_eq!(create.look_at(201, || br#"{"id": 9}"#.to_vec()), Ok(Some(9)));
        assert_eq!(create.look_at(503, Vec::new), Err("status 503".to_owned()));
        let deleting = create.deleting(vec![9]);
        assert!(deleting.request(0, 0).unwrap().starts_with(b"DELETE /libros/9 ") && deleting.request(1, 0).is_none());
    }

    #[test]
    fn connections_are_shared_out_among_replicas() {
        let mut prepared = prepared(Mix::List);
        prepared.addresses = ["http://a:1", "http://b:2"].map(|url| Address::parse(url).unwrap()).into();
        assert_eq!([0, 1, 2].map(|connection| prepared.authority(connection)), ["a:1", "b:2", "a:1"]);
        let asked = String::from_utf8(prepared.request(0, 1).unwrap()).unwrap();
        assert!(asked.contains("Host: b:2"), "{asked}");
    }
}
