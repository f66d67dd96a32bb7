//! Loose equality between stored values and what a parameter sent: JavaScript's `==`, and instants for dates.

use super::codes::CodeSet;
use super::dictionary::Dictionary;
use super::number;
use super::query_value::{QueryValue, Scalar};

/// The values of one equality filter, by how they are compared. A stored value equals when it equals any of them.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct AnyOf {
    /// Compared with stored texts.
    texts: Vec<String>,
    /// Numbers and booleans; compared with stored texts by the number they spell.
    numbers: Vec<f64>,
    /// `numbers`, and those that the sent texts spell; compared with stored numbers and booleans.
    numbers_and_spelt: Vec<f64>,
    /// Instants in milliseconds; compared with stored ISO date texts.
    instants: Vec<i64>,
}

impl AnyOf {
    pub(super) fn new(sent: &QueryValue) -> AnyOf {
        let mut any = AnyOf { texts: vec![], numbers: vec![], numbers_and_spelt: vec![], instants: vec![] };
        for scalar in &sent.0 {
            match scalar {
                // rule: list/loose-boolean-number, list/loose-boolean-number-text, list/loose-true-text
                Scalar::Boolean(boolean) => any.numbers.push(f64::from(u8::from(*boolean))),
                Scalar::Number(number) => any.numbers.push(*number),
                Scalar::Date(instant) => any.instants.push(*instant),
                Scalar::Text(text) => {
                    any.texts.push(text.clone());
                    any.numbers_and_spelt.push(number::to_number(text));
                }
            }
        }
        any.numbers_and_spelt.retain(|number| !number.is_nan());
        any.numbers_and_spelt.extend_from_slice(&any.numbers);
        any
    }

    /// The codes of all values that are loosely equal to any of the sent ones.
    pub(super) fn codes(&self, dictionary: &Dictionary) -> CodeSet {
        let mut codes = Vec::new();
        for number in &self.numbers_and_spelt {
            // rule: list/loose-number-boolean-field
            codes.extend(dictionary.codes_of_number(*number));
        }
        // rule: list/loose-null
        codes.retain(|code| dictionary.fixed[0] != Some(*code));
        for text in &self.texts {
            // rule: list/equal-text-exact, list/loose-list-field
            codes.extend(dictionary.codes_of_text(text));
        }
        for number in &self.numbers {
            // rule: list/loose-number-text, list/loose-number-text-forms, list/loose-number-other-text, list/loose-false-empty-text
            codes.extend(dictionary.spelt.between(Some(*number), Some(*number)));
        }
        for instant in &self.instants {
            // rule: list/date-other-day
            codes.extend(dictionary.instants.between(Some(*instant), Some(*instant)));
        }
        CodeSet::of(codes)
    }
}
