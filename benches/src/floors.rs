//! Lower bounds for any engine: one pass over all texts, one over all codes of a field.

use std::num::NonZeroUsize;
use std::thread;

use memchr::memmem;
use serde_json::{Map, Value};

/// A byte that no text contains.
const SEPARATOR: u8 = 0xff;

/// The texts of all books in lower case, end to end, and a code for each book.
#[derive(Debug)]
pub struct Floors {
    texts: Vec<u8>,
    codes: Vec<u32>,
}

impl Floors {
    /// Prepares the books.
    pub fn new(books: impl Iterator<Item = Value>) -> Self {
        let (mut texts, mut codes) = (Vec::new(), Vec::new());
        for (number, book) in (0_u32..).zip(books) {
            for text in book.as_object().into_iter().flat_map(Map::values).filter_map(Value::as_str) {
                texts.extend_from_slice(text.to_lowercase().as_bytes());
                texts.push(SEPARATOR);
            }
            codes.push(number.wrapping_mul(7) % 997);
        }
        Self { texts, codes }
    }

    /// Counts a text on `threads` threads. Misses an occurrence that crosses the boundary between two threads.
    pub fn memmem(&self, text: &str, threads: NonZeroUsize) -> usize {
        let share = self.texts.len().div_ceil(threads.get()).max(1);
        let count = |texts| memmem::find_iter(texts, text).count();
        thread::scope(|scope| {
            let (first, rest) = self.texts.split_at(share.min(self.texts.len()));
            let others: Vec<_> = rest.chunks(share).map(|texts| scope.spawn(move || count(texts))).collect();
            count(first) + others.into_iter().map(|other| other.join().unwrap_or_default()).sum::<usize>()
        })
    }

    /// How many books have this code.
    pub fn codes(&self, wanted: u32) -> usize {
        self.codes.iter().filter(|code| **code == wanted).count()
    }
}
