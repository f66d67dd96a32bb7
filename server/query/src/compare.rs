//! `<` and `>` as JavaScript decides them, and the bounds of min_ and max_ that rest on them.

use std::cmp::Ordering;
use std::ops::Range;

use super::codes::CodeSet;
use super::dictionary::{Dictionary, Keyed};
use super::js_value::JsValue;
use super::number;
use super::query_value::{self, QueryValue, Scalar};

/// The value of a min_ or max_ parameter, prepared for comparison.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Bound {
    /// A boolean counts as 0 or 1.
    Number(f64),
    /// An instant in milliseconds since 1970.
    Date(i64),
    /// A text, or the text of a list, and the number that it spells (NaN for none).
    Text(String, f64),
}

/// The side of a bound whose values pass; the bound itself passes, too.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Side {
    AtLeast,
    AtMost,
}

impl Bound {
    pub(super) fn new(sent: &QueryValue) -> Bound {
        match sent.0.as_slice() {
            [Scalar::Boolean(boolean)] => Bound::Number(f64::from(u8::from(*boolean))),
            [Scalar::Number(number)] => Bound::Number(*number),
            [Scalar::Date(instant)] => Bound::Date(*instant),
            // rule: list/bound-list-value
            texts => {
                let text = query_value::list_text(texts);
                let spelt = number::to_number(&text);
                Bound::Text(text, spelt)
            }
        }
    }

    /// The codes of all values on this side of the bound; none where neither `<=` nor `>=` holds.
    pub(super) fn codes(&self, side: Side, dictionary: &Dictionary) -> CodeSet {
        let mut ranges = Vec::new();
        let by_number = |number: f64| {
            // rule: list/bound-null-field, list/bound-text
            [numerics(number, side, dictionary)].into_iter().chain(side.part(&dictionary.spelt, number))
        };
        match self {
            Bound::Number(number) => ranges.extend(by_number(*number)),
            // rule: list/date-bounds
            Bound::Date(instant) => {
                // As a double every date with four digits of year is exact. No text both names a date and spells a number.
                ranges.extend(by_number(*instant as f64));
                ranges.extend(side.part(&dictionary.instants, *instant));
            }
            Bound::Text(text, spelt) => {
                // rule: list/bound-text, list/bound-null-field
                if !spelt.is_nan() {
                    ranges.push(numerics(*spelt, side, dictionary));
                }
                let texts = dictionary.texts().start..dictionary.len();
                // rule: list/bound-text
                let kept = texts.filter(|code| side.holds(by_code_unit(dictionary.chars(*code), text.chars())));
                ranges.extend(kept.map(|code| code..code + 1));
            }
        }
        CodeSet::of_ranges(ranges)
    }
}

impl Side {
    fn holds(self, stored_to_bound: Ordering) -> bool {
        match self {
            // rule: list/min-keeps, list/min-inclusive
            Side::AtLeast => stored_to_bound.is_ge(),
            // rule: list/max-keeps, list/max-inclusive
            Side::AtMost => stored_to_bound.is_le(),
        }
    }

    /// The codes in the part of an ascending list that lies on this side.
    fn part<K: PartialOrd + Copy>(self, list: &Keyed<K>, bound: K) -> impl Iterator<Item = Range<u32>> {
        let part = match self {
            Side::AtLeast => list.between(Some(bound), None),
            Side::AtMost => list.between(None, Some(bound)),
        };
        part.iter().map(|code| *code..*code + 1)
    }
}

fn numerics(bound: f64, side: Side, dictionary: &Dictionary) -> Range<u32> {
    let equal = dictionary.codes_of_number(bound);
    match side {
        // rule: list/min-keeps, list/min-inclusive
        Side::AtLeast => equal.start..dictionary.numerics().end,
        // rule: list/max-keeps, list/max-inclusive
        Side::AtMost => 0..equal.end,
    }
}

/// Compares two stored values by `<` and `>`; they are equal if neither is smaller. Compares texts by code unit: `sort` orders them itself.
pub(super) fn by_operators(left: &JsValue<'_>, right: &JsValue<'_>) -> Ordering {
    match (left.as_text(), right.as_text()) {
        (Some(left), Some(right)) => by_code_unit(left.chars(), right.chars()),
        // rule: list/sort-mixed
        _ => left.to_number().partial_cmp(&right.to_number()).unwrap_or(Ordering::Equal),
    }
}

/// The order of two texts by UTF-16 code unit. Characters beyond U+FFFF are surrogate pairs there, which come before U+E000 to U+FFFF.
pub(super) fn by_code_unit(left: impl Iterator<Item = char>, right: impl Iterator<Item = char>) -> Ordering {
    let rank = |letter: char| (matches!(letter, '\u{e000}'..='\u{ffff}'), letter);
    left.map(rank).cmp(right.map(rank))
}
