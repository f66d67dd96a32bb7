//! One stored book, prepared for listing: found by field, searched as one folded text, shown by copying its JSON text.

use std::ops::Range;
use std::sync::OnceLock;

use serde_json::{Map, Value};

use super::collate::CollationKey;
use super::datum::Datum;
use crate::json;

/// A byte that no UTF-8 text holds: it parts the folded texts, so that no search matches across two fields.
const PART: u8 = 0xff;

/// One stored book. Immutable; a replaced book is a new one.
#[derive(Debug)]
pub struct Book {
    id: u64,
    fields: Box<[Field]>,
    text: Box<str>,
    /// The lower-cased text fields, each followed by [`PART`].
    folded: Box<[u8]>,
}

/// One field of a book.
#[derive(Debug)]
pub(super) struct Field {
    name: Box<str>,
    datum: Datum,
    /// Where `"name":value` stands in the book's JSON text.
    entry: Range<usize>,
    /// Where the value begins in the book's JSON text; it ends with the entry.
    value_start: usize,
    /// Made when the field is first sorted by; only a text has one.
    collation: OnceLock<CollationKey>,
}

impl Book {
    /// Prepares the book `id`. Its fields, `id` among them where it shall be shown, are returned in the order given.
    pub fn new(id: u64, fields: Map<String, Value>) -> Book {
        let mut prepared = Vec::with_capacity(fields.len());
        let mut text = String::from("{");
        let mut folded = Vec::new();
        for (name, value) in fields {
            if text.len() > 1 {
                text.push(',');
            }
            let entry_start = text.len();
            json::write_text_to(&mut text, &name);
            text.push(':');
            let value_start = text.len();
            json::write_to(&mut text, &value);
            // rule: list/q-text-only
            if let Value::String(searched) = &value {
                folded.extend_from_slice(fold(searched).as_bytes());
                folded.push(PART);
            }
            prepared.push(Field {
                name: name.into_boxed_str(),
                datum: Datum::of(&value),
                entry: entry_start..text.len(),
                value_start,
                collation: OnceLock::new(),
            });
        }
        text.push('}');
        Book { id, fields: prepared.into_boxed_slice(), text: text.into_boxed_str(), folded: folded.into_boxed_slice() }
    }

    /// The number the collection knows the book by.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// The JSON text of the whole book, as `JSON.stringify` prints it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The JSON text of one field's value; `None` where the book lacks the field.
    pub fn field_json(&self, name: &str) -> Option<&str> {
        let field = self.field(name)?;
        Some(&self.text[field.value_start..field.entry.end])
    }

    /// The field of exactly this name.
    pub(super) fn field(&self, name: &str) -> Option<&Field> {
        // rule: list/equal-own-field, list/parameter-case
        self.fields.iter().find(|field| *field.name == *name)
    }

    /// The JSON text `"name":value` of one of this book's own fields.
    pub(super) fn entry_text(&self, field: &Field) -> &str {
        &self.text[field.entry.clone()]
    }

    /// What a text search looks through: all text fields in lower case, never matching across two of them.
    pub(super) fn folded(&self) -> &[u8] {
        &self.folded
    }
}

impl Field {
    pub(super) fn datum(&self) -> &Datum {
        &self.datum
    }

    /// The place of a text field in the locale's order; `None` for every other field.
    pub(super) fn collation_key(&self) -> Option<&CollationKey> {
        match &self.datum {
            Datum::Text(text) => Some(self.collation.get_or_init(|| CollationKey::of(text))),
            _ => None,
        }
    }
}

/// A text in the letter case that searches compare in: `toLowerCase()`, full Unicode mapping without a locale.
pub(super) fn fold(text: &str) -> String {
    // rule: list/q-case, list/q-case-folding
    text.to_lowercase()
}
