//! The expectation of an entry: the status, headers and body that an answer must have. Sends nothing.

use std::cmp::Ordering;

use indexmap::IndexMap;
use serde::Deserialize;

use super::scope::Scope;
use crate::chapters::books::answers::ids;
use crate::chapters::prelude::*;
use crate::http::reply::Check;
use crate::invariants::form::{is_text, is_texts, is_time, same_in_any_order};
use crate::json::text_of;

/// All given parts must hold; absent ones may be anything. A status may stand for the whole.
#[derive(Debug, Default, Deserialize)]
#[serde(try_from = "Value")]
pub(super) struct Expectation {
    written: Value,
    parts: Parts,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Parts {
    /// A status, a class of them (`"4xx"`), or a list of which one must be it.
    status: Option<Value>,
    /// This status, with a text under `error` that is not empty.
    refused: Option<u16>,
    /// The value at a JSON pointer.
    value: IndexMap<String, Value>,
    /// Keys that the body has, among others, each with its value.
    has: Option<Value>,
    /// The items of the list at a JSON pointer, in any order.
    members: IndexMap<String, Value>,
    /// The keys of the object at a JSON pointer, no more and no fewer.
    keys: IndexMap<String, Vec<String>>,
    /// The kind of value at a JSON pointer.
    is: IndexMap<String, Kind>,
    /// The name of the moment whose milliseconds since 1970 are the text at a JSON pointer.
    milliseconds: IndexMap<String, String>,
    /// The name of the moment that is, in some ISO 8601 form, at a JSON pointer, or, also as an HTTP date, in `header NAME`; clocks may
    /// differ by some seconds.
    times: IndexMap<String, String>,
    /// The time that is, in any ISO 8601 form, at a JSON pointer.
    same_time: IndexMap<String, String>,
    /// A time before the one at a JSON pointer.
    later_than: IndexMap<String, String>,
    /// The value of a header.
    headers: IndexMap<String, String>,
    /// Headers that are not there.
    lacks: Vec<String>,
    /// The path to which it redirects.
    redirects_to: Option<String>,
    /// Nothing follows the head.
    no_body: bool,
    /// This text is in the body, JSON in its shortest form.
    shows: Option<String>,
    /// What is known from earlier answers: the value of a text with placeholders, or a list of which one must be it; a list's items may be
    /// in any order.
    known: IndexMap<String, Value>,
    /// An expectation that must not hold.
    not: Option<Box<Expectation>>,
    /// Expectations of which one must hold.
    any: Vec<Expectation>,
}

/// The kind of a value at a JSON pointer.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    /// Not empty.
    Text,
    /// In UTC with milliseconds.
    Time,
    NumberOrNull,
    List,
    ListOfTexts,
    Object,
    /// Books, the least id first.
    AscendingIds,
    /// A list of books, with its pagination or without.
    ListOfBooks,
    Present,
    Absent,
    /// Absent, null or an object without keys.
    Nothing,
    /// Absent, null or a text.
    TextOrNothing,
    /// A text without letters of the other case.
    LowerCase,
    UpperCase,
}

impl TryFrom<Value> for Expectation {
    type Error = serde_json::Error;

    fn try_from(written: Value) -> Result<Self, Self::Error> {
        let whole = if written.is_object() { written } else { json!({ "status": written }) };
        Ok(Self { parts: Parts::deserialize(&whole)?, written: whole })
    }
}

impl Kind {
    /// Whether the value has this kind; the kind in words.
    fn judged(self, value: Option<&Value>) -> (bool, Want) {
        let is = |fits: fn(&Value) -> bool| value.is_some_and(fits);
        let lacks =
            |is_meant: fn(char) -> bool| value.and_then(Value::as_str).is_some_and(|text| !text.contains(is_meant));
        match self {
            Self::Text => (is(is_text), "a text that is not empty".into()),
            Self::Time => (is(is_time), "an ISO 8601 UTC time with milliseconds".into()),
            Self::NumberOrNull => (is(|value| value.is_number() || value.is_null()), "a number or null".into()),
            Self::List => (is(Value::is_array), "a list".into()),
            Self::ListOfTexts => (is(is_texts), "a list of texts".into()),
            Self::Object => (is(Value::is_object), "an object".into()),
            Self::AscendingIds => (
                is(|list| list.as_array().is_some_and(|books| ids(books).is_sorted())),
                "books by ascending ids".into(),
            ),
            Self::ListOfBooks => (is(|list| list.is_array() || list.get("datos").is_some()), "a list of books".into()),
            Self::Present => (value.is_some(), Want::Present),
            Self::Absent => (value.is_none(), Want::Absent),
            Self::Nothing => (!is(|value| !value.is_null() && *value != json!({})), "nothing, null or {}".into()),
            Self::LowerCase => (lacks(|c| c.is_ascii_uppercase()), "a text in lower case".into()),
            Self::UpperCase => (lacks(|c| c.is_ascii_lowercase()), "a text in upper case".into()),
            Self::TextOrNothing => {
                (!is(|value| !value.is_null() && !value.is_string()), "nothing, null or a text".into())
            }
        }
    }
}

impl Expectation {
    /// Whether it expects that a client is refused.
    pub(super) fn is_refusal(&self) -> bool {
        let is_4xx = |status: &Value| status.to_string().trim_start_matches('"').starts_with('4');
        let is_refusal = |status: &Value| status.as_array().map_or(is_4xx(status), |all| all.iter().any(is_4xx));
        self.parts.refused.is_some() || self.parts.status.as_ref().is_some_and(is_refusal)
    }

    /// Whether it judges what happens after the answer.
    pub(super) fn is_of_the_end(&self) -> bool {
        self.parts.no_body
    }

    pub(super) fn judge_end(&self, check: Check<'_>, after: &[u8]) -> CaseResult {
        let holds = !self.parts.no_body || after.is_empty();
        check.that(holds, "after the head", "nothing", format!("{} bytes", after.len())).map(drop)
    }

    pub(super) fn holds(&self, reply: &Reply, check: Check<'_>, scope: &Scope<'_>) -> CaseResult<bool> {
        match self.judge(reply, check, scope) {
            Ok(()) => Ok(true),
            Err(CaseError::Mismatch(_)) => Ok(false),
            Err(other) => Err(other),
        }
    }

    pub(super) fn judge(&self, reply: &Reply, mut check: Check<'_>, scope: &Scope<'_>) -> CaseResult {
        let parts = &self.parts;
        if let Some(status) = &parts.status {
            check = has_status(check, reply, &scope.value(status)?)?;
        }
        if let Some(status) = parts.refused {
            check = check.refused(status)?;
        }
        for (pointer, value) in &parts.value {
            check = check.at(&scope.text(pointer)?, &scope.value(value)?)?;
        }
        let has = parts.has.as_ref().map(|has| scope.value(has)).transpose()?;
        for (name, value) in has.iter().filter_map(Value::as_object).flatten() {
            check = check.at(&format!("/{name}"), value)?;
        }
        for (pointer, items) in &parts.members {
            let items = scope.value(items)?;
            let want = format!("exactly {items}, in any order");
            check = check.at_where(&scope.text(pointer)?, want, |got| same_in_any_order(got, &items))?;
        }
        for (pointer, keys) in &parts.keys {
            let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
            check = check.keys(pointer, &keys)?;
        }
        for (pointer, kind) in &parts.is {
            let pointer = &scope.text(pointer)?;
            let got = reply.at(pointer);
            let (fits, want) = kind.judged(got.as_ref());
            check = match kind {
                Kind::Absent | Kind::Nothing | Kind::TextOrNothing => {
                    check.that(fits, Place::body(pointer), want, got)?
                }
                _ => check.at_where(pointer, want, |_| fits)?,
            };
        }
        check = parts.judge_times(reply, check, scope)?;
        for (name, value) in &parts.headers {
            check = check.header(name, &scope.text(value)?)?;
        }
        for name in &parts.lacks {
            let got = reply.header(name);
            check = check.that(got.is_none(), Place::header(name), Want::Absent, got)?;
        }
        if let Some(path) = &parts.redirects_to {
            let path = scope.text(path)?;
            let want = format!("a redirect to {path}");
            check = check.that(reply.redirects_to(&path), "the answer", want, reply.summary())?;
        }
        if parts.no_body {
            check = check.no_body()?;
        }
        if let Some(text) = &parts.shows {
            let text = scope.text(text)?;
            // JSON may escape any character: compares with the body in its shortest form.
            let body = reply.received().json().map_or_else(|| reply.received().text(), Value::to_string);
            check = check.that(body.contains(&text), Place::BODY, format!("{text} in it"), reply.summary())?;
        }
        check = parts.judge_known(check, scope)?;
        if let Some(not) = &parts.not {
            check = not.judge_absent(reply, check, scope)?;
        }
        if !parts.any.is_empty() {
            let holds =
                parts.any.iter().map(|one| one.holds(reply, check, scope)).collect::<CaseResult<Vec<bool>>>()?;
            let wanted: CaseResult<Vec<_>> =
                parts.any.iter().map(|one| Ok(in_words(&scope.value(&one.written)?))).collect();
            check.that(holds.contains(&true), "the answer", wanted?.join(", or "), reply.summary())?;
        }
        Ok(())
    }

    /// Judges that this does not hold.
    fn judge_absent<'c>(&self, reply: &Reply, check: Check<'c>, scope: &Scope<'_>) -> CaseResult<Check<'c>> {
        let (is_absent, written) = (!self.holds(reply, check, scope)?, scope.value(&self.written)?);
        if let Some((place, value, got)) = one_part(&written, reply) {
            return check.that(is_absent, place, format!("anything but {value}"), got);
        }
        check.that(is_absent, "the answer", format!("an answer without {}", in_words(&written)), reply.summary())
    }
}

/// The place of an expectation that names just one value of the body or one header, the value, and what the answer has there.
fn one_part<'w>(written: &'w Value, reply: &Reply) -> Option<(Place, &'w Value, Option<Value>)> {
    let (part, values) = written.as_object().filter(|parts| parts.len() == 1)?.iter().next()?;
    let values = values.as_object().filter(|values| values.len() == 1)?;
    let (name, value) = values.iter().next().filter(|(name, _)| !name.contains('$'))?;
    match part.as_str() {
        "value" => Some((Place::body(name), value, reply.at(name))),
        "headers" => Some((Place::header(name), value, reply.header(name).map(Value::String))),
        _ => None,
    }
}

/// An expectation as a person reads it: `status 404`, `/id "7"`, `"backup_codes"`.
fn in_words(written: &Value) -> String {
    let part = |(name, value): (&String, &Value)| match (name.as_str(), value) {
        ("shows", text) => text_of(text),
        ("value" | "headers" | "is", Value::Object(parts)) => {
            parts.iter().map(|(place, value)| format!("{place} {value}")).collect::<Vec<_>>().join(" and ")
        }
        (name, value) => format!("{name} {value}"),
    };
    written.as_object().into_iter().flatten().map(part).collect::<Vec<_>>().join(" and ")
}

impl Parts {
    fn judge_known<'r>(&self, mut check: Check<'r>, scope: &Scope<'_>) -> CaseResult<Check<'r>> {
        for (template, wanted) in &self.known {
            let (got, wanted) = (scope.value(&template.as_str().into())?, scope.value(wanted)?);
            let accepted = wanted.as_array().map_or(std::slice::from_ref(&wanted), Vec::as_slice);
            let holds = accepted.iter().any(|accepted| same(&got, accepted) || same_in_any_order(&got, accepted));
            check = check.that(holds, format!("{template} of earlier answers"), wanted.to_string(), got)?;
        }
        Ok(check)
    }

    fn judge_times<'r>(&self, reply: &Reply, mut check: Check<'r>, scope: &Scope<'_>) -> CaseResult<Check<'r>> {
        for (place, moment) in &self.times {
            let about = scope.about(moment)?;
            let is_then = |time: Option<i64>| time.is_some_and(|time| about.contains(&time));
            let want = format!("a time from {} to {}", clock::iso(*about.start()), clock::iso(*about.end()));
            check = if let Some(name) = place.strip_prefix("header ") {
                let text = reply.header(name).unwrap_or_default();
                let time = clock::parse_http_date(&text).or_else(|| clock::parse_any_iso(&text));
                check.that(is_then(time), Place::header(name), want, text)?
            } else {
                let time = |value: &Value| value.as_str().and_then(clock::parse_any_iso);
                check.at_where(&scope.text(place)?, want, |value| is_then(time(value)))?
            };
        }
        let same = self.same_time.iter().map(|wanted| (wanted, Ordering::Equal, "the time"));
        let later = self.later_than.iter().map(|wanted| (wanted, Ordering::Greater, "a time later than"));
        for ((pointer, other), order, want) in same.chain(later) {
            let other = scope.text(other)?;
            let is_so = |value: &Value| {
                let times = value.as_str().and_then(clock::parse_any_iso).zip(clock::parse_any_iso(&other));
                // A clock of whole seconds may show the same one again.
                let is_coarse = |time: i64, other: i64| time == other && time % 1000 == 0 && order.is_gt();
                times.is_some_and(|(time, other)| time.cmp(&other) == order || is_coarse(time, other))
            };
            check = check.at_where(&scope.text(pointer)?, format!("{want} {other}"), is_so)?;
        }
        for (pointer, moment) in &self.milliseconds {
            let about = scope.about(moment)?;
            let want = format!("a text of the milliseconds, from {} to {}", about.start(), about.end());
            let is_then = |value: &Value| {
                let text = value.as_str().unwrap_or_default();
                text.parse().is_ok_and(|number: i64| number.to_string() == text && about.contains(&number))
            };
            check = check.at_where(pointer, want, is_then)?;
        }
        Ok(check)
    }
}

/// A status, a class of them, or one of several.
fn has_status<'r>(check: Check<'r>, reply: &Reply, want: &Value) -> CaseResult<Check<'r>> {
    if let Some(status) = want.as_u64() {
        return check.status(u16::try_from(status).unwrap_or_default());
    }
    let accepted = want.as_array().map_or(std::slice::from_ref(want), Vec::as_slice);
    let is_meant = |accepted: &Value| match accepted.as_str().and_then(|class| class.strip_suffix("xx")) {
        Some(hundreds) => hundreds == (reply.status() / 100).to_string(),
        None => *accepted == reply.status(),
    };
    let want = accepted.iter().map(text_of).collect::<Vec<_>>().join(" or ");
    check.that(accepted.iter().any(is_meant), Place::STATUS, want, reply.summary())
}
