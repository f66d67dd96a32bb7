//! One field of a segment: its distinct values, the code of each row, and the rows of each code.
//!
//! The rows of all codes, end to end, are posting lists and the sorted order at once. A field that few rows have keeps only their codes.

use std::borrow::Cow;

use super::bits::Bits;
use super::codes::{CodeSet, Codes};
use super::dictionary::Dictionary;
use super::dictionary_builder::DictionaryBuilder;
use super::js_value::JsValue;
use super::scratch;

/// A field that fewer than one row in 16 has is stored by row number, not by position. For a code of two bytes the limit is one row
/// in 8, for four bytes one in 4, so that a row without the field costs no more than a row with it.
const SPARSE: usize = 16;

#[derive(Debug)]
pub(super) struct Column {
    pub(super) dictionary: Dictionary,
    codes: RowCodes,
    /// Where each code's rows begin in `postings`, then where the last code's rows end; empty if each code has one row.
    starts: Box<[u32]>,
    /// The rows of each code, ascending within a code.
    postings: Box<[u32]>,
    /// The number of rows in the segment.
    pub(super) rows: usize,
}

#[derive(Debug)]
enum RowCodes {
    /// A code for every row; the code after the last means a missing field.
    Every(Codes),
    /// The rows that have the field, ascending, and their codes.
    Some(Box<[u32]>, Box<[u32]>),
}

/// Builds a column from rows in ascending order.
#[derive(Debug)]
pub(super) struct ColumnBuilder {
    dictionary: DictionaryBuilder,
    /// The rows that have the field; empty while every row has it.
    rows: Vec<u32>,
    pub(super) codes: Vec<u32>,
}

impl ColumnBuilder {
    /// Room for at most about this many rows.
    pub(super) fn new(rows: usize) -> ColumnBuilder {
        let codes = Vec::with_capacity(scratch::capacity::<u32>(rows));
        ColumnBuilder { dictionary: DictionaryBuilder::new(rows), rows: Vec::new(), codes }
    }

    /// An estimate of the work of `finish`.
    pub(super) fn work(&self) -> usize {
        self.codes.len() + self.dictionary.texts.size()
    }

    pub(super) fn push(&mut self, row: u32, value: &JsValue<'_>) {
        let before = self.codes.len() as u32;
        if row != before {
            if self.rows.is_empty() {
                self.rows = scratch::collect(self.codes.capacity(), 0..before);
            }
            self.rows.push(row);
        }
        self.codes.push(self.dictionary.code(value));
    }

    pub(super) fn finish(mut self, rows: usize, threads: usize) -> Column {
        let (dictionary, new_codes) = self.dictionary.finish(threads);
        let mut codes = self.codes;
        codes.iter_mut().for_each(|code| *code = new_codes[*code as usize]);
        if self.rows.is_empty() {
            self.rows = scratch::collect(codes.len(), 0..codes.len() as u32);
        }
        let (starts, postings) = postings(&self.rows, &codes, dictionary.len());
        let missing = dictionary.len();
        let codes = if self.rows.len() == rows {
            RowCodes::Every(Codes::new(codes, missing))
        } else if self.rows.len() >= rows * Codes::width(missing) / SPARSE {
            let mut every = scratch::filled(missing, rows);
            self.rows.iter().zip(&codes).for_each(|(row, code)| every[*row as usize] = *code);
            RowCodes::Every(Codes::new(every, missing))
        } else {
            RowCodes::Some(self.rows.into_boxed_slice(), codes.into_boxed_slice())
        };
        Column { dictionary, codes, starts, postings, rows }
    }
}

/// Returns where each code's rows begin, and all rows by code.
fn postings(rows: &[u32], codes: &[u32], distinct: u32) -> (Box<[u32]>, Box<[u32]>) {
    let mut starts = scratch::filled(0_u32, distinct as usize + 1);
    codes.iter().for_each(|code| starts[*code as usize + 1] += 1);
    for code in 0..distinct as usize {
        starts[code + 1] += starts[code];
    }
    let mut postings = vec![0; rows.len()];
    for (row, code) in rows.iter().zip(codes) {
        let place = &mut starts[*code as usize];
        postings[*place as usize] = *row;
        *place += 1;
    }
    // `starts` now holds, for each code, where the rows of the next code begin.
    starts.rotate_right(1);
    starts[0] = 0;
    let starts = if distinct as usize == rows.len() { Box::default() } else { starts.into_boxed_slice() };
    (starts, postings.into_boxed_slice())
}

impl Column {
    pub(super) fn present(&self) -> usize {
        self.postings.len()
    }

    pub(super) fn is_complete(&self) -> bool {
        self.postings.len() == self.rows
    }

    /// The row's code; `None` where it lacks the field.
    pub(super) fn code(&self, row: u32) -> Option<u32> {
        match &self.codes {
            RowCodes::Every(codes) => Some(codes.get(row)).filter(|code| *code < self.dictionary.len()),
            RowCodes::Some(rows, codes) => rows.binary_search(&row).ok().map(|at| codes[at]),
        }
    }

    /// The rank of the row's value; `u32::MAX` if it lacks the field.
    pub(super) fn rank(&self, row: u32) -> u32 {
        self.code(row).map_or(u32::MAX, |code| self.dictionary.rank(code))
    }

    /// The rows of one code, ascending.
    pub(super) fn rows_of(&self, code: u32) -> &[u32] {
        self.rows_of_range(code, code + 1)
    }

    /// The rows of the codes `from..to`, by code.
    pub(super) fn rows_of_range(&self, from: u32, to: u32) -> &[u32] {
        &self.postings[self.rows_before(from)..self.rows_before(to)]
    }

    /// How many rows have a code below this one.
    pub(super) fn rows_before(&self, code: u32) -> usize {
        self.starts.get(code as usize).copied().unwrap_or(code) as usize
    }

    pub(super) fn count(&self, codes: &CodeSet) -> usize {
        codes.ranges.iter().map(|range| self.rows_before(range.end) - self.rows_before(range.start)).sum()
    }

    /// The rows that have a code of the set, ascending.
    pub(super) fn gather(&self, codes: &CodeSet) -> Cow<'_, [u32]> {
        if let [range] = codes.ranges.as_slice()
            && range.len() == 1
        {
            return Cow::Borrowed(self.rows_of(range.start));
        }
        let mut rows = Vec::with_capacity(self.count(codes));
        for range in &codes.ranges {
            rows.extend_from_slice(self.rows_of_range(range.start, range.end));
        }
        rows.sort_unstable();
        Cow::Owned(rows)
    }

    /// Removes the rows from `bits` whose code is not `wanted`.
    pub(super) fn keep(&self, wanted: &CodeSet, bits: &mut Bits) {
        match &self.codes {
            RowCodes::Every(codes) => codes.keep(wanted, self.dictionary.len(), bits),
            RowCodes::Some(..) => {
                let mut kept = Bits::none(self.rows);
                self.gather(wanted).iter().for_each(|row| kept.insert(*row));
                bits.intersect(&kept);
            }
        }
    }
}
