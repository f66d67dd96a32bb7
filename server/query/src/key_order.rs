//! Sorts the texts of one field by their keys in the locale's order, eight bytes at a time: comparing whole keys would wait for memory.

use std::cmp::Ordering;

use super::texts::Texts;
use super::{collate, parallel, scratch};

/// Fewer texts with the same beginning are compared whole.
const FEW: usize = 24;
/// Texts whose keys agree in this many bytes are compared whole, too.
const DEEP: usize = 256;

/// The `head` of a sorted text that ties with the text before it; others have 0.
pub(super) const TIED: u64 = 1;

pub(super) struct KeyedText {
    /// Eight bytes of its key while it is being sorted.
    pub(super) head: u64,
    /// Where its key is: keys of letters that expand are many times as long as their texts.
    start: usize,
    length: u32,
    pub(super) number: u32,
    pub(super) code: u32,
}

/// The texts of consecutive codes, their keys end to end.
pub(super) struct KeyedTexts {
    pub(super) entries: Vec<KeyedText>,
    pub(super) keys: Vec<u8>,
    /// Whether the bytes of a text are its key.
    by_bytes: bool,
}

pub(super) struct KeyOrder<'a> {
    pub(super) texts: &'a Texts,
    /// Sort keys, those of `share` codes in each buffer.
    pub(super) keys: Vec<Vec<u8>>,
    pub(super) share: usize,
}

impl KeyedTexts {
    pub(super) fn new(count: usize, by_bytes: bool) -> KeyedTexts {
        let (entries, keys) = (scratch::capacity::<KeyedText>(count), scratch::capacity::<u8>(count * 8));
        KeyedTexts { entries: Vec::with_capacity(entries), keys: Vec::with_capacity(keys), by_bytes }
    }

    pub(super) fn push(&mut self, text: &str, number: u32, code: u32) {
        let start = self.keys.len();
        if self.by_bytes {
            self.keys.extend_from_slice(text.as_bytes());
        } else {
            // rule: list/sort-text-locale
            collate::write_key(text, &mut self.keys);
        }
        let length = (self.keys.len() - start) as u32;
        self.entries.push(KeyedText { head: head(&self.keys[start..]), start, length, number, code });
    }
}

impl KeyOrder<'_> {
    fn key(&self, entry: &KeyedText) -> &[u8] {
        &self.keys[entry.code as usize / self.share][entry.start..][..entry.length as usize]
    }

    fn compare(&self, left: &KeyedText, right: &KeyedText) -> Ordering {
        // rule: list/sort-text-locale
        let by_key = left.head.cmp(&right.head).then_with(|| self.key(left).cmp(self.key(right)));
        // Texts of equal rank get codes in the order of their bytes.
        let text = |entry: &KeyedText| self.texts.get(entry.number as usize);
        by_key.then_with(|| text(left).cmp(text(right)))
    }

    /// Sorts texts whose heads are the first eight bytes of their keys, on this many threads.
    pub(super) fn sort(&self, entries: &mut [KeyedText], threads: usize) {
        let middle = entries.len() / 2;
        if threads < 2 || middle == 0 {
            return self.sort_from(entries, 0);
        }
        entries.select_nth_unstable_by(middle, |left, right| self.compare(left, right));
        let (left, right) = entries.split_at_mut(middle);
        parallel::both(true, || self.sort(left, threads / 2), || self.sort(right, threads - threads / 2));
        if let (Some(last), Some(first)) = (left.last(), right.first_mut()) {
            first.head = u64::from(self.key(last) == self.key(first)) * TIED;
        }
    }

    /// Sorts texts whose keys agree before `depth` and whose heads are the eight bytes from there on.
    fn sort_from(&self, entries: &mut [KeyedText], depth: usize) {
        entries.sort_unstable_by_key(|entry| entry.head);
        let depth = depth + size_of::<u64>();
        for alike in entries.chunk_by_mut(|left, right| left.head == right.head) {
            if alike.len() > FEW && depth < DEEP && alike.iter().any(|entry| self.key(entry).len() > depth) {
                for entry in &mut *alike {
                    entry.head = head(self.key(entry).get(depth..).unwrap_or_default());
                }
                self.sort_from(alike, depth);
                continue;
            }
            alike.sort_unstable_by(|left, right| self.compare(left, right));
            for at in (1..alike.len()).rev() {
                alike[at].head = u64::from(self.key(&alike[at - 1]) == self.key(&alike[at])) * TIED;
            }
            alike[0].head = 0;
        }
    }
}

/// The first eight bytes of a key as a number, shorter keys ending in zeros. Decides most comparisons.
fn head(key: &[u8]) -> u64 {
    let mut head = [0; 8];
    let shown = key.len().min(head.len());
    head[..shown].copy_from_slice(&key[..shown]);
    u64::from_be_bytes(head)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn texts_are_sorted_by_key_then_by_bytes(long in "[a-b]{0,300}", ends in prop::collection::vec("[aAáb\u{ad}]{0,20}", 1..200), threads in 1..4usize) {
            let mut sent: Vec<String> = ends.iter().map(|end| if end.len() % 2 == 0 { format!("{long}{end}") } else { end.clone() }).collect();
            sent.sort();
            sent.dedup();
            sent.reverse();
            let (mut texts, mut keyed) = (Texts::default(), KeyedTexts::new(sent.len(), false));
            for (number, text) in (0..).zip(&sent) {
                texts.push(text);
                keyed.push(text, number, number);
            }
            let order = KeyOrder { texts: &texts, keys: vec![keyed.keys], share: sent.len() };
            order.sort(&mut keyed.entries, threads);
            let sorted: Vec<&str> = keyed.entries.iter().map(|entry| texts.get(entry.number as usize)).collect();
            let in_order = |left: &&str, right: &&str| collate::compare(left, right).then_with(|| left.cmp(right)).is_lt();
            prop_assert!(sorted.is_sorted_by(in_order));
            for (at, entry) in keyed.entries.iter().enumerate() {
                prop_assert_eq!(entry.head == TIED, at > 0 && collate::compare(sorted[at - 1], sorted[at]).is_eq());
            }
            let mut numbers: Vec<u32> = keyed.entries.iter().map(|entry| entry.number).collect();
            numbers.sort_unstable();
            prop_assert!(numbers.into_iter().eq(0..sent.len() as u32));
        }
    }
}
