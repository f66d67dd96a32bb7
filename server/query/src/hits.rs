//! Which rows of a segment a query keeps: all, a few by number, or many as bits.

use std::borrow::Cow;
use std::ops::Range;

use super::bits::Bits;

#[derive(Debug)]
pub(super) enum Hits<'a> {
    /// Every row of a segment with this many.
    All(usize),
    /// These rows, ascending.
    Rows(Cow<'a, [u32]>),
    /// The rows in the set, and their number.
    Bits(Bits, usize),
}

impl<'a> Hits<'a> {
    pub(super) fn of_bits(bits: Bits) -> Hits<'a> {
        let count = bits.count();
        Hits::Bits(bits, count)
    }

    pub(super) fn without(self, dead: Option<&Bits>) -> Hits<'a> {
        let Some(dead) = dead else { return self };
        let mut bits = match self {
            Hits::Rows(rows) => {
                return Hits::Rows(Cow::Owned(rows.iter().copied().filter(|row| !dead.contains(*row)).collect()));
            }
            Hits::All(rows) => Bits::all(rows),
            Hits::Bits(bits, _) => bits,
        };
        bits.subtract(dead);
        Hits::of_bits(bits)
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Hits::All(count) | Hits::Bits(_, count) => *count,
            Hits::Rows(rows) => rows.len(),
        }
    }

    /// Whether all rows meet a condition; stops at the first that does not.
    pub(super) fn all(&self, mut meets: impl FnMut(u32) -> bool) -> bool {
        match self {
            Hits::All(count) => (0..*count as u32).all(meets),
            Hits::Rows(rows) => rows.iter().all(|row| meets(*row)),
            Hits::Bits(bits, _) => bits.rows().all(meets),
        }
    }

    /// The rows at these places of the ascending order.
    pub(super) fn slice(&self, places: Range<usize>) -> Vec<u32> {
        match self {
            Hits::All(_) => (places.start as u32..places.end as u32).collect(),
            Hits::Rows(rows) => rows[places].to_vec(),
            Hits::Bits(bits, _) => bits.slice(places),
        }
    }

    pub(super) fn to_vec(&self) -> Vec<u32> {
        self.slice(0..self.len())
    }
}
