//! How a script sees whether a failure shows again: by what was wanted, or by what came, where no program can compare more.

use std::collections::BTreeSet;

use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::pieces::Pieces;
use super::requests::Requests;
use super::shape;
use crate::contract::violation::{Got, Part, Want};
use crate::http::exchange::{Exchange, Received};
use crate::runner::outcome::CaseOutcome;

/// The line that looks at the answer to the request judged.
pub(super) fn line(case: &CaseOutcome, exchange: &Exchange, requests: &mut Requests<'_>) -> String {
    by_what_was_wanted(case, requests).unwrap_or_else(|| by_what_came(case, exchange, requests))
}

fn by_what_was_wanted(case: &CaseOutcome, requests: &mut Requests<'_>) -> Option<String> {
    let mismatch = case.mismatch.as_ref()?;
    match (&mismatch.place.part, &mismatch.want) {
        // The steps of a snapshot want relations, and the answer shows values.
        _ if mismatch.place.is_of_a_step() => None,
        (Part::Status, Want::Json(status)) => Some(format!("want_status {status}")),
        (Part::Header(name), want) => Some(header(name, want, &mismatch.got, requests)),
        (Part::Body(pointer), want) => body(pointer, want, &mismatch.got, requests),
        _ => None,
    }
}

fn header(name: &str, want: &Want, got: &Got, requests: &mut Requests<'_>) -> String {
    let quoted = Pieces::from(name).word();
    match want {
        Want::Absent => format!("want_no_header {quoted}"),
        Want::Digest(_) => "want_digest ''".to_owned(),
        Want::Text(want) => format!("want_header {quoted} {}", requests.word_of(want).0),
        _ => {
            let got = got.to_string();
            let got = if got.is_empty() { "absent" } else { &got };
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

fn body(pointer: &str, want: &Want, got: &Got, requests: &mut Requests<'_>) -> Option<String> {
    let quoted = Pieces::from(pointer).word();
    let value = match want {
        Want::Absent => return Some(format!("want_nothing_at {quoted}")),
        Want::Keys(keys) => {
            return Some(format!("want_keys {quoted} {}", Pieces::from(keys.join(", ").as_str()).word()));
        }
        Want::Json(value) => value,
        _ => return None,
    };
    let (word, is_fixed) = requests.word_of(&value.to_string());
    let is_free = matches!(value, Value::String(text) if is_fixed && shape::of(text, &[]) != *text);
    // What is wanted is of this run, and what the script cannot make anew.
    if is_free {
        let Got::Json(got) = got else { return None };
        let text = got.as_str().map_or_else(|| got.to_string(), str::to_owned);
        return Some(format!("not_at_like {quoted} {}", digest(&shape::of(&text, &[]))));
    }
    // A whole body may hold what is of this run.
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
