//! Masks such as `<now: made>`: a reviewed text shows them in place of values, which must satisfy their relations. Renders nothing.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use serde_json::Value;

use crate::clock;
use crate::invariants::form::{is_hex, is_text};

/// How far the implementation's "now" may be from the time of a transcript: from its beginning until the answer that shows it.
const NOW_TOLERANCE_MS: i64 = 5_000;

/// Values by their labels, for relations to compare others with.
pub(super) type Bound = BTreeMap<String, Value>;

/// Whether a value satisfies a relation; `conformance/snapshots/README.md` explains each. The name of a value is a relation that no value
/// satisfies. A relation with a label binds the value to it.
pub(super) fn satisfies(relation: &str, value: &Value, bound: &mut Bound, during: &RangeInclusive<i64>) -> bool {
    let time = |value: &Value| value.as_str().and_then(clock::parse_any_iso);
    let is_near = |time: i64| (during.start() - NOW_TOLERANCE_MS..=during.end() + NOW_TOLERANCE_MS).contains(&time);
    // In any ISO 8601 form: cases of their own judge the form.
    let is_now = || time(value).is_some_and(is_near);
    let items = value.as_array().map_or(&[][..], Vec::as_slice);
    let words: Vec<&str> = relation.split(' ').collect();
    let (holds, label) = match words[..] {
        ["text"] => (is_text(value), None),
        ["true", "or", "false"] => (value.is_boolean(), None),
        ["no", "devices"] => (*value == 0 || value.as_array().is_some_and(Vec::is_empty), None),
        ["header.payload.placeholder"] => {
            let segments: Vec<_> = value.as_str().unwrap_or_default().split('.').collect();
            (segments.len() == 3 && !segments.contains(&""), None)
        }
        ["an", "id"] | ["id", _] => (value.as_f64().is_some_and(|id| id > 0.0 && id.fract() == 0.0), Some(relation)),
        ["now", "in", "milliseconds"] => {
            let time = value.as_str().and_then(|text| text.parse::<i64>().ok()).filter(|time| is_near(*time));
            let written = time.map(|time| time.to_string());
            (written.is_some() && written.as_deref() == value.as_str(), Some("id"))
        }
        [digits, "lowercase", "hex", "digits"] => (is_hex(value, number(digits), true), None),
        [digits, "hex", "digits", "of", "either", "case"] => (is_hex(value, number(digits), false), None),
        [count, "different", "codes", "of", digits, "uppercase", "hex", "digits"] => {
            let is_code = |code: &Value| {
                is_hex(code, number(digits), false) && *code == code.as_str().unwrap_or_default().to_uppercase()
            };
            let differ = items.iter().enumerate().all(|(index, code)| !items[..index].contains(code));
            (items.len() == number(count) && items.iter().all(is_code) && differ, None)
        }
        _ => {
            let after = |mark| relation.strip_prefix(mark);
            if let Some(label) = after("now: ") {
                (is_now(), Some(label))
            } else if let Some(label) = after("now, >= ") {
                let earlier = bound.get(label).and_then(time);
                (is_now() && earlier.zip(time(value)).is_some_and(|(earlier, time)| time >= earlier), None)
            } else if let Some(label) = after("= ") {
                (bound.get(label) == Some(value), None)
            } else if let Some(texts) = after("in any order: ") {
                let has = |text| items.iter().any(|item| item == text);
                (items.len() == texts.split(", ").count() && texts.split(", ").all(has), None)
            } else {
                let beginning = relation.strip_suffix("...");
                let rest = value.as_str().zip(beginning).and_then(|(text, beginning)| text.strip_prefix(beginning));
                (rest.is_some_and(|rest| !rest.is_empty()), None)
            }
        }
    };
    if let (true, Some(label)) = (holds, label) {
        bound.insert(label.to_owned(), value.clone());
    }
    holds
}

/// A number in a relation; for other texts one that no value has.
fn number(word: &str) -> usize {
    word.parse().unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_relation_holds_of_what_satisfies_it_alone() {
        let codes = "2 different codes of 2 uppercase hex digits";
        for (relation, holds, fails) in [
            ("now: t", json!("1970-01-01T00:00:02.500Z"), json!("1970-01-01T00:01:02.500Z")),
            ("now: t", json!("1970-01-01T00:00:02Z"), json!(2_000)),
            ("now: t", json!("1970-01-01T01:00:02.500000+01:00"), json!("")),
            ("= id A", json!(7), json!(8)),
            ("now, >= made", json!("1970-01-01T00:00:01.000Z"), json!("1970-01-01T00:00:00.999Z")),
            ("2 lowercase hex digits", json!("0f"), json!("0F")),
            ("4 hex digits of either case", json!("0Ff9"), json!("0Fg9")),
            (codes, json!(["0F", "A1"]), json!(["0F", "0F"])),
            (codes, json!(["0F", "A1"]), json!(["0F", "a1"])),
            ("header.payload.placeholder", json!("a.b.c"), json!("a.b.")),
            ("text", json!("a"), json!("")),
            ("ak_...", json!("ak_1"), json!("ak_")),
            ("in any order: a, b", json!(["b", "a"]), json!(["a"])),
            ("in any order: a, b", json!(["b", "a"]), json!(["a", "a"])),
            ("now in milliseconds", json!("2500"), json!(2_500)),
            ("now in milliseconds", json!("2500"), json!("02500")),
            ("now in milliseconds", json!("2500"), json!("62500")),
            ("id B", json!(7), json!("7")),
        ] {
            let mut bound = BTreeMap::from([("id A", json!(7)), ("made", json!("1970-01-01T00:00:01.000Z"))])
                .into_iter()
                .map(|(label, value)| (label.to_owned(), value))
                .collect();
            assert!(satisfies(relation, &holds, &mut bound, &(2_000..=2_000)), "{relation}: {holds}");
            assert!(!satisfies(relation, &fails, &mut bound, &(2_000..=2_000)), "{relation}: {fails}");
        }
    }
}
