//! The distinct values of one field, in the order that sorts them; a value's place in it is its code.
//!
//! Null, booleans and numbers come first, by number; then texts, by locale; then lists and objects, by their text. A condition looks
//! its values up instead of testing each: texts by hash, numbers by bisection, texts that spell a number or a date in sorted lists.

use std::borrow::Cow;
use std::hash::BuildHasher;
use std::ops::Range;

use hashbrown::{DefaultHashBuilder, HashTable};

use super::cased_texts::CasedTexts;
use super::js_value::JsValue;
use super::texts::Texts;

/// `<` orders the values of one class totally, and never a value of one class against a value of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// Null, booleans and numbers: `<` compares them as numbers.
    Numeric,
    Text,
    /// Lists and objects.
    Composite,
}

#[derive(Debug)]
pub(super) struct Dictionary {
    /// `Number(value)` of the numeric values, ascending.
    pub(super) numbers: Box<[f64]>,
    /// The codes of null, false and true.
    pub(super) fixed: [Option<u32>; 3],
    pub(super) texts: CasedTexts,
    /// The texts of lists and objects.
    pub(super) composites: Texts,
    /// The rank of each code, if two different values share a rank; otherwise the codes are the ranks.
    pub(super) ranks: Option<Box<[u32]>>,
    /// The numbers that texts and composites spell, ascending.
    pub(super) spelt: Keyed<f64>,
    /// The instants that texts name, ascending.
    pub(super) instants: Keyed<i64>,
    pub(super) by_text: HashTable<u32>,
    pub(super) hasher: DefaultHashBuilder,
}

impl Dictionary {
    /// How many values there are: one more than the highest code.
    pub(super) fn len(&self) -> u32 {
        self.texts().end + self.composites.len() as u32
    }

    pub(super) fn numerics(&self) -> Range<u32> {
        0..self.numbers.len() as u32
    }

    pub(super) fn texts(&self) -> Range<u32> {
        let start = self.numbers.len() as u32;
        start..start + self.texts.len() as u32
    }

    pub(super) fn composites(&self) -> Range<u32> {
        self.texts().end..self.len()
    }

    pub(super) fn class(&self, code: u32) -> Class {
        if self.numerics().contains(&code) {
            Class::Numeric
        } else if self.texts().contains(&code) {
            Class::Text
        } else {
            Class::Composite
        }
    }

    /// The class of all values, if they share one.
    pub(super) fn only_class(&self) -> Option<Class> {
        // The codes of a class follow each other.
        let first = self.class(0);
        (self.class(self.len().saturating_sub(1)) == first).then_some(first)
    }

    /// The characters of a text's or composite's code.
    pub(super) fn chars(&self, code: u32) -> impl Iterator<Item = char> {
        let composite = code.checked_sub(self.texts().end).map(|number| self.composites.get(number as usize).chars());
        let text = composite.is_none().then(|| self.texts.chars((code - self.texts().start) as usize));
        composite.into_iter().flatten().chain(text.into_iter().flatten())
    }

    pub(super) fn text(&self, code: u32) -> String {
        self.chars(code).collect()
    }

    pub(super) fn value(&self, code: u32) -> JsValue<'_> {
        match self.class(code) {
            Class::Numeric => match self.fixed.iter().position(|fixed| *fixed == Some(code)) {
                Some(0) => JsValue::Null,
                Some(truth) => JsValue::Boolean(truth == 2),
                None => JsValue::Number(self.numbers[code as usize]),
            },
            Class::Text => JsValue::Text(Cow::Owned(self.text(code))),
            Class::Composite => JsValue::Composite(Cow::Owned(self.text(code))),
        }
    }

    /// The rank of a value within its class; values of equal rank are tied.
    pub(super) fn rank(&self, code: u32) -> u32 {
        self.ranks.as_ref().map_or(code, |ranks| ranks[code as usize])
    }

    /// The codes of all values with the rank of this one.
    pub(super) fn tied_with(&self, code: u32) -> Range<u32> {
        let Some(ranks) = &self.ranks else { return code..code + 1 };
        let rank = ranks[code as usize];
        let before = ranks[..code as usize].iter().rev().take_while(|other| **other == rank).count();
        let after = ranks[code as usize..].iter().take_while(|other| **other == rank).count();
        code - before as u32..code + after as u32
    }

    /// The codes of this very text, as a text and as a composite.
    pub(super) fn codes_of_text(&self, text: &str) -> impl Iterator<Item = u32> {
        let [plain, composite] = [false, true].map(|composite| {
            let hash = hash(&self.hasher, composite, text.as_bytes());
            let is_it =
                |code: &u32| self.composites().contains(code) == composite && self.chars(*code).eq(text.chars());
            self.by_text.find(hash, is_it).copied()
        });
        plain.into_iter().chain(composite)
    }

    /// The codes of the numeric values equal to this number.
    pub(super) fn codes_of_number(&self, number: f64) -> Range<u32> {
        let start = self.numbers.partition_point(|stored| *stored < number);
        let length = self.numbers[start..].partition_point(|stored| *stored <= number);
        start as u32..(start + length) as u32
    }
}

pub(super) fn hash(hasher: &DefaultHashBuilder, composite: bool, text: &[u8]) -> u64 {
    hasher.hash_one((composite, text))
}

/// Codes by keys, ascending.
#[derive(Debug)]
pub(super) struct Keyed<K> {
    keys: Box<[K]>,
    codes: Box<[u32]>,
}

impl<K: PartialOrd + Copy> Keyed<K> {
    pub(super) fn new(ascending: &[(K, u32)]) -> Keyed<K> {
        let (keys, codes) = (ascending.iter().map(|(key, _)| *key), ascending.iter().map(|(_, code)| *code));
        Keyed { keys: keys.collect(), codes: codes.collect() }
    }

    /// The codes whose keys are from `low` to `high`, both included.
    pub(super) fn between(&self, low: Option<K>, high: Option<K>) -> &[u32] {
        // rule: list/min-inclusive
        let start = low.map_or(0, |low| self.keys.partition_point(|key| *key < low));
        // rule: list/max-inclusive
        let end = high.map_or(self.keys.len(), |high| self.keys.partition_point(|key| *key <= high));
        &self.codes[start..end.max(start)]
    }
}
