//! Pairs random values: a value of one service always corresponds to the same value of the other.

use std::collections::BTreeMap;

/// The pairs of both sides.
#[derive(Debug, Default)]
pub(crate) struct Pairing {
    to_right: BTreeMap<String, String>,
    to_left: BTreeMap<String, String>,
}

impl Pairing {
    /// Pairs two values; `false` if their forms differ or one is paired with another value.
    pub(crate) fn holds(&mut self, left: &str, right: &str) -> bool {
        if !alike(left, right) {
            return false;
        }
        let to_right = self.to_right.entry(left.to_owned()).or_insert_with(|| right.to_owned());
        let to_left = self.to_left.entry(right.to_owned()).or_insert_with(|| left.to_owned());
        to_right == right && to_left == left
    }

    /// Whether one of them is paired with another value.
    pub(crate) fn contradicts(&self, left: &str, right: &str) -> bool {
        self.to_right.get(left).is_some_and(|known| known != right)
            || self.to_left.get(right).is_some_and(|known| known != left)
    }

    /// Replaces every known left value by the right one.
    pub(crate) fn translated(&self, left: &str) -> String {
        let mut text = left.to_owned();
        for (own, other) in self.to_right.iter().filter(|(own, _)| own.len() >= 10) {
            text = text.replace(own, other);
        }
        text
    }
}

/// Whether two texts have the same length and form: alike except for hexadecimal digits, which have the same letter
/// case.
fn alike(left: &str, right: &str) -> bool {
    let other = |text: &str| -> String { text.chars().filter(|c| !c.is_ascii_hexdigit()).collect() };
    let has =
        |of: fn(char) -> bool| [left, right].iter().any(|text| text.chars().any(|c| c.is_ascii_hexdigit() && of(c)));
    let mixed = has(|c| c.is_ascii_lowercase()) && has(|c| c.is_ascii_uppercase());
    left.chars().count() == right.chars().count() && other(left) == other(right) && !mixed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_once_seen_stays_a_pair() {
        let mut pairing = Pairing::default();
        assert!(pairing.holds("0a1b", "c0de") && pairing.holds("ffff", "0000") && pairing.holds("0a1b", "c0de"));
        assert!(!pairing.holds("0a1b", "beef"), "another on the right");
        assert!(!pairing.holds("dead", "c0de"), "another on the left");
        assert!(!pairing.holds("12ab", "12abc") && !pairing.holds("1a2b", "1A2B"), "another form");
    }
}
