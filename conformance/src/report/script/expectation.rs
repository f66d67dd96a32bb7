//! How a script sees whether a failure shows again: by what was wanted, or by what came, where no program can compare more.

use std::collections::BTreeSet;

use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::pieces::Pieces;
use super::requests::Requests;
use super::shape;
use crate::http::exchange::{Exchange, Received};
use crate::report::judged::{Part, part};
use crate::runner::outcome::CaseOutcome;

/// The line that looks at the answer to the request judged.
pub(super) fn line(case: &CaseOutcome, exchange: &Exchange, requests: &mut Requests<'_>) -> String {
    by_what_was_wanted(case, requests).unwrap_or_else(|| by_what_came(case, exchange, requests))
}

fn by_what_was_wanted(case: &CaseOutcome, requests: &mut Requests<'_>) -> Option<String> {
    let mismatch = case.mismatch.as_ref()?;
    let (place, want, got) = (mismatch.place.to_string(), mismatch.want.to_string(), mismatch.got.to_string());
    let (want, got) = (want.as_str(), got.as_str());
    match part(&place) {
        // The steps of a snapshot want relations, and the answer shows values.
        _ if mismatch.place.is_of_a_step() => None,
        Part::Status => Some(format!("want_status {}", want.parse::<u16>().ok()?)),
        Part::Header(name) => Some(header(name, want, got, requests)),
        Part::Body(pointer) => body(pointer, want, got, requests),
        Part::Elsewhere => None,
    }
}

fn header(name: &str, want: &str, got: &str, requests: &mut Requests<'_>) -> String {
    let quoted = Pieces::from(name).word();
    match want {
        "absent" => format!("want_no_header {quoted}"),
        _ if want.starts_with("the hex MD5 of the text of datos") => "want_digest datos".to_owned(),
        _ if want.starts_with("the hex MD5 of") => "want_digest ''".to_owned(),
        _ if is_value(want) => format!("want_header {quoted} {}", requests.word_of(want).0),
        _ => {
            let got = if got.is_empty() { "absent" } else { got };
            let (word, is_fixed) = requests.word_of(got);
            // A value that an earlier answer had is told by its variable; else its shape is looked at.
            if is_fixed {
                format!("not_header_like {quoted} {}", digest(&shape::of(got, &[])))
            } else {
                format!("not_header {quoted} {word}")
            }
        }
    }
}

/// Whether it is the text of a header and not a sentence about one.
fn is_value(want: &str) -> bool {
    let starts_a_sentence =
        ["a ", "an ", "the ", "another ", "such as ", "at ", "no ", "not ", "any ", "one ", "some ", "of ", "present"];
    !want.contains(['`', '<']) && !starts_a_sentence.iter().any(|start| want.starts_with(start))
}

fn body(pointer: &str, want: &str, got: &str, requests: &mut Requests<'_>) -> Option<String> {
    let quoted = Pieces::from(pointer).word();
    if want == "absent" {
        return Some(format!("want_nothing_at {quoted}"));
    }
    if let Some(keys) = want.strip_prefix("an object with exactly ") {
        return Some(format!("want_keys {quoted} {}", Pieces::from(keys).word()));
    }
    let value: Value = serde_json::from_str(want).ok()?;
    let (word, is_fixed) = requests.word_of(&value.to_string());
    let is_free = matches!(&value, Value::String(text) if is_fixed && shape::of(text, &[]) != *text);
    // What is wanted is of this run, and what the script cannot make anew.
    if is_free {
        let got = serde_json::from_str::<Value>(got).ok()?;
        let text = got.as_str().map_or_else(|| got.to_string(), str::to_owned);
        return Some(format!("not_at_like {quoted} {}", digest(&shape::of(&text, &[]))));
    }
    // A list in the order of books is told by labels, which are no JSON; a whole body may hold what is of this run.
    (value.is_string() || !pointer.is_empty() || value.to_string().len() < 40)
        .then(|| format!("want_at {quoted} {word}"))
}

fn by_what_came(case: &CaseOutcome, exchange: &Exchange, requests: &mut Requests<'_>) -> String {
    let Ok(received) = &exchange.received else { return "want_an_answer".to_owned() };
    let judged = case.judged_at().unwrap_or(0);
    let statuses = case.exchanges.iter().take(judged + 1).map(status).collect::<Vec<_>>();
    let body = received.text();
    let text = if body.is_empty() { header_names(received) } else { body };
    let known = requests.flow.known_in(&text);
    let values: String = known.iter().map(|(_, name)| format!(" {name}=\"${{{name}}}\"")).collect();
    format!("not_as_then '{}' {}{values}", statuses.join(" "), digest(&shape::of(&text, &known)))
}

/// What is left to compare of an answer without a body: which headers it has, but for those of its transport.
fn header_names(received: &Received) -> String {
    const OF_TRANSPORT: [&str; 5] = ["connection", "content-length", "date", "keep-alive", "transfer-encoding"];
    let names = received.headers.iter().map(|(name, _)| name.to_ascii_lowercase());
    let names: BTreeSet<String> = names.filter(|name| !OF_TRANSPORT.contains(&name.as_str())).collect();
    names.into_iter().collect::<Vec<_>>().join(" ")
}

fn status(exchange: &Exchange) -> String {
    exchange.received.as_ref().map_or("none".to_owned(), |received| received.status.to_string())
}

fn digest(shape: &str) -> String {
    hex::encode(Sha256::digest(shape.as_bytes()))
}
