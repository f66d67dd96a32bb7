//! The rows of a segment whose books have been replaced or deleted since. Cheap to clone, and a clone never changes.

use super::bits::{self, Bits, WORD};

#[derive(Debug, Clone, Default)]
pub(super) struct Dead {
    count: usize,
    /// One bit a row; empty while none is dead.
    words: imbl::Vector<u64>,
}

impl Dead {
    pub(super) fn count(&self) -> usize {
        self.count
    }

    pub(super) fn contains(&self, row: u32) -> bool {
        self.count > 0 && self.words.get(row as usize / WORD).is_some_and(|word| word >> (row as usize % WORD) & 1 == 1)
    }

    /// Marks a row of a segment with this many rows as dead.
    pub(super) fn insert(&mut self, row: u32, rows: usize) {
        if self.words.is_empty() {
            self.words = std::iter::repeat_n(0, rows.div_ceil(WORD)).collect();
        }
        let bit = 1 << (row as usize % WORD);
        if let Some(word) = self.words.get_mut(row as usize / WORD)
            && *word & bit == 0
        {
            *word |= bit;
            self.count += 1;
        }
    }

    /// The dead rows, ascending.
    pub(super) fn rows(&self) -> impl Iterator<Item = u32> {
        (0..).step_by(WORD).zip(&self.words).flat_map(|(first, word)| bits::rows_of(first, *word))
    }

    pub(super) fn take_from(&self, bits: &mut Bits) {
        bits.subtract(self.words.iter());
    }
}
