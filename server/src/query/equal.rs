//! Loose equality between a stored field and what a parameter sent: JavaScript's `==`, and instants for dates.

use super::datum::Datum;
use super::value::{Scalar, Sent};
use super::{date, number};

/// The values of one equality filter, sorted by how they are compared, so that a long list costs little more than one.
///
/// A stored value equals when it equals any of them.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct AnyOf {
    /// Ascending; compared with stored texts.
    texts: Vec<String>,
    /// Numbers and booleans, ascending; compared with stored texts by the number they spell.
    numbers: Vec<f64>,
    /// The same and what the sent texts spell, ascending; compared with stored numbers and booleans.
    numbers_and_spelt: Vec<f64>,
    /// Instants in milliseconds, ascending; compared with stored ISO date texts.
    instants: Vec<i64>,
}

impl AnyOf {
    pub(super) fn new(sent: &Sent) -> AnyOf {
        let mut any = AnyOf { texts: vec![], numbers: vec![], numbers_and_spelt: vec![], instants: vec![] };
        for scalar in sent.items() {
            match scalar {
                // rule: list/loose-boolean-number, list/loose-boolean-number-text, list/loose-true-text
                Scalar::Boolean(boolean) => any.numbers.push(f64::from(u8::from(*boolean))),
                Scalar::Number(number) => any.numbers.push(without_sign_of_zero(*number)),
                Scalar::Date(instant) => any.instants.push(*instant),
                Scalar::Text(text) => {
                    any.texts.push(text.clone());
                    any.numbers_and_spelt.push(without_sign_of_zero(number::to_number(text)));
                }
            }
        }
        any.numbers_and_spelt.retain(|number| !number.is_nan());
        any.numbers_and_spelt.extend_from_slice(&any.numbers);
        any.texts.sort_unstable();
        any.numbers.sort_unstable_by(f64::total_cmp);
        any.numbers_and_spelt.sort_unstable_by(f64::total_cmp);
        any.instants.sort_unstable();
        any
    }

    /// Whether the stored value is loosely equal to any of the sent ones.
    pub(super) fn equals(&self, stored: &Datum) -> bool {
        match stored {
            // rule: list/loose-null
            Datum::Null => false,
            // rule: list/loose-number-boolean-field
            Datum::Boolean(_) => contains(&self.numbers_and_spelt, stored.to_number()),
            Datum::Number(number) => contains(&self.numbers_and_spelt, *number),
            Datum::Text(text) => self.has_text(text) || self.has_instant(text),
            // rule: list/loose-list-field
            Datum::Composite(text) => self.has_text(text),
        }
    }

    fn has_text(&self, text: &str) -> bool {
        // rule: list/equal-text-exact
        if self.texts.binary_search_by(|sent| sent.as_str().cmp(text)).is_ok() {
            return true;
        }
        // rule: list/loose-number-text, list/loose-number-text-forms, list/loose-number-other-text
        // rule: list/loose-false-empty-text
        !self.numbers.is_empty() && contains(&self.numbers, number::to_number(text))
    }

    fn has_instant(&self, text: &str) -> bool {
        // rule: list/date-other-day
        !self.instants.is_empty()
            && date::instant_ms(text).is_some_and(|instant| self.instants.binary_search(&instant).is_ok())
    }
}

/// Whether the ascending `numbers` hold `number`; NaN is in none.
fn contains(numbers: &[f64], number: f64) -> bool {
    let number = without_sign_of_zero(number);
    !number.is_nan() && numbers.binary_search_by(|sent| sent.total_cmp(&number)).is_ok()
}

/// Both zeros as the positive one, so that the total order of doubles tells them not apart.
fn without_sign_of_zero(number: f64) -> f64 {
    number + 0.0
}
