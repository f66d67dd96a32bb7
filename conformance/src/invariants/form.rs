//! Judges the shape of objects: their members, the form of each, and the rule that a wrong one breaks. Knows no route.

use std::borrow::Cow;

use serde_json::Value;

use crate::clock;
use crate::invariants::answer::Findings;

#[derive(Debug, Clone, Copy)]
pub(super) enum Form<'a> {
    Any,
    /// A text that is not empty.
    Text,
    TextOrNull,
    Bool,
    /// A whole number, at least this one.
    Integer(u64),
    Number,
    /// A time in ISO 8601, UTC, with milliseconds.
    Time,
    TimeOrNull,
    /// This many hexadecimal digits in lower case.
    Hex(usize),
    /// This many hexadecimal digits in either letter case.
    HexAnyCase(usize),
    /// A prefix, then decimal digits.
    Numbered(&'static str),
    /// Three segments joined by dots.
    Segments,
    Texts,
    Is(&'a Value),
    /// This list, in whatever order.
    IsInAnyOrder(&'a Value),
    Where(&'a str, fn(&Value) -> bool),
}

/// A member of an object: its name, the rule about its form, the form.
pub(super) type Member<'a> = (&'a str, &'static str, Form<'a>);

pub(crate) fn is_text(value: &Value) -> bool {
    value.as_str().is_some_and(|text| !text.is_empty())
}

pub(crate) fn holds_a_text(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(holds_a_text),
        Value::Object(members) => members.values().any(holds_a_text),
        other => is_text(other),
    }
}

pub(crate) fn is_texts(value: &Value) -> bool {
    value.as_array().is_some_and(|items| items.iter().all(Value::is_string))
}

/// Whether a value is a time as the documents write times; UTC may be spelled `Z` or `+00:00`.
pub(crate) fn is_time(value: &Value) -> bool {
    value.as_str().is_some_and(|text| clock::parse_iso(text).is_some())
}

/// Whether two values are equal, lists in any order; which items repeat does not count.
pub(crate) fn same_in_any_order(one: &Value, other: &Value) -> bool {
    let (Some(one), Some(other)) = (one.as_array(), other.as_array()) else { return one == other };
    one.len() == other.len()
        && one.iter().all(|item| other.contains(item))
        && other.iter().all(|item| one.contains(item))
}

pub(crate) fn is_hex(value: &Value, digits: usize, lower: bool) -> bool {
    let is_digit = |byte: u8| byte.is_ascii_hexdigit() && !(lower && byte.is_ascii_uppercase());
    value.as_str().is_some_and(|text| text.len() == digits && text.bytes().all(is_digit))
}

impl<'a> Form<'a> {
    /// Whether the value has this form; the form in words.
    fn judged(self, value: &Value) -> (bool, Cow<'a, str>) {
        let text = value.as_str();
        match self {
            Self::Any => (true, "any JSON".into()),
            Self::Text => (is_text(value), "a text that is not empty".into()),
            Self::TextOrNull => (value.is_string() || value.is_null(), "a text or null".into()),
            Self::Bool => (value.is_boolean(), "true or false".into()),
            Self::Integer(least) => {
                let is_whole = |number: f64| number.fract() == 0.0 && number >= least as f64;
                (value.as_f64().is_some_and(is_whole), format!("a whole number of at least {least}").into())
            }
            Self::Number => (value.is_number(), "a number".into()),
            Self::Time => (is_time(value), "a time in ISO 8601, UTC, with milliseconds".into()),
            Self::TimeOrNull => {
                (value.is_null() || is_time(value), "a time in ISO 8601, UTC, with milliseconds, or null".into())
            }
            Self::Hex(digits) => {
                (is_hex(value, digits, true), format!("{digits} hexadecimal digits in lower case").into())
            }
            Self::HexAnyCase(digits) => (is_hex(value, digits, false), format!("{digits} hexadecimal digits").into()),
            Self::Numbered(prefix) => {
                let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
                let number = text.and_then(|text| text.strip_prefix(prefix));
                (number.is_some_and(is_number), format!("`{prefix}` and digits").into())
            }
            Self::Segments => {
                let segments: Vec<&str> = text.map_or_else(Vec::new, |text| text.split('.').collect());
                (segments.len() == 3 && !segments.contains(&""), "three segments joined by dots".into())
            }
            Self::Texts => (is_texts(value), "a list of texts".into()),
            Self::Is(wanted) => (crate::http::reply::same(value, wanted), wanted.to_string().into()),
            Self::IsInAnyOrder(wanted) => (same_in_any_order(value, wanted), wanted.to_string().into()),
            Self::Where(wanted, holds) => (holds(value), wanted.into()),
        }
    }
}

/// The mark of a member that may be absent.
pub(super) const OPTIONAL: &str = "?";

/// Judges that the object has exactly these members (rule `closed`), each in its form, and returns whether it has. `name?` may be absent.
pub(super) fn closed(
    found: &mut Findings<'_>,
    closed: &'static str,
    place: &str,
    value: Option<&Value>,
    members: &[Member<'_>],
) -> bool {
    let names: Vec<&str> = members.iter().map(|(name, ..)| name.trim_end_matches(OPTIONAL)).collect();
    let object = value.and_then(Value::as_object);
    let has_all = |object: &serde_json::Map<String, Value>| {
        let is_there = |(name, ..): &Member<'_>| name.ends_with(OPTIONAL) || object.contains_key(*name);
        members.iter().all(is_there) && object.keys().all(|key| names.contains(&key.as_str()))
    };
    let is_closed = object.is_some_and(has_all);
    found.value(closed, is_closed, place, format!("an object of exactly {}", names.join(", ")), value);
    if let Some(object) = object {
        for (name, (_, rule, form)) in names.iter().zip(members) {
            if let Some(member) = object.get(*name) {
                let (fits, wanted) = form.judged(member);
                found.value(rule, fits, &format!("{place}/{name}"), &*wanted, Some(member));
            }
        }
    }
    is_closed
}
