//! One stored book: its JSON text, and how long each field of it is. Shown by copying, never by serialising again.

use std::borrow::Borrow;
use std::ops::Deref;
use std::sync::Arc;

use arc_swap::ArcSwapOption;
use serde_json::{Map, Value};

use crate::json::{self, Transcript};

/// A length is written in characters of six bits each, the lowest bits first.
const LENGTH_BITS: u32 = 6;
/// Set in each character of a length but the last.
const LENGTH_GOES_ON: u32 = 1 << LENGTH_BITS;

/// One stored book. Immutable; a replaced book is a new one.
#[derive(Debug)]
pub struct Book {
    id: u64,
    text: BookText,
    /// A hash of the text, boxed because few books need it: so a book takes 64 bytes besides its text.
    digest: ArcSwapOption<[u8; 16]>,
}

/// A book's JSON text, before it has an id or without one.
#[derive(Debug)]
pub struct BookText {
    /// The JSON as `JSON.stringify` prints it, and behind it the length of each entry `"name":value`: one allocation for all.
    text: Box<str>,
    json_end: u32,
}

/// A field's name in a book's JSON text, with quotes and colon: `"titulo":`. Each name has one form, so its bytes can be compared.
// rule: list/equal-own-field, list/field-name-case, list/bracketed-names
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct FieldName(Box<str>);

impl Book {
    /// The book `id` with these fields, in the order given; `id` is shown only if it is one of them.
    pub fn new(id: u64, fields: &Map<String, Value>) -> Book {
        Book::with_text(id, BookText::of(fields))
    }

    /// The book `id` with this text.
    pub fn with_text(id: u64, text: BookText) -> Book {
        Book { id, text, digest: ArcSwapOption::empty() }
    }

    /// The number the collection knows the book by.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// The place of a book among books in ascending order of id.
    pub fn place(books: &[Arc<Book>], id: u64) -> Option<usize> {
        let (first, last) = (books.first()?.id(), books.last()?.id());
        if id < first || last < id {
            return None;
        }
        // Ids without gaps are found at once.
        let guess =
            usize::try_from(id - first).ok().filter(|place| books.get(*place).is_some_and(|book| book.id() == id));
        guess.or_else(|| books.binary_search_by_key(&id, |book| book.id()).ok())
    }

    /// The JSON text of the whole book, as `JSON.stringify` prints it.
    pub fn text(&self) -> &str {
        self.text.json()
    }

    /// Approximate bytes of memory: the text, and a constant for each book.
    pub(super) fn weight(&self) -> usize {
        const BOOK_BYTES: usize = 128;
        self.text.text.len() + BOOK_BYTES
    }

    /// The `hash` of the text, computed at the first call. Pass the same function each time.
    pub fn digest(&self, hash: impl FnOnce(&str) -> [u8; 16]) -> [u8; 16] {
        if let Some(digest) = &*self.digest.load() {
            return **digest;
        }
        let digest = hash(self.text());
        self.digest.store(Some(Arc::new(digest)));
        digest
    }
}

impl Deref for Book {
    type Target = BookText;

    fn deref(&self) -> &BookText {
        &self.text
    }
}

impl AsRef<str> for Book {
    fn as_ref(&self) -> &str {
        self.text()
    }
}

impl BookText {
    /// The text of these fields.
    pub fn of(fields: &Map<String, Value>) -> BookText {
        let mut made = Transcript { text: String::from("{"), entries: Vec::with_capacity(fields.len()) };
        json::write_separated(&mut made.text, fields, |text, (name, value)| {
            made.entries.push(offset(text.len()));
            json::write_text_to(text, name);
            text.push(':');
            json::write_to(text, value);
        });
        made.text.push('}');
        BookText::from_transcript(&mut made)
    }

    /// Copies the JSON text of a book; `None` if it is not a JSON object or must be parsed. Overwrites `buffer`, which can be reused.
    pub fn transcribed(text: &str, buffer: &mut Transcript) -> Option<BookText> {
        json::transcribe(text, buffer)?;
        Some(BookText::from_transcript(buffer))
    }

    /// Adds the length of each entry behind the text.
    fn from_transcript(made: &mut Transcript) -> BookText {
        let Transcript { text, entries } = made;
        let json_end = offset(text.len());
        let ends = entries.iter().skip(1).copied().chain([json_end]);
        for (start, next) in entries.iter().zip(ends) {
            let mut length = next - 1 - start;
            while length >= LENGTH_GOES_ON {
                push_bits(text, LENGTH_GOES_ON | (length % LENGTH_GOES_ON));
                length >>= LENGTH_BITS;
            }
            push_bits(text, length);
        }
        BookText { text: text.as_str().into(), json_end }
    }

    /// The JSON text, as `JSON.stringify` prints it.
    pub fn json(&self) -> &str {
        &self.text[..self.json_end as usize]
    }

    /// The JSON texts `"name":value` of all fields, in order.
    pub(super) fn entries(&self) -> impl Iterator<Item = &str> {
        let (json, lengths) = self.text.split_at(self.json_end as usize);
        let (mut start, mut lengths) = (1, lengths.bytes().map(u32::from));
        std::iter::from_fn(move || {
            let (mut length, mut shift) = (0, 0);
            loop {
                let bits = lengths.next()?;
                length |= (bits % LENGTH_GOES_ON) << shift;
                if bits < LENGTH_GOES_ON {
                    break;
                }
                shift += LENGTH_BITS;
            }
            let end = start + length as usize;
            // A comma or the closing brace follows each entry.
            Some(&json[std::mem::replace(&mut start, end + 1)..end])
        })
    }

    /// The JSON text of one field's value; `None` where the book lacks the field.
    pub fn field_json(&self, name: &str) -> Option<&str> {
        if json::is_plain(name) {
            return self.entries().find_map(|entry| entry.strip_prefix('"')?.strip_prefix(name)?.strip_prefix("\":"));
        }
        let name = FieldName::new(name);
        Some(&self.entry(&name)?[name.json().len()..])
    }

    pub(super) fn entry(&self, name: &FieldName) -> Option<&str> {
        self.entries().find(|entry| entry.starts_with(name.json()))
    }
}

fn push_bits(text: &mut String, bits: u32) {
    text.push(char::from(bits as u8));
}

fn offset(length: usize) -> u32 {
    u32::try_from(length).expect("a book has less than 4 GiB of text")
}

impl FieldName {
    pub(super) fn new(name: &str) -> FieldName {
        let mut text = String::with_capacity(name.len() + 3);
        json::write_text_to(&mut text, name);
        text.push(':');
        FieldName(text.into_boxed_str())
    }

    /// A name that is quoted already and ends in its colon.
    pub(super) fn of_json(json: &str) -> FieldName {
        FieldName(json.into())
    }

    /// The name of an entry `"name":value`, with its quotes and colon.
    pub(super) fn in_entry(entry: &str) -> &str {
        let bytes = entry.as_bytes();
        let mut at = 1;
        while bytes[at] != b'"' {
            at += if bytes[at] == b'\\' { 2 } else { 1 };
        }
        &entry[..at + 2]
    }

    pub(super) fn json(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for FieldName {
    fn borrow(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn entries_of_any_length_are_found_again(lengths in prop::collection::vec(prop_oneof![0..80_usize, 4080..4110_usize, 262_130..262_160_usize], 0..20)) {
            let fields: Map<String, Value> = (0..).zip(&lengths).map(|(number, length)| (format!("f{number}"), "ñ".repeat(*length / 2).into())).collect();
            let book = BookText::of(&fields);
            prop_assert_eq!(book.json(), json::write(&Value::Object(fields.clone())));
            prop_assert_eq!(book.entries().count(), fields.len());
            for (name, value) in &fields {
                let written = json::write(value);
                prop_assert_eq!(book.field_json(name), Some(written.as_str()));
            }
        }
    }
}
