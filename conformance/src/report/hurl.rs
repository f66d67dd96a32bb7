//! Failing cases as a Hurl file: requests, captures of values that later requests take, asserts of what was wanted.
//!
//! A case that the format cannot express is a comment that says why.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::Value;

use crate::clock;
use crate::contract::edition;
use crate::contract::violation::{Mismatch, Part, Want};
use crate::http::control::HookChange;
use crate::http::exchange::{Exchange, Sent, is_left_out, variable_of_header};
use crate::json::{key_of, text_of};
use crate::printable::{Printable, is_plain};
use crate::runner::one_request;
use crate::runner::outcome::{CaseOutcome, RunOutcome, Verdict};

/// A longer case is not readable as a file.
const REQUESTS_MAX: usize = 60;
/// A shorter text may be equal to a captured one by chance.
const TEXT_CHARS_MIN: usize = 6;
/// Hexadecimal digits before the `@` of an e-mail that the run made up.
const EMAIL_DIGITS_MIN: usize = 16;
/// How many first characters identify an issued value that was cut or respelled.
const START_CHARS: usize = 8;
/// Headers whose values differ from answer to answer.
const ISSUING_HEADERS: [&str; 4] = ["etag", "last-modified", "location", "x-request-id"];

pub(super) fn text(outcome: &RunOutcome) -> String {
    let (mut variables, mut cases) = (BTreeSet::new(), String::new());
    for case in outcome.cases.iter().filter(|case| case.verdict.has_ever_failed()) {
        _ = writeln!(cases, "\n# {}\n# {}", case.id, Printable::from(case.message()));
        let mut entries = Entries { nonce: &outcome.nonce, ..Entries::default() };
        match entries.written(case) {
            Ok(written) => {
                cases += &written;
                variables.append(&mut entries.variables);
            }
            Err(why) => _ = writeln!(cases, "# Not expressed as requests: {}.", Printable::from(why)),
        }
    }
    let value = |name: &str| if name == "run" { "$(date +%s)" } else { "..." };
    let options: String = variables.iter().map(|name| format!(" --variable {name}={}", value(name))).collect();
    let (target, edition) = (Printable::from(&outcome.target), edition::label());
    format!(
        "# Failures of {target}, seed {}, {edition}\n# hurl --continue-on-error{options} FILE\n{cases}",
        outcome.seed
    )
}

/// A value that the target issued in an answer.
struct Issued {
    value: String,
    /// Whether the value is short, and the value of a key `id`.
    is_id: bool,
    answer: usize,
    /// `jsonpath "$.id"`
    query: String,
    variable: String,
    is_used: bool,
}

/// A request as the format writes it.
struct Request {
    /// Its place among the exchanges of the case.
    index: usize,
    /// It changes nothing, and is written only for what later requests use of its answer.
    is_optional: bool,
    text: String,
}

/// The requests of one case. Every error says why the format cannot express it.
#[derive(Default)]
struct Entries<'c> {
    nonce: &'c str,
    issued: Vec<Issued>,
    sent: Vec<Vec<u8>>,
    variables: BTreeSet<String>,
}

impl Entries<'_> {
    fn written(&mut self, case: &CaseOutcome) -> Result<String, String> {
        let judged = case.judged_index().ok_or("it sent nothing")?;
        if let Some(why) = obstacle(case, judged) {
            return Err(why.to_owned());
        }
        let mut requests = Vec::new();
        for (index, exchange) in case.exchanges[..=judged].iter().enumerate() {
            let is_optional = exchange.sent.is_safe() && index < judged;
            match self.request(&exchange.sent) {
                Ok(text) => requests.push(Request { index, is_optional, text }),
                Err(why) if !is_optional => return Err(why),
                // Left out, so no later request may use what it was answered.
                Err(_) => continue,
            }
            let sent = &exchange.sent;
            self.sent.push(sent.path.clone().into_bytes());
            self.sent.extend(sent.headers.iter().map(|(_, value)| value.clone()).chain(sent.body.clone()));
            if index < judged {
                self.collect_issued(exchange, index);
            }
        }
        let response = self.expected_response(case)?;
        let used = |answer| self.issued.iter().filter(move |issued| issued.is_used && issued.answer == answer);
        // Leaves out earlier requests that change nothing and whose answers no later request uses.
        requests.retain(|request| !request.is_optional || used(request.index).next().is_some());
        if requests.len() > REQUESTS_MAX {
            return Err(format!("it takes {} requests", requests.len()));
        }
        let mut text = String::new();
        for Request { index, text: request, .. } in requests.iter().filter(|request| request.index < judged) {
            let captures: String =
                used(*index).map(|issued| format!("{}: {}\n", issued.variable, issued.query)).collect();
            // The status of an answer without captures may itself be wrong.
            let received = case.exchanges[*index].received.as_ref().ok().filter(|_| !captures.is_empty());
            let status = received.map_or("*".to_owned(), |got| got.status.to_string());
            let section = if captures.is_empty() { "" } else { "[Captures]\n" };
            _ = writeln!(text, "{request}HTTP {status}\n{section}{captures}");
        }
        let last = requests.last().map_or("", |request| &request.text);
        Ok(format!("{text}{last}{response}"))
    }

    fn request(&mut self, sent: &Sent) -> Result<String, String> {
        let url = sent.url();
        if !url.bytes().all(|byte| byte.is_ascii_graphic() && !b"#\\".contains(&byte)) {
            return Err("a URL has characters that a URL must escape".to_owned());
        }
        let mut text = format!("{} {}\n", sent.method, self.template(&url, "")?);
        for (name, _) in &sent.address.headers {
            let variable = variable_of_header(name);
            _ = writeln!(text, "{name}: {{{{{variable}}}}}");
            self.variables.insert(variable);
        }
        let framing = ["content-length", "transfer-encoding", "host", "connection", "expect"];
        for (name, value) in &sent.headers {
            if framing.contains(&name.to_ascii_lowercase().as_str()) {
                return Err(format!("a request has a `{name}` of its own"));
            }
            if is_left_out(name, value) {
                return Err(format!("a request has no `{name}`"));
            }
            let value = std::str::from_utf8(value).map_err(|_| format!("`{name}` is not UTF-8"))?;
            let value = self.template(value, "\\#")?;
            // A JWT begins with the base64 of `{"`.
            if value.contains("eyJ") {
                return Err("it computes a token".to_owned());
            }
            _ = writeln!(text, "{name}: {value}");
        }
        let body = std::str::from_utf8(sent.body.as_deref().unwrap_or_default()).map_err(|_| "a body is not UTF-8")?;
        if !body.is_empty() {
            _ = writeln!(text, "`{}`", self.template(body, "`\\#")?);
        }
        Ok(text)
    }

    /// The text with `{{variables}}` for values of this run; a backslash goes before the characters of `escaped`.
    fn template(&mut self, text: &str, escaped: &str) -> Result<String, String> {
        let (mut out, mut at) = (String::new(), 0);
        while let Some(c) = text[at..].chars().next() {
            if let Some((variable, length)) = self.variable_at(text, at)? {
                out += &variable;
                at += length;
                continue;
            }
            match c {
                _ if text[at..].starts_with("{{") => return Err("it sends `{{`, which begins a variable".to_owned()),
                _ if escaped.contains(c) => out.extend(['\\', c]),
                _ if is_plain(c) => out.push(c),
                _ => _ = write!(out, "\\u{{{:x}}}", u32::from(c)),
            }
            at += c.len_utf8();
        }
        let shown = out.to_ascii_lowercase();
        let is_changed = |issued: &Issued| {
            let start = issued.value.trim_matches('"').get(..START_CHARS).unwrap_or_default().to_ascii_lowercase();
            let is_made = start.bytes().any(|b| b.is_ascii_digit()) && start.bytes().all(|b| b.is_ascii_alphanumeric());
            is_made && shown.contains(&start)
        };
        if self.issued.iter().any(is_changed) {
            return Err("it changes a value from an answer".to_owned());
        }
        Ok(out)
    }

    /// The variable for the value of this run at this place of the text, and the value's length.
    fn variable_at(&mut self, text: &str, at: usize) -> Result<Option<(String, usize)>, String> {
        let rest = &text[at..];
        // An e-mail contains a digest, which must differ in another run.
        let digits = rest.bytes().take_while(u8::is_ascii_hexdigit).count();
        if digits >= EMAIL_DIGITS_MIN && (rest[digits..].starts_with('@') || rest[digits..].starts_with("%40")) {
            self.variables.insert("run".to_owned());
            return Ok(Some((format!("{{{{run}}}}{}", &rest[..digits]), digits)));
        }
        let (name, length) = if !self.nonce.is_empty() && rest.starts_with(self.nonce) {
            ("run", self.nonce.len())
        } else if let Some(issued) = self.issued_at(text, at) {
            issued.is_used = true;
            return Ok(Some((format!("{{{{{}}}}}", issued.variable), issued.value.len())));
        } else if let Some((redacted, _)) = rest.strip_prefix("${").and_then(|rest| rest.split_once('}')) {
            (redacted, redacted.len() + 3)
        } else {
            return Ok(None);
        };
        if name.contains(' ') {
            return Err("it takes a secret from an answer that is not kept".to_owned());
        }
        self.variables.insert(name.to_owned());
        Ok(Some((format!("{{{{{name}}}}}"), length)))
    }

    /// The longest issued value at this place of the text; of equally long ones, one that is not from a list.
    fn issued_at(&mut self, text: &str, at: usize) -> Option<&mut Issued> {
        let (before, rest) = text.split_at(at);
        let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let label = before.trim_end_matches(['"', '\\', ' ']);
        let is_behind_id = ["/", "id=", "id:", "id\":", "id\\\":"].iter().any(|start| label.ends_with(start));
        let is_here = |issued: &&mut Issued| {
            let Some(after) = rest.strip_prefix(issued.value.as_str()) else { return false };
            let is_whole_word = !is_word(before.chars().next_back()) && !is_word(after.chars().next());
            is_whole_word && (is_behind_id || !issued.is_id)
        };
        let found = self.issued.iter_mut().filter(is_here);
        found.max_by_key(|issued| (issued.value.len(), !issued.query.contains('['), issued.answer))
    }

    fn collect_issued(&mut self, exchange: &Exchange, answer: usize) {
        let Ok(received) = &exchange.received else { return };
        for (name, value) in ISSUING_HEADERS.iter().filter_map(|name| Some((name, received.header(name)?))) {
            self.add_issued(value, name, answer, format!("header \"{name}\""));
        }
        self.collect_from_json(received.json().unwrap_or_default(), "", "$", answer);
    }

    fn collect_from_json(&mut self, value: &Value, key: &str, path: &str, answer: usize) {
        match value {
            Value::String(_) | Value::Number(_) => {
                self.add_issued(text_of(value), key, answer, format!("jsonpath \"{path}\""));
            }
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.collect_from_json(item, key, &format!("{path}[{index}]"), answer);
                }
            }
            Value::Object(members) => {
                for (key, member) in members {
                    self.collect_from_json(member, key, &member_path(path, key), answer);
                }
            }
            Value::Null | Value::Bool(_) => {}
        }
    }

    /// Skips values that another run would have too: empty, short, issued or sent before.
    fn add_issued(&mut self, value: String, key: &str, answer: usize, query: String) {
        let (is_short, is_id) = (value.chars().count() < TEXT_CHARS_MIN, key == "id");
        let is_known = || self.issued.iter().any(|issued| issued.value == value);
        let was_sent = || self.sent.iter().any(|sent| memchr::memmem::find(sent, value.as_bytes()).is_some());
        if value.is_empty() || is_short && !is_id || !is_short && (is_known() || was_sent()) {
            return;
        }
        let word: String = key.chars().filter(char::is_ascii_alphabetic).collect();
        let variable = format!("v_{word}_{}", self.issued.len() + 1);
        self.issued.push(Issued { value, is_id: is_id && is_short, answer, query, variable, is_used: false });
    }

    /// The status and the assert that the judged answer should pass.
    fn expected_response(&mut self, case: &CaseOutcome) -> Result<String, String> {
        let Some(mismatch) = &case.mismatch else { return Ok("HTTP *\n".to_owned()) };
        if let (Part::Status, Want::Json(Value::Number(status))) = (&mismatch.place.part, &mismatch.want) {
            return Ok(format!("HTTP {status}\n"));
        }
        let assert = self.assert(mismatch)?.ok_or("what is wanted is not one value")?;
        let got = case.judged_exchange().and_then(|exchange| exchange.received.as_ref().ok());
        Ok(format!("HTTP {}\n[Asserts]\n{assert}\n", got.map_or("*".to_owned(), |got| got.status.to_string())))
    }

    /// The assert for what is wanted; `None` if the format has no predicate for it.
    fn assert(&mut self, mismatch: &Mismatch) -> Result<Option<String>, String> {
        let (query, is_issued) = match &mismatch.place.part {
            Part::Header(name) => {
                (format!("header \"{name}\""), ISSUING_HEADERS.contains(&name.to_ascii_lowercase().as_str()))
            }
            Part::Body(pointer) => {
                let keys = pointer.split('/').skip(1).map(key_of);
                let path = keys.fold("$".to_owned(), |path, key| member_path(&path, &key));
                (format!("jsonpath \"{path}\""), pointer.ends_with("/id"))
            }
            Part::Status | Part::Described(_) => return Ok(None),
        };
        let literal = match &mismatch.want {
            Want::Absent => return Ok(Some(format!("{query} not exists"))),
            Want::Present => return Ok(Some(format!("{query} exists"))),
            Want::Text(text) | Want::Json(Value::String(text)) => format!("\"{}\"", self.template(text, "\"\\")?),
            Want::Json(value @ (Value::Number(_) | Value::Bool(_) | Value::Null)) => value.to_string(),
            _ => return Ok(None),
        };
        if is_issued && !literal.contains("{{") || is_made_anew(literal.trim_matches('"')) {
            return Err("what is wanted is computed from an answer".to_owned());
        }
        Ok(Some(format!("{query} == {literal}")))
    }
}

/// Whether a text is a time or a token, which differs in another run.
fn is_made_anew(text: &str) -> bool {
    let is_token = text.len() >= 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_token || clock::parse_any_iso(text).is_some()
}

/// Why the format cannot express the case, if it cannot.
fn obstacle(case: &CaseOutcome, judged: usize) -> Option<&'static str> {
    let has_call = |is_such: fn(&HookChange) -> bool| case.hook_calls.iter().any(|call| is_such(&call.change));
    let obstacles = [
        (has_call(|change| matches!(change, HookChange::Advance(_))), "it moves the server's clock"),
        (has_call(|change| matches!(change, HookChange::Reset)), "it restores the initial state"),
        (case.exchanges[..=judged].iter().any(|one| sends_a_code(&one.sent)), "it computes codes from the time"),
        // Times are whole milliseconds: a shorter overlap cannot be seen.
        (case.exchanges.windows(2).any(|pair| pair[1].sent_at_ms + 1 < pair[0].ended_at_ms()), "its requests overlap"),
        (case.first_in.is_some() && !one_request_suffices(case), "the requests before this one are not kept"),
        (case.mismatch.is_none() && case.verdict != Verdict::Fail, "a step before the one judged failed"),
        (case.mismatch.as_ref().is_some_and(|one| one.place.is_of_transcript()), "it compares a reviewed transcript"),
    ];
    obstacles.into_iter().find_map(|(applies, why)| applies.then_some(why))
}

/// Whether the request sends a one-time code, right or malformed by a digit more or less, or by spaces.
fn sends_a_code(sent: &Sent) -> bool {
    let is_code =
        |text: &[u8]| (5..=8).contains(&text.len()) && text.iter().filter(|byte| byte.is_ascii_digit()).count() > 4;
    let mut strings = sent.body.iter().flat_map(|body| body.split(|byte| *byte == b'"'));
    sent.path_below_prefix() == "/auth/verify-2fa" && strings.any(is_code)
}

/// Whether the judged request shows the failure alone, and names no id that an earlier request made.
fn one_request_suffices(case: &CaseOutcome) -> bool {
    let is_number = |part: &str| part.parse::<u64>().is_ok();
    let names_id = |exchange: &Exchange| exchange.sent.path.split(['/', '?']).any(is_number);
    case.curl.is_some() || one_request::candidate(case).is_some_and(|exchange| !names_id(exchange))
}

fn member_path(path: &str, key: &str) -> String {
    let is_word = key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    match key.parse::<u32>() {
        Ok(index) => format!("{path}[{index}]"),
        Err(_) if is_word && !key.is_empty() => format!("{path}.{key}"),
        Err(_) => format!("{path}['{}']", key.replace(['\\', '\'', '"'], "_")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::implementation::profile::Address;

    #[test]
    fn a_code_of_the_second_factor_is_known_below_a_prefix_too() {
        let address = Address::parse("http://h:1/api").unwrap();
        let sent = Sent::new("POST", &address, "/auth/verify-2fa").json(&serde_json::json!({ "code": "123456" }));
        let exchanges = vec![Exchange::new(sent, Err("none".to_owned().into()))];
        let case = CaseOutcome { exchanges, verdict: Verdict::Fail, ..CaseOutcome::default() };
        assert_eq!(obstacle(&case, 0), Some("it computes codes from the time"));
    }
}
