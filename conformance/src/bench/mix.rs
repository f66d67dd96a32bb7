//! The named mixes: their requests and the answers they want. Sends only what prepares a mix.

use std::borrow::Cow;
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::bench::requests::{NUMBER, Requests, Template};
use crate::http::connection::{Connection, request_bytes};
use crate::http::exchange::{Received, Sent};
use crate::implementation::profile::{Address, Interface, Target};

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
    pub(crate) const ALL: [Self; 5] = [Self::List, Self::Query, Self::Read, Self::Create, Self::Login];

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

/// A mix prepared for an implementation.
#[derive(Debug, Clone)]
pub(super) struct Prepared {
    /// The addresses of all replicas, never none; each connection keeps to one.
    addresses: Vec<Address>,
    sending: Sending,
    key: String,
    login: Value,
    nonce: String,
    /// The book created for reading.
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
    /// Prepares the mix and sends its first request once to check the answer.
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
        Ok(prepared)
    }

    /// Requests that delete books, to the same addresses.
    pub(super) fn deleting(&self, books: Vec<u64>) -> Self {
        Self { sending: Sending::Deletes(books), ..self.clone() }
    }

    pub(super) fn authorities(&self) -> impl Iterator<Item = &str> {
        self.addresses.iter().map(|address| address.authority.as_str())
    }

    pub(super) fn requests(&self) -> Requests {
        let (asked, ids) = match &self.sending {
            Sending::Mix(mix) => (self.asked(*mix, NUMBER), None),
            Sending::Deletes(books) => (vec![("DELETE", format!("/libros/{NUMBER}"), None)], Some(books.clone())),
        };
        let template = |address, asked| Template::new(&request_bytes(&self.sent(address, asked)));
        let kinds = |address| asked.iter().map(|asked| template(address, asked)).collect();
        Requests { by_address: self.addresses.iter().map(kinds).collect(), ids }
    }

    /// The id of the book that an answer created, or its error.
    pub(super) fn look_at<'a>(&self, status: u16, body: impl FnOnce() -> Cow<'a, [u8]>) -> Result<Option<u64>, String> {
        match self.sending {
            Sending::Deletes(_) => Ok(None),
            Sending::Mix(mix) if status != mix.status() => Err(format!("status {status}")),
            Sending::Mix(Mix::Create) => Ok(serde_json::from_slice::<Created>(&body()).ok().map(|book| book.id)),
            Sending::Mix(_) => Ok(None),
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
        let mut headers = vec![("X-API-Key".to_owned(), self.key.clone().into_bytes())];
        if path.starts_with("/auth/") {
            headers.clear();
        }
        let body = body.as_ref().map(|body| body.to_string().into_bytes());
        headers.extend(body.iter().map(|_| ("Content-Type".to_owned(), b"application/json".to_vec())));
        let path = format!("{}{path}", address.prefix);
        Sent { method: (*method).to_owned(), address: address.clone(), interface: None, path, headers, body }
    }

    /// Sends one request with the client that judges.
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
    use crate::implementation::reference::REFERENCE_PROFILE;
    use std::collections::BTreeSet;

    fn prepared(mix: Mix) -> Prepared {
        let target = Target::parse(REFERENCE_PROFILE).unwrap();
        let addresses = vec![target.address(Interface::Catalogue).cloned().unwrap()];
        let (key, nonce) = ("ak_1".to_owned(), "n".to_owned());
        Prepared { addresses, sending: Sending::Mix(mix), key, login: json!({}), nonce, book: Some(7) }
    }

    fn request(prepared: &Prepared, number: u64, connection: usize) -> String {
        let mut request = Vec::new();
        prepared.requests().write(number, connection, &mut request);
        String::from_utf8(request).unwrap()
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
    fn a_request_says_how_long_its_body_is_whatever_its_number() {
        for number in [0, 7, 123_456] {
            let request = request(&prepared(Mix::Create), number, 0);
            let (head, body) = request.split_once("\r\n\r\n").unwrap();
            assert!(head.contains(&format!("\r\nContent-Length: {}", body.len())), "{request}");
            assert!(head.contains("\r\nX-API-Key: ak_1\r\n") && body.contains(&number.to_string()), "{request}");
        }
        assert!(!request(&prepared(Mix::Login), 0, 0).contains("X-API-Key"));
    }

    #[test]
    fn another_status_is_an_error_and_a_created_book_is_remembered() {
        let create = prepared(Mix::Create);
        assert_eq!(create.look_at(201, || br#"{"titulo": "t", "id": 9}"#.into()), Ok(Some(9)));
        assert_eq!(create.look_at(503, Cow::default), Err("status 503".to_owned()));
        let deleting = create.deleting(vec![9]);
        assert!(request(&deleting, 0, 0).starts_with("DELETE /libros/9 "));
        assert_eq!(deleting.requests().count(), Some(1));
    }

    #[test]
    fn connections_are_shared_out_among_replicas() {
        let mut prepared = prepared(Mix::List);
        prepared.addresses = ["http://a:1", "http://b:2"].map(|url| Address::parse(url).unwrap()).into();
        assert_eq!(prepared.authorities().collect::<Vec<_>>(), ["a:1", "b:2"]);
        for (connection, host) in ["Host: a:1", "Host: b:2", "Host: a:1"].into_iter().enumerate() {
            let asked = request(&prepared, 0, connection);
            assert!(asked.contains(host), "{asked}");
        }
    }
}
