//! The values in which two right answers may differ: ids, times, tokens, tags, names that a run made up, texts for people.
//!
//! Once two values were seen in the same place, they stay a pair for the rest of the case.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::clock;

/// Members whose values are texts for people, or names of clients.
const WORDS: [&str; 7] = ["error", "mensaje", "message", "advertencia", "detalles", "creadoPor", "actualizadoPor"];
/// Shorter texts are words rather than tokens.
const TOKEN_CHARS_MIN: usize = 8;
/// A larger number is a moment, in seconds since 1970 or in milliseconds.
const MOMENT_MIN: f64 = 1e9;

#[derive(Debug)]
pub(super) struct FreeValues<'a> {
    nonce: &'a str,
    pairs: BTreeSet<(String, String)>,
}

impl<'a> FreeValues<'a> {
    /// No pairs yet; `nonce` is part of the names that a run made up.
    pub(super) fn new(nonce: &'a str) -> Self {
        Self { nonce, pairs: BTreeSet::new() }
    }

    pub(super) fn may_both_be(&mut self, key: &str, own: &Value, other: &Value) -> bool {
        let [own_text, other_text] = [own, other].map(|value| match value {
            Value::String(text) => text.clone(),
            value => value.to_string(),
        });
        let pair = (own_text, other_text);
        if own == other || self.pairs.contains(&pair) {
            return true;
        }
        let may = match (own, other) {
            (Value::String(own), Value::String(other)) => self.texts_may(key, own, other),
            (Value::Number(own), Value::Number(other)) => {
                let is_moment = |number: &serde_json::Number| number.as_f64().is_some_and(|number| number > MOMENT_MIN);
                is_id(key) || is_moment(own) && is_moment(other)
            }
            _ => false,
        };
        // Short values may equal unrelated ones by chance.
        if may && pair.0.len() >= TOKEN_CHARS_MIN {
            self.pairs.insert(pair);
        }
        may
    }

    fn texts_may(&self, key: &str, own: &str, other: &str) -> bool {
        let is_free_word = WORDS.contains(&key) && !own.is_empty() && !other.is_empty();
        let are_times = [own, other].map(clock::parse_any_iso).iter().all(Option::is_some);
        let [own_plain, other_plain] = [own, other].map(|text| without_digests(&without_run(text, self.nonce)));
        let is_media_type = key.eq_ignore_ascii_case("content-type");
        let without_spaces = |text: &str| text.replace(' ', "").to_ascii_lowercase();
        is_free_word
            || are_times
            || is_media_type && without_spaces(own) == without_spaces(other)
            || own_plain == other_plain
            || is_id(key)
            || are_tokens(own, other)
            // `otpauth://totp/x?secret=...` and a path with an id have tokens within.
            || self.pairs.iter().any(|(a, b)| own.contains(a.as_str()) && own.replace(a.as_str(), b) == other)
    }
}

fn is_id(key: &str) -> bool {
    key == "id" || key.ends_with("Id") || key.ends_with("_id")
}

/// Whether both are JWTs, secrets already replaced, or random characters of one length: session tokens, codes, keys, digests.
fn are_tokens(own: &str, other: &str) -> bool {
    let is_token = |text: &str| {
        text.len() >= TOKEN_CHARS_MIN
            && text.bytes().any(|byte| byte.is_ascii_digit())
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.=+/".contains(&byte))
    };
    let is_jwt = |text: &str| text.matches('.').count() == 2 && text.starts_with("ey");
    let is_redacted = |text: &str| text.starts_with("${");
    is_redacted(own) && is_redacted(other)
        || is_token(own) && is_token(other) && (own.len() == other.len() || is_jwt(own) && is_jwt(other))
}

/// A text without the digests in it: a case makes up e-mails with a digest.
fn without_digests(text: &str) -> String {
    const DIGITS_MIN: usize = 16;
    let is_digest = |word: &str| word.len() >= DIGITS_MIN && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let words = text.split_inclusive(|c: char| !c.is_ascii_alphanumeric());
    let plain = |word: &str| {
        let end = word.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
        if is_digest(end) { format!("<digest>{}", &word[end.len()..]) } else { word.to_owned() }
    };
    words.map(plain).collect()
}

/// A text without the nonce of the run and the context number behind it.
pub(super) fn without_run(text: &str, nonce: &str) -> String {
    if nonce.is_empty() {
        return text.to_owned();
    }
    let mut pieces = text.split(nonce);
    let mut plain = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let rest = piece.strip_prefix('-').map_or(piece, |rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
        plain.push_str("<run>");
        plain.push_str(rest);
    }
    plain
}
