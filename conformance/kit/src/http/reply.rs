//! A reply and its checks: each check is about one rule, and either holds or ends the case with a mismatch.
//!
//! Never sends anything.

use std::fmt::Display;
use std::sync::Arc;

use serde_json::Value;

use crate::excerpt::beginning;
use crate::http::exchange::{Exchange, Received};
use crate::verdict::{CaseError, CaseResult, DeclaredRules};
use crate::violation::{Got, Place, Want};

#[derive(Debug, Clone)]
pub struct Reply {
    exchange: Arc<Exchange>,
    received: Arc<Received>,
    rules: DeclaredRules,
}

impl Reply {
    pub fn new(exchange: Exchange, rules: DeclaredRules) -> CaseResult<Self> {
        let asked = format!("{} {}", exchange.sent.method, exchange.sent.path);
        let received = exchange.received.clone().map_err(|none| CaseError::NoAnswer(none.for_request(asked)))?;
        Ok(Self { exchange: Arc::new(exchange), received, rules })
    }

    pub fn check(&self) -> Check<'_> {
        Check { reply: self, rule: None, subject: "" }
    }

    pub fn check_rule(&self, rule: &'static str) -> Check<'_> {
        Check { reply: self, rule: Some(rule), subject: "" }
    }

    pub fn received(&self) -> &Received {
        &self.received
    }

    pub fn exchange(&self) -> &Exchange {
        &self.exchange
    }

    pub fn status(&self) -> u16 {
        self.received.status
    }

    pub fn is(&self, status: u16) -> bool {
        self.status() == status
    }

    pub fn summary(&self) -> String {
        format!("{} {}", self.status(), brief(&self.received.text())).trim_end().to_owned()
    }

    pub fn header(&self, name: &str) -> Option<String> {
        self.received.header(name)
    }

    pub fn redirects_to(&self, path: &str) -> bool {
        let place = self.header("Location").unwrap_or_default();
        let place = place.split(['?', '#']).next().unwrap_or_default();
        let place = place.split_once("://").map_or(place, |(_, rest)| rest.find('/').map_or("/", |at| &rest[at..]));
        let within = place.strip_prefix(self.exchange.sent.address.prefix.as_str()).unwrap_or(place);
        matches!(self.status(), 301 | 302 | 303 | 307 | 308) && within == path
    }

    pub fn json(&self) -> Value {
        self.received.json().cloned().unwrap_or_default()
    }

    pub fn at(&self, pointer: &str) -> Option<Value> {
        self.received.json()?.pointer(pointer).cloned()
    }

    pub fn text_at(&self, pointer: &str) -> String {
        self.at(pointer).and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
    }

    /// For preparations: blocks the case unless the answer has this status.
    pub fn prepared(self, step: &str, status: u16) -> CaseResult<Self> {
        if self.status() == status { Ok(self) } else { Err(self.blocked(step, format_args!("status {status}"))) }
    }

    /// For preparations: the text at the pointer, which must not be empty.
    pub fn prepared_text(&self, step: &str, pointer: &str) -> Result<String, CaseError> {
        let text = self.text_at(pointer);
        if text.is_empty() { Err(self.blocked(step, format_args!("a text at {pointer}"))) } else { Ok(text) }
    }

    /// Blocks the case: this answer to a preparation is not the one wanted.
    pub fn blocked(&self, step: &str, want: impl Display) -> CaseError {
        CaseError::blocked(step, format!("want {want}, got {}", self.summary())).seen_in(&[self.exchange.number])
    }
}

/// A result that depends on several answers, not only on the last.
pub trait SeenIn {
    /// Names those answers. Reports show the last of them as the judged one, the others beside it.
    fn seen_in<'r>(self, replies: impl IntoIterator<Item = &'r Reply>) -> Self;
}

impl<T> SeenIn for Result<T, CaseError> {
    fn seen_in<'r>(self, replies: impl IntoIterator<Item = &'r Reply>) -> Self {
        self.map_err(|error| {
            let numbers: Vec<u32> = replies.into_iter().map(|reply| reply.exchange.number).collect();
            error.seen_in(&numbers)
        })
    }
}

/// A check of one reply by one rule; its methods chain.
#[derive(Debug, Clone, Copy)]
pub struct Check<'r> {
    reply: &'r Reply,
    /// `None` if the case has only one.
    rule: Option<&'static str>,
    /// The request or sample that the reply belongs to, shown in a failure.
    subject: &'r str,
}

impl<'r> Check<'r> {
    /// Names the request or sample: one of several alike.
    pub fn of(self, subject: &'r str) -> Self {
        Self { subject, ..self }
    }

    pub fn mismatch(&self, place: impl Into<Place>, want: impl Into<Want>, got: impl Into<Got>) -> CaseError {
        self.reply.rules.mismatch(self.rule, place, want, got).seen_in(&[self.reply.exchange.number])
    }

    /// Any condition; `got` is reported if it does not hold.
    pub fn that(
        self,
        holds: bool,
        place: impl Into<Place>,
        want: impl Into<Want>,
        got: impl Into<Got>,
    ) -> CaseResult<Self> {
        self.unless(holds, || (place.into(), want.into(), got.into()))
    }

    /// As [`Self::that`], but computes place, want and got only if the condition does not hold.
    fn unless(self, holds: bool, broken: impl FnOnce() -> (Place, Want, Got)) -> CaseResult<Self> {
        if holds {
            return self.reply.rules.resolve(self.rule).map(|_| self);
        }
        let (place, want, got) = broken();
        Err(self.mismatch(if self.subject.is_empty() { place } else { place.of(self.subject) }, want, got))
    }

    pub fn status(self, want: u16) -> CaseResult<Self> {
        let got = self.reply.status();
        self.unless(got == want, || {
            let location = self.reply.received.header("Location").filter(|_| (300..400).contains(&got));
            let location = location.map_or_else(String::new, |to| format!(" (Location: {to})"));
            (Place::STATUS, want.into(), format!("{got}{location} {}", brief(&self.reply.received.text())).into())
        })
    }

    /// The header has exactly this value, or is the same list. Repeated lines with one value count as one: a case of its own judges them.
    pub fn header(self, name: &str, want: &str) -> CaseResult<Self> {
        self.unless(self.reply.received.header_is(name, want), || {
            (Place::header(name), Want::Text(want.to_owned()), shown(&self.reply.received.values(name)))
        })
    }

    pub fn no_body(self) -> CaseResult<Self> {
        let received = &self.reply.received;
        self.unless(received.body.is_empty(), || (Place::BODY, "none".into(), brief(&received.text()).into()))
    }

    pub fn body(self, want: &Value) -> CaseResult<Self> {
        self.at("", want)
    }

    pub fn at(self, pointer: &str, want: &Value) -> CaseResult<Self> {
        self.at_where(pointer, want, |got| same(got, want))
    }

    pub fn nothing_at(self, pointer: &str) -> CaseResult<Self> {
        let got = self.reply.at(pointer);
        let holds = self.reply.received.json().is_some() && got.is_none();
        self.that(holds, Place::body(pointer), Want::Absent, got.map_or_else(|| self.nothing(), Got::Json))
    }

    /// The value at the pointer satisfies a condition, which `want` describes.
    pub fn at_where(self, pointer: &str, want: impl Into<Want>, holds: impl Fn(&Value) -> bool) -> CaseResult<Self> {
        let got = self.reply.received.json().and_then(|body| body.pointer(pointer));
        let shown = || got.map_or_else(|| self.nothing(), Got::from);
        self.unless(got.is_some_and(holds), || (Place::body(pointer), want.into(), shown()))
    }

    pub fn keys(self, pointer: &str, wanted: &[&str]) -> CaseResult<Self> {
        self.at_where(pointer, Want::keys(wanted), |value| has_exactly_keys(value, wanted))
    }

    /// A text that is not empty, which `want` describes.
    pub fn text_at(self, pointer: &str, want: &str) -> CaseResult<Self> {
        self.at_where(pointer, want, |value| value.as_str().is_some_and(|text| !text.is_empty()))
    }

    /// The status, and a text under `error` that is not empty. Cases of their own judge the other members.
    pub fn refused(self, status: u16) -> CaseResult<Self> {
        self.status(status)?.at_where("", "{ \"error\": <text> }", |value| {
            value.get("error").and_then(Value::as_str).is_some_and(|text| !text.is_empty())
        })
    }

    pub fn denied(self, code: &str) -> CaseResult<Self> {
        self.status(401)?.at("/error/codigo", &Value::from(code))
    }

    /// The body, for a pointer that leads to nothing.
    fn nothing(&self) -> Got {
        let received = &self.reply.received;
        match received.json() {
            Some(_) => Got::Absent,
            None if received.holds_too_many_values() => {
                format!("more JSON values than any answer needs, in {} bytes", received.body.len()).into()
            }
            None => Got::NotJson(brief(&received.text())),
        }
    }
}

pub fn has_exactly_keys(value: &Value, wanted: &[&str]) -> bool {
    value.as_object().is_some_and(|o| o.len() == wanted.len() && wanted.iter().all(|key| o.contains_key(*key)))
}

fn shown(values: &[String]) -> Got {
    match values {
        [] => Got::Absent,
        [one] => Got::Text(one.clone()),
        many => format!("{} lines: {}", many.len(), many.join(" | ")).into(),
    }
}

pub fn brief(text: &str) -> String {
    beginning(text, 300)
}

/// JSON equality: `1`, `1.0` and `1e0` are one number, and the order of keys does not matter.
pub fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same(a, b)))
        }
        _ => a == b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::exchange::Sent;
    use crate::implementation::profile::Address;
    use serde_json::json;

    #[test]
    fn numbers_are_equal_by_value_and_keys_in_any_order() {
        assert!(same(&json!({"a": 1, "b": [1.0]}), &json!({"b": [1], "a": 1.0})));
        assert!(!same(&json!({"a": 1}), &json!({"a": 1, "b": null})));
        assert!(!same(&json!("1"), &json!(1)));
    }

    #[test]
    fn a_redirect_leads_to_a_path_whatever_its_query_holds() {
        let address = Address::parse("http://h:1/api").unwrap();
        for location in ["/api/libros?next=http://h/x", "http://h:1/libros#a", "/libros"] {
            let headers = vec![("Location".to_owned(), location.into())];
            let received = Received::new(301, headers, Vec::new(), false);
            let exchange = Exchange::new(Sent::new("GET", &address, "/"), Ok(received));
            assert!(Reply::new(exchange, DeclaredRules(&[])).unwrap().redirects_to("/libros"), "{location}");
        }
    }
}
