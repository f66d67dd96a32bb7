//! A set of codes of a column, as ranges. What a condition comes to once it has been put to a dictionary.

use std::ops::Range;

/// Ascending ranges that do not touch each other.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct CodeSet {
    ranges: Vec<Range<u32>>,
}

impl CodeSet {
    /// The set of these codes, in any order, each once or more often.
    pub(super) fn of(mut codes: Vec<u32>) -> CodeSet {
        codes.sort_unstable();
        let mut set = CodeSet::default();
        for code in codes {
            set.push(code..code + 1);
        }
        set
    }

    /// The set of all codes in ranges given in any order.
    pub(super) fn of_ranges(mut ranges: Vec<Range<u32>>) -> CodeSet {
        ranges.sort_unstable_by_key(|range| range.start);
        let mut set = CodeSet::default();
        for range in ranges {
            set.push(range);
        }
        set
    }

    /// Adds a range that does not begin before the last one does.
    fn push(&mut self, range: Range<u32>) {
        match self.ranges.last_mut() {
            _ if range.is_empty() => {}
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => self.ranges.push(range),
        }
    }

    pub(super) fn ranges(&self) -> &[Range<u32>] {
        &self.ranges
    }

    pub(super) fn contains(&self, code: u32) -> bool {
        let after = self.ranges.partition_point(|range| range.start <= code);
        after > 0 && code < self.ranges[after - 1].end
    }
}
