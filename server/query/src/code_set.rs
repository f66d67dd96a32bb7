//! A set of codes of a column, as ranges. What a condition comes to once it has been put to a dictionary.

use std::ops::Range;

/// Ascending ranges that do not touch each other.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct CodeSet {
    ranges: Vec<Range<u32>>,
}

impl CodeSet {
    /// The set of these codes, in any order, each once or more often.
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

    pub(super) fn ranges(&self) -> &[Range<u32>] {
        &self.ranges
    }

    pub(super) fn contains(&self, code: u32) -> bool {
        let after = self.ranges.partition_point(|range| range.start <= code);
        after > 0 && code < self.ranges[after - 1].end
    }
}
