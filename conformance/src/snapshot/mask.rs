//! Masks: relations that a value must satisfy to be shown as the relation, and that a reviewed text shows.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::clock;

/// How far the implementation's "now" may be from the moment at which an answer is rendered.
const NOW_TOLERANCE_MS: i64 = 5_000;

/// A value that does not satisfy its relation is shown as it is, and so differs from the reviewed text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mask {
    /// The current time in any ISO 8601 form (cases of their own judge the form); remembered under the label.
    Now(&'static str),
    Same(&'static str),
    NotBefore(&'static str),
    /// A whole number above 0; remembered under the label.
    Id(&'static str),
    Text,
    Hex(usize, LetterCase),
    Begins(&'static str),
    ThreeSegments,
    /// This many different texts, each of this many uppercase hex digits.
    Codes(usize, usize),
    /// Just these texts, in any order: names with a comma and a space between.
    Set(&'static str),
    Boolean,
    /// The current time in milliseconds since 1970, as a text; remembered under the label.
    Clock(&'static str),
    /// No trusted device: 0 or an empty list.
    NoDevices,
}

/// The letter case of hex digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LetterCase {
    Lower,
    Upper,
    Either,
}

impl LetterCase {
    fn takes(self, digit: char) -> bool {
        let is_of_case = match self {
            Self::Lower => !digit.is_ascii_uppercase(),
            Self::Upper => !digit.is_ascii_lowercase(),
            Self::Either => true,
        };
        digit.is_ascii_hexdigit() && is_of_case
    }

    fn named_in(relation: &str) -> Self {
        match relation.split(' ').nth(1) {
            Some("lowercase") => Self::Lower,
            Some("uppercase") => Self::Upper,
            _ => Self::Either,
        }
    }

    fn described(self, length: usize) -> String {
        match self {
            Self::Lower => format!("{length} lowercase hex digits"),
            Self::Upper => format!("{length} uppercase hex digits"),
            Self::Either => format!("{length} hex digits of either case"),
        }
    }
}

impl Mask {
    /// The mask of a value that a reviewed text shows like this; `None` where it shows the value itself, or a name for it.
    pub(super) fn read(text: &str) -> Option<Self> {
        let relation: &'static str = text.strip_prefix('<')?.strip_suffix('>')?.to_owned().leak();
        let numbers: Vec<usize> = relation.split(' ').filter_map(|word| word.parse().ok()).collect();
        let after = |mark| relation.strip_prefix(mark);
        match (relation, &numbers[..]) {
            ("text", _) => Some(Self::Text),
            ("true or false", _) => Some(Self::Boolean),
            ("no devices", _) => Some(Self::NoDevices),
            ("header.payload.placeholder", _) => Some(Self::ThreeSegments),
            ("now in milliseconds", _) => Some(Self::Clock("id")),
            ("an id", _) => Some(Self::Id(relation)),
            (_, [count, length]) => Some(Self::Codes(*count, *length)),
            (_, [length]) => Some(Self::Hex(*length, LetterCase::named_in(relation))),
            _ => None
                .or(after("now: ").map(Self::Now))
                .or(after("now, >= ").map(Self::NotBefore))
                .or(after("= ").map(Self::Same))
                .or(after("in any order: ").map(Self::Set))
                .or(after("id ").map(|_| Self::Id(relation)))
                .or(relation.strip_suffix("...").map(Self::Begins)),
        }
    }

    /// The relation as text; `None` if it does not hold.
    pub(crate) fn show(self, value: &Value, bound: &mut BTreeMap<&'static str, Value>, now_ms: i64) -> Option<String> {
        let time = |value: &Value| value.as_str().and_then(clock::parse_any_iso);
        let is_near = |time: i64| (time - now_ms).abs() <= NOW_TOLERANCE_MS;
        let items = || value.as_array().map_or(&[][..], Vec::as_slice);
        let (holds, relation) = match self {
            Self::Now(label) => (is_near(time(value)?), format!("now: {label}")),
            Self::Same(label) => (bound.get(label)? == value, format!("= {label}")),
            Self::NotBefore(label) => {
                let (time, earlier) = (time(value)?, time(bound.get(label)?)?);
                (is_near(time) && time >= earlier, format!("now, >= {label}"))
            }
            Self::Id(label) => (value.as_f64().is_some_and(|id| id > 0.0 && id.fract() == 0.0), label.to_owned()),
            Self::Text => (value.as_str().is_some_and(|text| !text.is_empty()), "text".to_owned()),
            Self::Hex(length, case) => (is_hex(value, length, case), case.described(length)),
            Self::Begins(with) => {
                let rest = value.as_str()?.strip_prefix(with)?;
                (!rest.is_empty(), format!("{with}..."))
            }
            Self::ThreeSegments => {
                let segments: Vec<_> = value.as_str()?.split('.').collect();
                (segments.len() == 3 && !segments.contains(&""), "header.payload.placeholder".to_owned())
            }
            Self::Codes(count, length) => {
                let words = format!("{count} different codes of {}", LetterCase::Upper.described(length));
                (are_codes(items(), count, length), words)
            }
            Self::NoDevices => (*value == 0 || value.as_array().is_some_and(Vec::is_empty), "no devices".to_owned()),
            Self::Clock(_) => {
                let time: i64 = value.as_str()?.parse().ok()?;
                (value == &Value::from(time.to_string()) && is_near(time), "now in milliseconds".to_owned())
            }
            Self::Set(texts) => {
                let has = |text| items().iter().any(|item| item == text);
                let is_set = items().len() == texts.split(", ").count() && texts.split(", ").all(has);
                (is_set, format!("in any order: {texts}"))
            }
            Self::Boolean => (value.is_boolean(), "true or false".to_owned()),
        };
        if let (true, Self::Now(label) | Self::Id(label) | Self::Clock(label)) = (holds, self) {
            bound.insert(label, value.clone());
        }
        holds.then(|| format!("<{relation}>"))
    }
}

fn is_hex(value: &Value, length: usize, case: LetterCase) -> bool {
    value.as_str().is_some_and(|text| text.len() == length && text.chars().all(|digit| case.takes(digit)))
}

fn are_codes(codes: &[Value], count: usize, length: usize) -> bool {
    let differ = codes.iter().enumerate().all(|(index, code)| !codes[..index].contains(code));
    codes.len() == count && codes.iter().all(|code| is_hex(code, length, LetterCase::Upper)) && differ
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn spec(mask: Mask, value: &Value) -> Option<String> {
        let mut bound = BTreeMap::from([("id A", json!(7)), ("made", json!("1970-01-01T00:00:01.000Z"))]);
        mask.show(value, &mut bound, 2_000)
    }

    #[test]
    fn a_mask_shows_only_what_satisfies_it() {
        let holds = [
            (Mask::Now("t"), json!("1970-01-01T00:00:02.500Z")),
            (Mask::Now("t"), json!("1970-01-01T00:00:02Z")),
            (Mask::Now("t"), json!("1970-01-01T01:00:02.500000+01:00")),
            (Mask::Same("id A"), json!(7)),
            (Mask::NotBefore("made"), json!("1970-01-01T00:00:01.000Z")),
            (Mask::Hex(2, LetterCase::Lower), json!("0f")),
            (Mask::Hex(2, LetterCase::Upper), json!("0F")),
            (Mask::Hex(4, LetterCase::Either), json!("0Ff9")),
            (Mask::Codes(2, 2), json!(["0F", "A1"])),
            (Mask::ThreeSegments, json!("a.b.c")),
            (Mask::Clock("id"), json!("2500")),
            (Mask::Set("a, b"), json!(["b", "a"])),
        ];
        for (mask, value) in holds {
            let shown = spec(mask, &value).unwrap_or_else(|| panic!("{mask:?} {value}"));
            assert_eq!(Mask::read(&shown), Some(mask), "{shown}");
        }
        let fails = [
            (Mask::Now("t"), json!("1970-01-01T00:01:02.500Z")),
            (Mask::Now("t"), json!(2_000)),
            (Mask::Same("id A"), json!(8)),
            (Mask::NotBefore("made"), json!("1970-01-01T00:00:00.999Z")),
            (Mask::Hex(2, LetterCase::Lower), json!("0F")),
            (Mask::Hex(2, LetterCase::Upper), json!("0f")),
            (Mask::Hex(2, LetterCase::Either), json!("0g")),
            (Mask::Codes(2, 2), json!(["0F", "0F"])),
            (Mask::ThreeSegments, json!("a.b.")),
            (Mask::Text, json!("")),
            (Mask::Set("a, b"), json!(["a"])),
            (Mask::Set("a, b"), json!(["a", "a"])),
            (Mask::Clock("id"), json!(2_500)),
            (Mask::Clock("id"), json!("02500")),
            (Mask::Clock("id"), json!("62500")),
            (Mask::Id("id B"), json!("7")),
        ];
        for (mask, value) in fails {
            assert_eq!(spec(mask, &value), None, "{mask:?} {value}");
        }
    }
}
