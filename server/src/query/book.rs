//! One stored book: its JSON text, and where in it each field begins. Shown by copying, never by serialising again.

use std::sync::OnceLock;

use serde_json::{Map, Value};

use crate::json::{self, Transcript};

/// One stored book. Immutable; a replaced book is a new one.
#[derive(Debug)]
pub struct Book {
    id: u64,
    text: BookText,
    digest: OnceLock<[u8; 16]>,
}

/// A book's JSON text, before or without a number of its own.
#[derive(Debug)]
pub struct BookText {
    /// As `JSON.stringify` prints it.
    json: Box<str>,
    /// Where each `"name":value` begins in the text; a comma or the closing brace ends it.
    entries: Box<[u32]>,
}

/// A field's name as it stands in a book's JSON text, quotes and colon included: `"titulo":`.
///
/// A name has only one such form, so the bytes decide whether an entry is of this name.
// rule: list/equal-own-field, list/field-name-case, list/bracketed-names
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct FieldName(Box<str>);

impl Book {
    /// Prepares the book `id`. Its fields, `id` among them where it shall be shown, are returned in the order given.
    #[expect(clippy::needless_pass_by_value, reason = "who makes a book has no use for its fields any more")]
    pub fn new(id: u64, fields: Map<String, Value>) -> Book {
        Book::with_text(id, BookText::of(&fields))
    }

    /// The book `id` of this text.
    pub fn with_text(id: u64, text: BookText) -> Book {
        Book { id, text, digest: OnceLock::new() }
    }

    /// The number the collection knows the book by.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// The JSON text of the whole book, as `JSON.stringify` prints it.
    pub fn text(&self) -> &str {
        &self.text.json
    }

    /// What `hash` makes of the text: computed when first asked for, then kept. Always ask with the same `hash`.
    pub fn digest(&self, hash: impl FnOnce(&str) -> [u8; 16]) -> [u8; 16] {
        *self.digest.get_or_init(|| hash(self.text()))
    }

    /// The JSON text of one field's value; `None` where the book lacks the field.
    pub fn field_json(&self, name: &str) -> Option<&str> {
        self.text.field_json(name)
    }

    /// The JSON text `"name":value` of one field.
    pub(super) fn entry(&self, name: &FieldName) -> Option<&str> {
        self.text.entry(name)
    }

    /// The JSON texts `"name":value` of all fields, in order.
    pub(super) fn entries(&self) -> impl Iterator<Item = &str> {
        (0..self.text.entries.len()).map(|at| self.text.entry_at(at))
    }
}

impl BookText {
    /// The text of these fields.
    pub fn of(fields: &Map<String, Value>) -> BookText {
        let mut text = String::from("{");
        let mut entries = Vec::with_capacity(fields.len());
        for (name, value) in fields {
            if text.len() > 1 {
                text.push(',');
            }
            entries.push(u32::try_from(text.len()).expect("a book has less than 4 GiB of text"));
            json::write_text_to(&mut text, name);
            text.push(':');
            json::write_to(&mut text, value);
        }
        text.push('}');
        BookText { json: text.into_boxed_str(), entries: entries.into_boxed_slice() }
    }

    /// The text of a book as others wrote it; `None` where it is no JSON object, or one better parsed than transcribed.
    pub fn transcribed(text: &[u8]) -> Option<BookText> {
        let Transcript { text, entries } = json::transcribe(text)?;
        Some(BookText { json: text.into_boxed_str(), entries: entries.into_boxed_slice() })
    }

    /// The JSON text of one field's value; `None` where the book lacks the field.
    pub fn field_json(&self, name: &str) -> Option<&str> {
        let name = FieldName::new(name);
        Some(&self.entry(&name)?[name.json().len()..])
    }

    fn entry(&self, name: &FieldName) -> Option<&str> {
        let bytes = self.json.as_bytes();
        let at = self.entries.iter().position(|start| bytes[*start as usize..].starts_with(name.json().as_bytes()))?;
        Some(self.entry_at(at))
    }

    fn entry_at(&self, at: usize) -> &str {
        let after = self.entries.get(at + 1).map_or(self.json.len(), |next| *next as usize);
        &self.json[self.entries[at] as usize..after - 1]
    }
}

impl FieldName {
    pub(super) fn new(name: &str) -> FieldName {
        let mut text = String::with_capacity(name.len() + 3);
        json::write_text_to(&mut text, name);
        text.push(':');
        FieldName(text.into_boxed_str())
    }

    /// The name that an entry `"name":value` begins with.
    pub(super) fn of_entry(entry: &str) -> FieldName {
        let bytes = entry.as_bytes();
        let mut at = 1;
        while bytes[at] != b'"' {
            at += if bytes[at] == b'\\' { 2 } else { 1 };
        }
        FieldName(entry[..at + 2].into())
    }

    pub(super) fn json(&self) -> &str {
        &self.0
    }
}
