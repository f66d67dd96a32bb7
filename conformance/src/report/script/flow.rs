//! What later requests of a case take from earlier answers: ids, tokens, tags. Such a value is a variable of the script.
//!
//! Goes by the values alone: a text that an answer issued, and that no request had before it, was taken from there.

use serde_json::Value;

use super::pieces::Pieces;
use crate::clock;
use crate::http::exchange::Exchange;

/// A shorter text may be equal to an issued one without having been taken from it.
const TEXT_CHARS_MIN: usize = 6;
/// A text of that length that stands within another was taken from there.
const TEXT_CHARS_SAFE: usize = 16;
/// The headers whose values are made for one answer; the others say the same each time.
const ISSUING_HEADERS: [&str; 4] = ["etag", "last-modified", "location", "x-request-id"];
/// Values looked at of one answer.
const VALUES_MAX: usize = 2_000;
/// What stands before an id, in a path, a query or a body.
const BEFORE_IDS: [&str; 9] = ["/", "id=", "id: ", "id:", "id: \"", "id:\"", "id: \\\"", "id:\\\"", "\"id\":"];

/// Where a value is found in an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Source {
    Pointer(String),
    Header(String),
}

/// A value that an answer issued.
#[derive(Debug)]
pub(super) struct Issued {
    value: String,
    /// A short text that is an id by its key.
    is_id: bool,
    /// One of several in a list, which another target may order otherwise.
    is_listed: bool,
    /// The answer, by its place in the case.
    pub(super) answer: usize,
    pub(super) source: Source,
    pub(super) variable: String,
    pub(super) is_used: bool,
}

/// The values issued so far.
#[derive(Debug, Default)]
pub(super) struct Flow {
    issued: Vec<Issued>,
    sent: Vec<Vec<u8>>,
}

impl Flow {
    /// Notes what a request said by itself.
    pub(super) fn note_sent(&mut self, exchange: &Exchange) {
        let sent = &exchange.sent;
        self.sent.push(sent.path.clone().into_bytes());
        self.sent.extend(sent.headers.iter().map(|(_, value)| value.clone()));
        self.sent.extend(sent.body.clone());
    }

    /// Notes what an answer issued.
    pub(super) fn note_received(&mut self, exchange: &Exchange, answer: usize) {
        let Ok(received) = &exchange.received else { return };
        let issues = |name: &str| ISSUING_HEADERS.iter().any(|issuing| name.eq_ignore_ascii_case(issuing));
        for (name, value) in received.headers.iter().filter(|(name, _)| issues(name)) {
            if let Ok(value) = std::str::from_utf8(value) {
                self.note(value, false, answer, Source::Header(name.clone()), name);
            }
        }
        let mut found = Vec::new();
        collect(received.json().unwrap_or_default(), String::new(), &mut found);
        for (pointer, value) in found {
            let key = pointer.rsplit('/').find(|part| part.parse::<u32>().is_err()).unwrap_or("value").to_owned();
            self.note(&value, key == "id", answer, Source::Pointer(pointer), &key);
        }
    }

    fn note(&mut self, value: &str, is_id: bool, answer: usize, source: Source, key: &str) {
        let is_short = value.chars().count() < TEXT_CHARS_MIN;
        let is_known = self.issued.iter().any(|issued| issued.value == value);
        let was_sent = || self.sent.iter().any(|sent| memchr::memmem::find(sent, value.as_bytes()).is_some());
        // Ids of different things may be alike: the latest counts.
        if value.is_empty() || is_short && !is_id || !is_short && (is_known || was_sent()) {
            return;
        }
        let name: String = key.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let variable = format!("{}_{}", name.to_ascii_lowercase(), self.issued.len() + 1);
        let (value, is_id) = (value.to_owned(), is_id && is_short);
        let is_listed =
            matches!(&source, Source::Pointer(pointer) if pointer.split('/').any(|part| part.parse::<u32>().is_ok()));
        self.issued.push(Issued { value, is_id, is_listed, answer, source, variable, is_used: false });
    }

    /// The longest issued value that stands at this place of the text: the variable, which counts as used, and its length.
    pub(super) fn at(&mut self, text: &[u8], at: usize) -> Option<(String, usize)> {
        let stands = |issued: &Issued| {
            let value = issued.value.as_bytes();
            let Some(rest) = text[at..].strip_prefix(value) else { return false };
            let is_word = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric());
            let is_apart = !is_word(rest.first()) && !is_word(at.checked_sub(1).and_then(|before| text.get(before)));
            if issued.is_id {
                return is_apart && BEFORE_IDS.iter().any(|before| text[..at].ends_with(before.as_bytes()));
            }
            is_apart || value.len() >= TEXT_CHARS_SAFE
        };
        let found = self
            .issued
            .iter_mut()
            .filter(|issued| stands(issued))
            .max_by_key(|issued| (issued.value.len(), !issued.is_listed))?;
        found.is_used = true;
        Some((found.variable.clone(), found.value.len()))
    }

    /// A value as the script knows it.
    pub(super) fn word_of(&mut self, value: &str) -> String {
        let mut pieces = Pieces::default();
        match self.at(value.as_bytes(), 0).filter(|(_, length)| *length == value.len()) {
            Some((variable, _)) => pieces.push_variable(&variable),
            None => pieces.push_bytes(value.as_bytes()),
        }
        pieces.word()
    }

    /// The short ids that stand in an answer, and the longer values, that earlier ones issued, each with its variable; all count
    /// as used. Times are not among them: two of them may be equal without having to do with each other.
    pub(super) fn known_in(&mut self, text: &str) -> Vec<(String, String)> {
        let stands = |issued: &Issued| {
            let value = &issued.value;
            if clock::parse_any_iso(value).is_some() {
                return false;
            }
            if issued.is_id { text.contains(&format!("\"id\":{value}")) } else { text.contains(value.as_str()) }
        };
        let mut known: Vec<(String, String)> = Vec::new();
        for issued in self.issued.iter_mut().filter(|issued| !issued.is_listed && stands(issued)) {
            if !known.iter().any(|(value, _)| *value == issued.value) {
                issued.is_used = true;
                known.push((issued.value.clone(), issued.variable.clone()));
            }
        }
        known
    }

    /// The values of an answer that later requests take.
    pub(super) fn used_of(&self, answer: usize) -> impl Iterator<Item = &Issued> {
        self.issued.iter().filter(move |issued| issued.answer == answer && issued.is_used)
    }
}

fn collect(value: &Value, pointer: String, found: &mut Vec<(String, String)>) {
    if found.len() >= VALUES_MAX {
        return;
    }
    match value {
        Value::String(text) => found.push((pointer, text.clone())),
        Value::Number(number) => found.push((pointer, number.to_string())),
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                collect(item, format!("{pointer}/{index}"), found);
            }
        }
        Value::Object(object) => {
            for (key, item) in object {
                collect(item, format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1")), found);
            }
        }
        Value::Null | Value::Bool(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::http::exchange::{Received, Sent};
    use crate::implementation::profile::Address;

    fn exchange(path: &str, answer: &str) -> Exchange {
        let address = Address::parse("http://h:1").unwrap();
        let (method, path) = ("GET".to_owned(), path.to_owned());
        let sent = Sent { method, address, interface: None, path, headers: Vec::new(), body: None };
        let headers = vec![("ETag".to_owned(), b"0123456789abcdef".to_vec())];
        let received = Received::new(200, headers, answer.as_bytes().to_vec(), false);
        Exchange { number: 0, sent, received: Ok(Arc::new(received)), is_answered: true, duration_ms: 0, sent_at_ms: 0 }
    }

    #[test]
    fn a_value_that_was_issued_is_known_where_it_is_sent_again_and_one_that_was_sent_before_is_not() {
        let mut flow = Flow::default();
        let first = exchange("/x?name=sent-before", r#"{"id":7,"token":"tok-secret","name":"sent-before","n":7}"#);
        flow.note_sent(&first);
        flow.note_received(&first, 0);
        let mut at = |text: &str, at: usize| flow.at(text.as_bytes(), at).map(|(variable, _)| variable);
        assert_eq!(at("Bearer tok-secret", 7).as_deref(), Some("token_3"));
        assert_eq!(at("Bearer tok-secrets", 7), None);
        assert_eq!(at("/libros/7?x", 8).as_deref(), Some("id_2"));
        assert_eq!((at("/libros/71", 8), at("limit=7", 6), at("sent-before", 0)), (None, None, None));
        let used: Vec<_> = flow.used_of(0).map(|issued| issued.source.clone()).collect();
        assert_eq!(used, [Source::Pointer("/id".into()), Source::Pointer("/token".into())]);
    }
}
