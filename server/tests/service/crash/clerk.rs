//! Creates, replaces and deletes its own books and registers users; remembers which writes were confirmed, refused, or not answered.

use std::collections::{BTreeMap, BTreeSet};

use super::{Writer, random_below};
use crate::wire::{Address, KEY, PASSWORD};

const BOOKS_MAX: usize = 12;

/// Titles by id, as a start has them.
pub(crate) type Found = BTreeMap<u64, String>;

#[derive(Default)]
pub(crate) struct Clerk {
    name: String,
    /// Whether a write may be answered 500.
    may_be_refused: bool,
    written: u64,
    pub(crate) confirmed: u64,
    /// Titles by id, all confirmed.
    books: BTreeMap<u64, String>,
    /// Refused or unanswered changes, which a book may have after a power cut: another title, or its removal.
    otherwise: BTreeMap<u64, BTreeSet<Option<String>>>,
    /// Titles of books whose creation was refused or not answered.
    unborn: BTreeSet<String>,
    /// E-mails confirmed since the last check.
    registered: Vec<String>,
    /// An e-mail that was refused or not answered.
    unregistered: Option<String>,
}

enum Fate {
    Confirmed(serde_json::Value),
    Refused,
    Unanswered,
}

impl Clerk {
    pub(crate) fn new(name: &str, may_be_refused: bool) -> Self {
        Self { name: format!("clerk-{name}"), may_be_refused, ..Self::default() }
    }

    fn ask(&self, server: &Address, line: &str, headers: &str, body: &str, success: u16) -> Fate {
        match server.ask(line, headers, body) {
            None => Fate::Unanswered,
            Some(reply) if reply.status == 500 && self.may_be_refused => Fate::Refused,
            Some(reply) => Fate::Confirmed(reply.expect(success)),
        }
    }

    /// A later commit has replaced everything that was refused before it.
    fn confirm(&mut self) {
        self.confirmed += 1;
        self.otherwise.clear();
        self.unborn.clear();
    }

    fn title(&self) -> String {
        format!("{}-{}", self.name, self.written)
    }

    fn create(&mut self, server: &Address) -> Option<()> {
        let title = self.title();
        let body = format!(r#"{{"titulo":"{title}","autor":"x"}}"#);
        match self.ask(server, "POST /libros", KEY, &body, 201) {
            Fate::Confirmed(book) => {
                self.confirm();
                let id = book["id"].as_u64().expect("an id");
                assert_eq!(self.books.insert(id, title), None, "{id} was given twice");
                Some(())
            }
            fate => {
                self.unborn.insert(title);
                matches!(fate, Fate::Refused).then_some(())
            }
        }
    }

    fn replace(&mut self, server: &Address, id: u64) -> Option<()> {
        let title = self.title();
        let body = format!(r#"{{"titulo":"{title}","autor":"x"}}"#);
        let fate = self.ask(server, &format!("PUT /libros/{id}"), KEY, &body, 200);
        self.changed(server, id, Some(title), &fate)
    }

    fn delete(&mut self, server: &Address, id: u64) -> Option<()> {
        let fate = self.ask(server, &format!("DELETE /libros/{id}"), KEY, "", 204);
        self.changed(server, id, None, &fate)
    }

    /// Records that a book should get this title, or be removed. A refused write has no effect.
    fn changed(&mut self, server: &Address, id: u64, title: Option<String>, fate: &Fate) -> Option<()> {
        if let Fate::Confirmed(_) = fate {
            self.confirm();
            match title {
                Some(title) => self.books.insert(id, title),
                None => self.books.remove(&id),
            };
            return Some(());
        }
        self.otherwise.entry(id).or_default().insert(title);
        if let Fate::Unanswered = fate {
            return None;
        }
        let reply = server.ask(&format!("GET /libros/{id}"), KEY, "")?;
        assert_eq!(reply.expect(200)["titulo"], *self.books[&id], "what was refused is in force");
        Some(())
    }

    fn register(&mut self, server: &Address) -> Option<()> {
        // If it was refused before, it is still free.
        let email = self.unregistered.take().unwrap_or_else(|| format!("{}@example.com", self.title()));
        let body = format!(r#"{{"email":"{email}","password":"{PASSWORD}"}}"#);
        match self.ask(server, "POST /auth/registro", "", &body, 201) {
            Fate::Confirmed(_) => {
                self.confirm();
                self.registered.push(email);
                Some(())
            }
            fate => {
                self.unregistered = Some(email);
                matches!(fate, Fate::Refused).then_some(())
            }
        }
    }
}

impl Writer for Clerk {
    fn write(&mut self, server: &Address) -> Option<()> {
        self.written += 1;
        let full = self.books.len() >= BOOKS_MAX;
        let place = random_below(self.books.len().max(1) as u64) as usize;
        match (random_below(10), self.books.keys().nth(place).copied()) {
            (0, _) => self.register(server),
            (1..=3, Some(id)) => self.replace(server, id),
            (4, Some(id)) => self.delete(server, id),
            (_, Some(id)) if full => self.delete(server, id),
            _ => self.create(server),
        }
    }

    /// Takes the state found on the server as the expected one.
    fn check(&mut self, server: &Address) {
        let found = found(server);
        let otherwise = std::mem::take(&mut self.otherwise);
        let own = format!("{}-", self.name);
        self.books.retain(|id, title| {
            // Once the book is gone, another clerk's may get its id.
            let stored = found.get(id).filter(|title| title.starts_with(&own));
            let is_other = otherwise.get(id).is_some_and(|others| others.contains(&stored.cloned()));
            assert!(is_other || stored == Some(&*title), "book {id} is {stored:?}, and was confirmed as {title:?}");
            if let Some(stored) = stored {
                title.clone_from(stored);
            }
            stored.is_some()
        });
        let born = found.iter().filter(|(_, title)| self.unborn.contains(*title));
        self.books.extend(born.map(|(id, title)| (*id, title.clone())));
        self.unborn.clear();
        for email in self.registered.drain(..) {
            server.login(&email);
        }
        if let Some(email) = self.unregistered.take() {
            let body = format!(r#"{{"email":"{email}","password":"{PASSWORD}"}}"#);
            let status = server.must("POST /auth/registro", "", &body).status;
            assert!(matches!(status, 201 | 400 | 409), "{status}");
            server.login(&email);
        }
    }
}

/// Every book but the initial ones.
pub(crate) fn found(server: &Address) -> Found {
    let mut found = Found::new();
    for page in 1.. {
        let list = server.must(&format!("GET /libros?q=clerk-&limit=100&page={page}"), KEY, "").expect(200);
        let books = list["datos"].as_array().expect("a list");
        for book in books {
            let title = book["titulo"].as_str().expect("a text");
            if title.starts_with("clerk-") {
                found.insert(book["id"].as_u64().expect("an id"), title.to_owned());
            }
        }
        if books.is_empty() {
            break;
        }
    }
    found
}

/// Panics when there are books that no clerk created.
pub(crate) fn check_nothing_else(clerks: &[Clerk], found: &Found) {
    let known = |id: &u64| clerks.iter().any(|clerk| clerk.books.contains_key(id));
    let strange: Vec<_> = found.iter().filter(|(id, _)| !known(id)).collect();
    assert!(strange.is_empty(), "books that were deleted or refused are there: {strange:?}");
}
