//! Books of a case's own.

use serde_json::{Value, json};

use crate::case::Stop;
use crate::expect::Reply;
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
        self.made(
            self.post("/libros")
                .key(&self.target().credentials.admin_key)
                .json(&book)
                .send()?,
        )
    }

    /// Takes the answer to a creation the case made itself.
    ///
    /// # Errors
    /// As [`Self::create_book`].
    pub fn made(&self, reply: Reply) -> Result<MadeBook, Stop> {
        let reply = reply.prepared("creating a book", 201)?;
        let id = reply.at("/id").as_ref().and_then(Value::as_u64);
        let Some(id) = id else {
            let why = format!(
                "want a body with a whole number as id, got {}",
                reply.received().text()
            );
            return Err(Stop::Blocked {
                step: "creating a book".into(),
                why,
            });
        };
        self.owns_book(id);
        Ok(MadeBook { id, reply })
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
        Ok(Lot {
            marker,
            books: made,
        })
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
