//! Books of a case's own.

use serde_json::{Value, json};

use crate::case::Stop;
use crate::expect::{Reply, brief};
use crate::trial::Trial;

/// A book the target has stored for a case.
#[derive(Debug, Clone)]
pub struct MadeBook {
    /// The id the target gave it.
    pub id: u64,
    /// The answer to the creation.
    pub reply: Reply,
}

impl MadeBook {
    /// Its path.
    pub fn path(&self) -> String {
        format!("/libros/{}", self.id)
    }

    /// The book as the creation answered it.
    pub fn value(&self) -> Value {
        self.reply.json()
    }
}

impl Trial<'_> {
    /// Creates a book with the fields given, and titulo and autor where they are not; deleted again when the case ends.
    ///
    /// # Errors
    /// [`Stop::Blocked`] when the target does not answer 201 with an id.
    pub fn create_book(&self, fields: &Value) -> Result<MadeBook, Stop> {
        let mut book = json!({ "titulo": "Los pasos perdidos", "autor": "Alejo Carpentier" });
        if let (Some(book), Some(fields)) = (book.as_object_mut(), fields.as_object()) {
            book.extend(fields.clone());
        }
        self.made(self.post("/libros").key(self.admin_key()).json(&book).send()?)
    }

    /// Takes the answer to a creation the case made itself.
    ///
    /// # Errors
    /// As [`Self::create_book`].
    pub fn made(&self, reply: Reply) -> Result<MadeBook, Stop> {
        let reply = reply.prepared("creating a book", 201)?;
        let id = reply.at("/id").as_ref().and_then(Value::as_u64);
        let Some(id) = id else {
            let why = format!("want a body with a whole number as id, got {}", reply.received().text());
            return Err(Stop::Blocked { step: "creating a book".into(), why });
        };
        self.owns_book(id);
        Ok(MadeBook { id, reply })
    }

    /// Takes charge of the book an answer speaks of, if it does: for creations that may or must be refused.
    #[must_use]
    pub fn claim(&self, reply: Reply) -> Reply {
        if let (200..300, Some(id)) = (reply.status(), reply.at("/id").and_then(|id| id.as_u64())) {
            self.owns_book(id);
        }
        reply
    }

    /// Reads a book again.
    ///
    /// # Errors
    /// [`Stop::Blocked`] when the target does not answer 200 with the bare book of that id.
    pub fn read_again(&self, id: u64) -> Result<Reply, Stop> {
        let path = format!("/libros/{id}");
        let reply = self.get(&path).key(self.admin_key()).send()?;
        let reply = reply.prepared("reading a book", 200)?;
        match reply.at("/id").and_then(|id| id.as_u64()) {
            Some(read) if read == id => Ok(reply),
            _ => Err(Stop::Blocked {
                step: "reading a book".into(),
                why: format!("want the book {id}, got {}", brief(&reply.received().text())),
            }),
        }
    }

    /// The book a read of that id gives.
    ///
    /// # Errors
    /// As [`Self::read_again`].
    pub fn read_book(&self, id: u64) -> Result<Value, Stop> {
        Ok(self.read_again(id)?.json())
    }

    /// Deletes a book of the case's own. Where its id must stay unknown afterwards, a book made later has to outlive it.
    ///
    /// # Errors
    /// [`Stop::Blocked`] when the target does not answer 204.
    pub fn delete_book(&self, book: &MadeBook) -> Result<(), Stop> {
        let reply = self.delete(&book.path()).key(self.admin_key()).send()?;
        reply.prepared("deleting a book", 204)?;
        Ok(())
    }

    /// The books a list shows under a marker, in its order, whatever else it shows.
    ///
    /// # Errors
    /// [`Stop::Blocked`] when the target does not answer with a list.
    pub fn marked_books(&self, marker: &str) -> Result<Vec<Value>, Stop> {
        let path = format!("/libros?lote={marker}&limit=100");
        let reply = self.get(&path).key(self.admin_key()).send()?;
        let reply = reply.prepared("listing books", 200)?;
        let Some(Value::Array(books)) = reply.at("/datos") else {
            return Err(Stop::Blocked {
                step: "listing books".into(),
                why: format!("want a list in datos, got {}", brief(&reply.received().text())),
            });
        };
        let is_marked = |book: &Value| book.get("lote").and_then(Value::as_str) == Some(marker);
        Ok(books.into_iter().filter(is_marked).collect())
    }

    /// The path of a book that does not exist, far above any collection; each case has its own.
    pub fn unknown_book(&self) -> String {
        let bytes = self.case().name.bytes();
        let spread = bytes.fold(0_u64, |sum, byte| (sum * 31 + u64::from(byte)) % 90_000_000);
        format!("/libros/{}", 900_000_000 + spread)
    }

    /// Creates several books that share a marker: `{"lote": <marker>}`; filter lists by `lote=<marker>`.
    ///
    /// # Errors
    /// As [`Self::create_book`].
    pub fn create_lot(&self, books: &[Value]) -> Result<Lot, Stop> {
        let marker = self.unique("lote");
        let mut made = Vec::new();
        for book in books {
            let mut book = book.clone();
            if let Some(book) = book.as_object_mut() {
                book.insert("lote".into(), Value::from(marker.as_str()));
            }
            made.push(self.create_book(&book)?);
        }
        Ok(Lot { marker, books: made })
    }
}

/// Books that share a marker.
#[derive(Debug)]
pub struct Lot {
    /// The marker, unique to the case.
    pub marker: String,
    /// The books, in the order of creation.
    pub books: Vec<MadeBook>,
}

impl Lot {
    /// A list path that keeps only these books, with further parameters (`sort=titulo&limit=2`), which may be empty.
    pub fn path(&self, parameters: &str) -> String {
        let joint = if parameters.is_empty() { "" } else { "&" };
        format!("/libros?lote={}{joint}{parameters}", self.marker)
    }
}
