//! A set of rows of a segment as one bit a row. Never grows.

use std::ops::Range;

pub(super) const WORD: usize = 64;

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Bits {
    pub(super) words: Vec<u64>,
}

impl Bits {
    pub(super) fn none(rows: usize) -> Bits {
        Bits { words: vec![0; rows.div_ceil(WORD)] }
    }

    pub(super) fn all(rows: usize) -> Bits {
        let mut words = vec![u64::MAX; rows.div_ceil(WORD)];
        if let (Some(last), beyond @ 1..) = (words.last_mut(), rows % WORD) {
            *last = (1 << beyond) - 1;
        }
        Bits { words }
    }

    pub(super) fn insert(&mut self, row: u32) {
        self.words[row as usize / WORD] |= 1 << (row as usize % WORD);
    }

    pub(super) fn contains(&self, row: u32) -> bool {
        self.words[row as usize / WORD] >> (row as usize % WORD) & 1 == 1
    }

    pub(super) fn count(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The rows, ascending.
    pub(super) fn rows(&self) -> impl Iterator<Item = u32> {
        (0..).step_by(WORD).zip(&self.words).flat_map(|(first, word)| rows_of(first, *word))
    }

    /// The rows at these places among all rows of the set.
    pub(super) fn slice(&self, places: Range<usize>) -> Vec<u32> {
        let mut before = 0;
        let mut rows = Vec::with_capacity(places.len());
        for (first, word) in (0..).step_by(WORD).zip(&self.words) {
            let count = word.count_ones() as usize;
            if before + count > places.start {
                let skipped = places.start.saturating_sub(before);
                rows.extend(rows_of(first, *word).skip(skipped).take(places.len() - rows.len()));
                if rows.len() == places.len() {
                    break;
                }
            }
            before += count;
        }
        rows
    }

    pub(super) fn intersect(&mut self, other: &Bits) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word &= other);
    }

    pub(super) fn subtract(&mut self, other: &Bits) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word &= !other);
    }
}

/// The rows whose bits are set in a word that begins with row `first`.
fn rows_of(first: u32, word: u64) -> impl Iterator<Item = u32> {
    let rest = |word: &u64| Some(word & (word - 1)).filter(|rest| *rest != 0);
    std::iter::successors(Some(word).filter(|word| *word != 0), rest).map(move |word| first + word.trailing_zeros())
}
