//! `<` and `>` as JavaScript decides them, and the bounds of min_ and max_ that rest on them.

use std::cmp::Ordering;

use super::datum::Datum;
use super::value::{self, Scalar, Sent};
use super::{date, number};

/// What a min_ or max_ parameter sent, prepared for comparison.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Bound {
    /// A boolean counts as 0 or 1.
    Number(f64),
    /// An instant in milliseconds since 1970.
    Date(i64),
    /// A text, or the text of a list, and the number that it spells (NaN for none).
    Text(String, f64),
}

impl Bound {
    pub(super) fn new(sent: &Sent) -> Bound {
        match sent {
            Sent::One(Scalar::Boolean(boolean)) => Bound::Number(f64::from(u8::from(*boolean))),
            Sent::One(Scalar::Number(number)) => Bound::Number(*number),
            Sent::One(Scalar::Date(instant)) => Bound::Date(*instant),
            Sent::One(Scalar::Text(text)) => Bound::text(text.clone()),
            // rule: list/bound-list-value
            Sent::List(scalars) => Bound::text(value::list_text(scalars)),
        }
    }

    fn text(text: String) -> Bound {
        let spelt = number::to_number(&text);
        Bound::Text(text, spelt)
    }

    /// How the stored value stands to this one; `None` where neither `<=` nor `>=` holds.
    pub(super) fn order_of(&self, stored: &Datum) -> Option<Ordering> {
        match (self, stored) {
            // rule: list/date-bounds
            (Bound::Date(instant), Datum::Text(text)) => match date::instant_ms(text) {
                Some(stored) => Some(stored.cmp(instant)),
                None => number::to_number(text).partial_cmp(&as_number(*instant)),
            },
            (Bound::Date(instant), _) => stored.to_number().partial_cmp(&as_number(*instant)),
            // rule: list/bound-text, list/bound-null-field
            (Bound::Number(number), _) => stored.to_number().partial_cmp(number),
            (Bound::Text(text, spelt), _) => match stored.as_text() {
                Some(stored) => Some(by_code_unit(stored, text)),
                None => stored.to_number().partial_cmp(spelt),
            },
        }
    }
}

/// `left < right` and `left > right` at once for two stored values; neither smaller means equal.
///
/// Two texts compare by code unit here too: `sort` compares those by locale before it asks.
pub(super) fn by_operators(left: &Datum, right: &Datum) -> Ordering {
    match (left.as_text(), right.as_text()) {
        (Some(left), Some(right)) => by_code_unit(left, right),
        // rule: list/sort-null, list/sort-mixed
        _ => left.to_number().partial_cmp(&right.to_number()).unwrap_or(Ordering::Equal),
    }
}

/// The order of two texts by UTF-16 code unit.
///
/// UTF-8 bytes order the same way but for one thing: characters beyond U+FFFF, led by F0 to F4, are surrogate pairs in
/// UTF-16 and stand before U+E000 to U+FFFF, led by EE and EF.
fn by_code_unit(left: &str, right: &str) -> Ordering {
    let rank = |byte: u8| {
        if matches!(byte, 0xee | 0xef) { byte + 0x10 } else { byte }
    };
    left.bytes().map(rank).cmp(right.bytes().map(rank))
}

/// Milliseconds as a double; exact for every date with four digits of year.
fn as_number(instant_ms: i64) -> f64 {
    instant_ms as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn code_unit_order_is_that_of_utf16(left in "[a\u{d7ff}\u{e000}\u{ffff}\u{10000}\u{10ffff}]{0,4}|\\PC{0,4}", right in "[a\u{d7ff}\u{e000}\u{ffff}\u{10000}\u{10ffff}]{0,4}|\\PC{0,4}") {
            prop_assert_eq!(by_code_unit(&left, &right), left.encode_utf16().cmp(right.encode_utf16()));
        }
    }
}
