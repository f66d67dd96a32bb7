//! Shapes of bodies: which members an object has, and of what form each is, with the rule that says so. Knows no route.

use serde_json::Value;

use crate::clock;
use crate::invariants::answer::Findings;

/// The form of a value.
#[derive(Debug, Clone, Copy)]
pub(super) enum Form<'a> {
    Any,
    /// A text that is not empty.
    Text,
    TextOrNull,
    Bool,
    /// A whole number of at least that.
    Integer(u64),
    Number,
    /// A time in ISO 8601, UTC, with milliseconds.
    Time,
    /// Such a time, or null.
    TimeOrNull,
    /// So many hexadecimal digits in lower case.
    Hex(usize),
    /// So many hexadecimal digits in either letter case.
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

/// A member of an object: its name, the rule that says of what form it is, the form.
pub(super) type Member<'a> = (&'a str, &'static str, Form<'a>);

/// Whether a value is a text that is not empty.
pub(super) fn is_text(value: &Value) -> bool {
    value.as_str().is_some_and(|text| !text.is_empty())
}

/// Whether a value is a time as the documents write times; UTC may be spelled `Z` or `+00:00`.
pub(super) fn is_time(value: &Value) -> bool {
    value.as_str().is_some_and(|text| clock::parse_iso(text).is_some())
}

/// Whether two values are the same, lists in whatever order.
pub(crate) fn same_in_any_order(one: &Value, other: &Value) -> bool {
    let (Some(one), Some(other)) = (one.as_array(), other.as_array()) else { return one == other };
    one.len() == other.len()
        && one.iter().all(|item| other.contains(item))
        && other.iter().all(|item| one.contains(item))
}

fn is_hex(value: &Value, digits: usize, lower: bool) -> bool {
    let is_digit = |byte: u8| byte.is_ascii_hexdigit() && !(lower && byte.is_ascii_uppercase());
    value.as_str().is_some_and(|text| text.len() == digits && text.bytes().all(is_digit))
}

impl Form<'_> {
    fn fits(self, value: &Value) -> bool {
        match self {
            Self::Any => true,
            Self::Text => is_text(value),
            Self::TextOrNull => value.is_string() || value.is_null(),
            Self::Bool => value.is_boolean(),
            Self::Integer(least) => {
                value.as_f64().is_some_and(|number| number.fract() == 0.0 && number >= least as f64)
            }
            Self::Number => value.is_number(),
            Self::Time => is_time(value),
            Self::TimeOrNull => value.is_null() || is_time(value),
            Self::Hex(digits) => is_hex(value, digits, true),
            Self::HexAnyCase(digits) => is_hex(value, digits, false),
            Self::Numbered(prefix) => {
                let number = value.as_str().and_then(|text| text.strip_prefix(prefix));
                number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
            }
            Self::Segments => value
                .as_str()
                .is_some_and(|text| text.split('.').count() == 3 && text.split('.').all(|part| !part.is_empty())),
            Self::Texts => value.as_array().is_some_and(|items| items.iter().all(Value::is_string)),
            Self::Is(wanted) => crate::http::reply::same(value, wanted),
            Self::IsInAnyOrder(wanted) => same_in_any_order(value, wanted),
            Self::Where(_, holds) => holds(value),
        }
    }

    fn wanted(self) -> String {
        match self {
            Self::Any => "any JSON".into(),
            Self::Text => "a text that is not empty".into(),
            Self::TextOrNull => "a text or null".into(),
            Self::Bool => "true or false".into(),
            Self::Integer(least) => format!("a whole number of at least {least}"),
            Self::Number => "a number".into(),
            Self::Time => "a time in ISO 8601, UTC, with milliseconds".into(),
            Self::TimeOrNull => "a time in ISO 8601, UTC, with milliseconds, or null".into(),
            Self::Hex(digits) => format!("{digits} hexadecimal digits in lower case"),
            Self::HexAnyCase(digits) => format!("{digits} hexadecimal digits"),
            Self::Numbered(prefix) => format!("`{prefix}` and digits"),
            Self::Segments => "three segments joined by dots".into(),
            Self::Texts => "a list of texts".into(),
            Self::Is(value) | Self::IsInAnyOrder(value) => value.to_string(),
            Self::Where(wanted, _) => wanted.into(),
        }
    }
}

/// A member whose presence is not settled: it may be left out, or there in its form.
pub(super) const OPTIONAL: &str = "?";

/// The object at a place has exactly these members, which is what `closed` says, each in its form. A name that ends in `?` may be left out.
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
                found.value(rule, form.fits(member), &format!("{place}/{name}"), form.wanted(), Some(member));
            }
        }
    }
    is_closed
}
