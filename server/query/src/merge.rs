//! Merges several parts of a collection into one, while writers may remove books from them. Starts no thread.

use std::sync::{Arc, OnceLock};

use super::book::Book;
use super::part::Part;

#[derive(Debug)]
pub(super) struct Merge {
    /// The parts as they were when the merge began.
    sources: Vec<Part>,
    result: OnceLock<Part>,
}

impl Merge {
    pub(super) fn new(sources: Vec<Part>) -> Merge {
        Merge { sources, result: OnceLock::new() }
    }

    pub(super) fn run(&self) {
        let mut books: Vec<Arc<Book>> = self.sources.iter().flat_map(Part::books).cloned().collect();
        books.sort_by_key(|book| book.id());
        // It is set once only.
        _ = self.result.set(Part::of(books, 1));
    }

    pub(super) fn is_done(&self) -> bool {
        self.result.get().is_some()
    }

    pub(super) fn is_of(&self, part: &Part) -> bool {
        self.sources.iter().any(|source| part.was(source))
    }

    /// Replaces the sources among `parts` by the result; returns `parts` unchanged until the merge is done.
    pub(super) fn install(&self, parts: &[Part]) -> Vec<Part> {
        let Some(mut merged) = self.result.get().cloned() else { return parts.to_vec() };
        for source in &self.sources {
            match parts.iter().find(|part| part.was(source)) {
                Some(now) => now.gone_since(source).for_each(|book| _ = merged.remove(book.id())),
                // All its books were removed.
                None => source.books().for_each(|book| _ = merged.remove(book.id())),
            }
        }
        let mut installed: Vec<Part> = parts.iter().filter(|part| !self.is_of(part)).cloned().collect();
        if merged.len() > 0 {
            installed.insert(0, merged);
        }
        installed
    }
}
