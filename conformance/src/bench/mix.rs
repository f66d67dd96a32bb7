//! The named mixes: their requests and the answers they want. Sends only what prepares a mix.

use std::fmt::Write as _;
use std::time::Duration;

use clap::ValueEnum;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::bench::answer::Answer;
use crate::http::connection::{Connection, request_bytes};
use crate::http::exchange::{Received, Sent};
use crate::implementation::profile::{Address, Target};

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Mix {
    /// The first page of the list, again and again
    List,
    /// Filtered, searched and sorted lists, each with another query
    Query,
    /// One book by its id
    Read,
    /// New books; deleted afterwards
    Create,
    /// Logins of the regular user
    Login,
}

impl Mix {
    pub(crate) fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    fn status(self) -> u16 {
        if self == Self::Create { 201 } else { 200 }
    }
}

/// Placeholder of the number in a request; as long as the number, so that `Content-Length` holds.
const NUMBER: &str = "<the-number>";

#[derive(Debug, Clone)]
pub(super) struct Prepared {
    /// The addresses of all replicas, at least one; each connection uses one of them.
    addresses: Vec<Address>,
    sending: Sending,
    /// By address: the kinds of requests, which take turns, each split at its number.
    templates: Vec<Vec<Vec<String>>>,
    key: String,
    login: Value,
    nonce: String,
    pub(super) book: Option<u64>,
}

#[derive(Debug, Clone)]
enum Sending {
    Mix(Mix),
    Deletes(Vec<u64>),
}

/// Method, path below the interface's prefix, and body.
type Asked = (&'static str, String, Option<Value>);

#[derive(Deserialize)]
struct Created {
    id: u64,
}

impl Prepared {
    /// Prepares the mix: creates the book to read, or sends the first request once and checks its status; tries no create.
    pub(super) fn new(target: &Target, mix: Mix, nonce: &str, timeout: Duration) -> Result<Self, String> {
        let addresses = target.catalogue_addresses();
        if addresses.is_empty() {
            return Err("the target names no catalogue".to_owned());
        }
        let user = &target.credentials.regular_user;
        let mut prepared = Self {
            addresses,
            sending: Sending::Mix(mix),
            templates: Vec::new(),
            key: target.credentials.admin_key.clone(),
            login: json!({ "email": user.email, "password": user.password }),
            nonce: nonce.to_owned(),
            book: None,
        };
        if mix == Mix::Read {
            let create = ("POST", "/libros".to_owned(), Some(prepared.new_book("read")));
            let made = prepared.send(&create, timeout)?;
            let id = made.json().and_then(|book| book.get("id")?.as_u64());
            let status = made.status;
            prepared.book =
                Some(id.ok_or_else(|| format!("creating a book to read is answered {status}, without an id"))?);
        } else if mix != Mix::Create {
            let first = &prepared.asked(mix, "first")[0];
            let Received { status, .. } = prepared.send(first, timeout)?;
            if status != mix.status() {
                let (method, path, _) = first;
                return Err(format!("{method} {path} is answered {status}, and {} is wanted", mix.status()));
            }
        }
        Ok(prepared.with_templates())
    }

    pub(super) fn deleting(&self, books: Vec<u64>) -> Self {
        Self { sending: Sending::Deletes(books), ..self.clone() }.with_templates()
    }

    fn with_templates(mut self) -> Self {
        let asked = match &self.sending {
            Sending::Mix(mix) => self.asked(*mix, NUMBER),
            Sending::Deletes(_) => vec![("DELETE", format!("/libros/{NUMBER}"), None)],
        };
        let template = |address, asked| -> Vec<String> {
            let request = request_bytes(&self.sent(address, asked));
            String::from_utf8_lossy(&request).split(NUMBER).map(str::to_owned).collect()
        };
        let kinds = |address| asked.iter().map(|asked| template(address, asked)).collect();
        self.templates = self.addresses.iter().map(kinds).collect();
        self
    }

    pub(super) fn count(&self) -> Option<u64> {
        match &self.sending {
            Sending::Mix(_) => None,
            Sending::Deletes(books) => Some(books.len() as u64),
        }
    }

    /// Replaces the content of `request` by the request with this number for this connection.
    pub(super) fn write(&self, number: u64, connection: usize, request: &mut String) {
        let kinds = &self.templates[connection % self.templates.len()];
        let index = usize::try_from(number).unwrap_or_default();
        let (number, digits) = match &self.sending {
            Sending::Mix(_) => (number, NUMBER.len()),
            Sending::Deletes(books) => (books[index], 0),
        };
        request.clear();
        for (index, piece) in kinds[index % kinds.len()].iter().enumerate() {
            if index > 0 {
                // Writing to a text cannot fail.
                _ = write!(request, "{number:0digits$}");
            }
            request.push_str(piece);
        }
    }

    pub(super) fn authorities(&self) -> impl Iterator<Item = &str> {
        self.addresses.iter().map(|address| address.authority.as_str())
    }

    /// Whether [`Self::look_at`] reads bodies: creations return the ids of new books.
    pub(super) fn wants_bodies(&self) -> bool {
        matches!(self.sending, Sending::Mix(Mix::Create))
    }

    pub(super) fn look_at(&self, answer: &Answer) -> Result<Option<u64>, String> {
        match self.sending {
            Sending::Mix(mix) if answer.status != mix.status() => Err(format!("status {}", answer.status)),
            Sending::Mix(Mix::Create) => Ok(serde_json::from_slice::<Created>(&answer.body).ok().map(|book| book.id)),
            Sending::Deletes(_) if !matches!(answer.status, 204 | 404) => Err(format!("status {}", answer.status)),
            _ => Ok(None),
        }
    }

    /// The kinds of requests of a mix; `number` tells one from another.
    fn asked(&self, mix: Mix, number: &str) -> Vec<Asked> {
        let nonce = &self.nonce;
        let get = |path: String| ("GET", path, None);
        match mix {
            Mix::List => vec![get("/libros?limit=20".to_owned())],
            Mix::Query => vec![
                get(format!("/libros?autor=Jorge%20Luis%20Borges,{nonce}-{number}&sort=-titulo&limit=20")),
                get(format!("/libros?q={nonce}-{number}&limit=20")),
                get(format!("/libros?sort=autor,-titulo&fields=titulo,autor,{nonce}{number}&limit=20")),
            ],
            Mix::Read => vec![get(format!("/libros/{}", self.book.unwrap_or_default()))],
            Mix::Create => vec![("POST", "/libros".to_owned(), Some(self.new_book(number)))],
            Mix::Login => vec![("POST", "/auth/login".to_owned(), Some(self.login.clone()))],
        }
    }

    fn new_book(&self, name: &str) -> Value {
        json!({ "titulo": format!("Carga {} {name}", self.nonce), "autor": "Nadie", "paginas": 100, "lote": self.nonce })
    }

    fn sent(&self, address: &Address, (method, path, body): &Asked) -> Sent {
        let sent = Sent::new(method, address, path);
        let sent = if path.starts_with("/auth/") { sent } else { sent.header("X-API-Key", self.key.as_str()) };
        body.iter().fold(sent, Sent::json)
    }

    fn send(&self, asked: &Asked, timeout: Duration) -> Result<Received, String> {
        let address = &self.addresses[0];
        let exchange = || Connection::open(address, timeout)?.exchange(&self.sent(address, asked), timeout);
        let (received, _) = exchange().map_err(|error| format!("{}: {error}; is the target up?", address.url()))?;
        Ok(received)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::implementation::profile::Interface;
    use crate::implementation::reference::REFERENCE_PROFILE;
    use std::collections::BTreeSet;

    fn prepared(mix: Mix) -> Prepared {
        let target = Target::parse(REFERENCE_PROFILE).unwrap();
        let addresses = vec![target.address(Interface::Catalogue).cloned().unwrap()];
        let (key, nonce) = ("ak_1".to_owned(), "n".to_owned());
        let (sending, templates) = (Sending::Mix(mix), Vec::new());
        Prepared { addresses, sending, templates, key, login: json!({}), nonce, book: Some(7) }.with_templates()
    }

    fn request(prepared: &Prepared, number: u64, connection: usize) -> String {
        let mut request = "before".to_owned();
        prepared.write(number, connection, &mut request);
        request
    }

    #[test]
    fn no_two_queries_are_alike_and_every_list_is() {
        let distinct = |mix| (0..300).map(|number| request(&prepared(mix), number, 0)).collect::<BTreeSet<_>>().len();
        assert_eq!(
            (distinct(Mix::Query), distinct(Mix::Create), distinct(Mix::List), distinct(Mix::Read)),
            (300, 300, 1, 1)
        );
    }

    #[test]
    fn connections_are_shared_out_among_replicas() {
        let mut prepared = prepared(Mix::List);
        prepared.addresses = ["http://a:1", "http://b:2"].map(|url| Address::parse(url).unwrap()).into();
        let prepared = prepared.with_templates();
        assert_eq!(prepared.authorities().collect::<Vec<_>>(), ["a:1", "b:2"]);
        for (connection, host) in ["Host: a:1", "Host: b:2", "Host: a:1"].into_iter().enumerate() {
            let asked = request(&prepared, 0, connection);
            assert!(asked.contains(host), "{asked}");
        }
    }
}
