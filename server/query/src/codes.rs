//! The codes of a column's rows, in one, two or four bytes each; the set of codes that a condition selects; and scans for it, 64 rows at a time.
//!
//! A scan compares 64 codes into 64 bytes and packs these into one word of bits: the compiler makes vector code of both.

use std::ops::Range;

use super::bits::{Bits, WORD};

/// A set of more ranges than this is looked up in a table of all codes, instead of comparing range by range.
const COMPARED_MAX: usize = 6;

/// Ascending ranges that do not touch each other.
#[derive(Debug)]
pub(super) struct CodeSet {
    pub(super) ranges: Vec<Range<u32>>,
}

impl CodeSet {
    /// The set of these codes, given in any order, duplicates included.
    pub(super) fn of(codes: Vec<u32>) -> CodeSet {
        CodeSet::of_ranges(codes.into_iter().map(|code| code..code + 1).collect())
    }

    /// The set of all codes in ranges given in any order.
    pub(super) fn of_ranges(mut ranges: Vec<Range<u32>>) -> CodeSet {
        ranges.sort_unstable_by_key(|range| range.start);
        ranges.retain(|range| !range.is_empty());
        ranges.dedup_by(|next, last| {
            let touches = next.start <= last.end;
            if touches {
                last.end = last.end.max(next.end);
            }
            touches
        });
        CodeSet { ranges }
    }

    pub(super) fn contains(&self, code: u32) -> bool {
        let after = self.ranges.partition_point(|range| range.start <= code);
        after > 0 && code < self.ranges[after - 1].end
    }
}

#[derive(Debug)]
pub(super) enum Codes {
    Bytes(Box<[u8]>),
    Shorts(Box<[u16]>),
    Words(Box<[u32]>),
}

impl Codes {
    /// Bytes of a code if `highest` is the highest one.
    pub(super) fn width(highest: u32) -> usize {
        match highest {
            0..=0xff => 1,
            0x100..=0xffff => 2,
            _ => 4,
        }
    }

    pub(super) fn new(codes: Vec<u32>, highest: u32) -> Codes {
        match Codes::width(highest) {
            1 => Codes::Bytes(codes.iter().map(|code| *code as u8).collect()),
            2 => Codes::Shorts(codes.iter().map(|code| *code as u16).collect()),
            _ => Codes::Words(codes.into_boxed_slice()),
        }
    }

    pub(super) fn get(&self, row: u32) -> u32 {
        match self {
            Codes::Bytes(codes) => codes[row as usize].into(),
            Codes::Shorts(codes) => codes[row as usize].into(),
            Codes::Words(codes) => codes[row as usize],
        }
    }

    /// Removes the rows from `bits` whose code is not in the set. `highest` is the highest code.
    pub(super) fn keep(&self, wanted: &CodeSet, highest: u32, bits: &mut Bits) {
        let words = &mut bits.words;
        match self {
            Codes::Bytes(codes) => keep(codes, wanted, highest, words),
            Codes::Shorts(codes) => keep(codes, wanted, highest, words),
            Codes::Words(codes) => keep(codes, wanted, highest, words),
        }
    }
}

trait Code: Copy {
    fn narrow(code: u32) -> Self;
    fn index(self) -> usize;
    /// Whether the code is one of the `count` codes from `first` on.
    fn is_in(self, first: Self, count: Self) -> bool;
}

macro_rules! code {
    ($($width:ty),*) => {$(
        impl Code for $width {
            fn narrow(code: u32) -> Self {
                code as $width
            }

            fn index(self) -> usize {
                self as usize
            }

            fn is_in(self, first: Self, count: Self) -> bool {
                self.wrapping_sub(first) < count
            }
        }
    )*};
}

code!(u8, u16, u32);

fn keep<C: Code>(codes: &[C], wanted: &CodeSet, highest: u32, words: &mut [u64]) {
    if wanted.ranges.len() > COMPARED_MAX {
        let mut table = vec![0_u8; highest as usize + 1];
        for range in &wanted.ranges {
            table[range.start as usize..range.end as usize].fill(1);
        }
        scan(codes, words, &[()], |code, ()| table[code.index()]);
    } else {
        // No range has all codes that fit the width: the highest one means a missing field.
        let range = |range: &Range<u32>| (C::narrow(range.start), C::narrow(range.end - range.start));
        let ranges: Vec<(C, C)> = wanted.ranges.iter().map(range).collect();
        scan(codes, words, &ranges, |code, (first, count)| u8::from(code.is_in(*first, *count)));
    }
}

/// Clears the bits of rows that pass none of `tests`. `passes` returns 1 if a code passes a test, else 0.
fn scan<C: Code, T>(codes: &[C], words: &mut [u64], tests: &[T], passes: impl Fn(C, &T) -> u8) {
    let mark = |marks: &mut [u8; WORD], block: &[C]| {
        for test in tests {
            marks.iter_mut().zip(block).for_each(|(mark, code)| *mark |= passes(*code, test));
        }
    };
    let (blocks, rest) = codes.as_chunks::<WORD>();
    let (whole, last) = words.split_at_mut(blocks.len());
    for (word, block) in whole.iter_mut().zip(blocks) {
        if *word != 0 {
            let mut marks = [0; WORD];
            mark(&mut marks, block);
            *word &= pack(&marks);
        }
    }
    if let [word] = last {
        let mut marks = [0; WORD];
        mark(&mut marks, rest);
        *word &= pack(&marks);
    }
}

/// Sixty-four bytes of 0 or 1 as the bits of one word.
fn pack(marks: &[u8; WORD]) -> u64 {
    // The multiplication brings the lowest bit of byte i to bit 56 + i, without carries.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let (groups, _) = marks.as_chunks::<8>();
    let packed = groups.iter().map(|group| u64::from_le_bytes(*group).wrapping_mul(GATHER) >> 56);
    (0..).step_by(8).zip(packed).fold(0, |word, (shift, bits)| word | bits << shift)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_scan_keeps_the_rows_whose_code_is_wanted(
            seed in prop::collection::vec(0u32..1000, 0..300),
            highest in prop::sample::select(vec![3u32, 255, 256, 65_535, 65_536, 1 << 20]),
            wanted in prop::collection::vec(0u32..1000, 0..12),
        ) {
            let codes: Vec<u32> = seed.iter().map(|code| code % highest).collect();
            let wanted = CodeSet::of(wanted.iter().map(|code| code % highest).collect());
            let stored = Codes::new(codes.clone(), highest);
            let mut bits = Bits::all(codes.len());
            stored.keep(&wanted, highest, &mut bits);
            let rows = (0..).zip(&codes).filter(|(_, code)| wanted.contains(**code)).map(|(row, _)| row);
            prop_assert_eq!(bits.rows().collect::<Vec<u32>>(), rows.collect::<Vec<u32>>());
            for (row, code) in (0..).zip(&codes) {
                prop_assert_eq!(stored.get(row), *code);
            }
        }
    }
}
