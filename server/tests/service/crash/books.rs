//! Creates, replaces and deletes books of its own.

use std::collections::BTreeMap;

use super::{Address, Writer, random_below};
use crate::wire::KEY;

/// Books a writer has at most, so that looking through them takes no longer with every round.
const BOOKS_MAX: usize = 20;

pub(crate) struct BookWriter {
    name: u64,
    written: u64,
    /// Titles by id.
    books: BTreeMap<u64, String>,
    /// A replacement whose confirmation never came: either title may be there.
    unsure: Option<(u64, String)>,
}

impl BookWriter {
    pub(crate) fn new(name: u64) -> Self {
        Self { name, written: 0, books: BTreeMap::new(), unsure: None }
    }

    fn any_book(&self) -> Option<u64> {
        let place = random_below(self.books.len().max(1) as u64) as usize;
        self.books.keys().nth(place).copied()
    }
}

impl Writer for BookWriter {
    fn write(&mut self, server: &Address) -> Option<()> {
        self.written += 1;
        let title = format!("{}-{}", self.name, self.written);
        let body = format!(r#"{{"titulo":"{title}","autor":"x"}}"#);
        let choice = if self.books.len() < BOOKS_MAX { random_below(10) } else { 9 };
        match (choice, self.any_book()) {
            (7 | 8, Some(id)) => {
                self.unsure = Some((id, title.clone()));
                server.ask(&format!("PUT /libros/{id}"), KEY, &body)?.expect(200);
                self.unsure = None;
                self.books.insert(id, title);
            }
            (9, Some(id)) => {
                // From now on nothing is claimed of it: once it is gone its id may be given again.
                self.books.remove(&id);
                server.ask(&format!("DELETE /libros/{id}"), KEY, "")?.expect(204);
            }
            _ => {
                let id = server.ask("POST /libros", KEY, &body)?.expect(201)["id"].as_u64().expect("an id");
                assert_eq!(self.books.insert(id, title), None, "{id} was given twice");
            }
        }
        Some(())
    }

    fn check(&mut self, server: &Address) {
        let unsure = self.unsure.take();
        for (id, title) in &mut self.books {
            let found = server.must(&format!("GET /libros/{id}"), KEY, "").expect(200);
            let found = found["titulo"].as_str().expect("a text");
            if unsure.as_ref().is_some_and(|(replaced, other)| replaced == id && other == found) {
                found.clone_into(title);
            }
            assert_eq!(found, title, "book {id}");
        }
    }
}
