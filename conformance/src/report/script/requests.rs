//! The requests of one case as lines of a script: what earlier answers issued is a variable, codes and moments are made anew.

use std::collections::BTreeMap;

use serde_json::Value;

use super::flow::Flow;
use super::pieces::Pieces;
use crate::http::control::HookChange;
use crate::http::exchange::{Exchange, Sent, is_left_out, variable_of_header};
use crate::oracle::{jwt, totp};
use crate::runner::outcome::CaseOutcome;

/// So many steps before and after its moment a code is looked for.
const STEPS_MAX: i64 = 130;
/// A time further away is no moment that a case made.
const MOMENT_MS_MAX: i64 = 400 * 86_400_000;
/// So many digits has a code.
const CODE_DIGITS: usize = 6;

/// What a case's texts are made of.
pub(super) struct Requests<'c> {
    case: &'c CaseOutcome,
    /// Part of every name that the run made up.
    nonce: &'c str,
    pub(super) flow: Flow,
    /// Secrets of codes that were issued or chosen.
    secrets: Vec<String>,
    /// Codes sent, each with its variable.
    codes: BTreeMap<String, String>,
    /// Lines to run before the request in hand.
    before: Vec<String>,
}

impl<'c> Requests<'c> {
    pub(super) fn of(case: &'c CaseOutcome, nonce: &'c str) -> Self {
        let (flow, secrets) = (Flow::default(), Vec::new());
        Self { case, nonce, flow, secrets, codes: BTreeMap::new(), before: Vec::new() }
    }

    /// Whether a code was made anew for it.
    pub(super) fn has_codes(&self) -> bool {
        !self.codes.is_empty()
    }

    /// A text of the case as one word of the script, and whether all of it is known beforehand.
    pub(super) fn word_of(&mut self, text: &str) -> (String, bool) {
        let pieces = self.text(text.as_bytes(), 0, false);
        (pieces.word(), pieces.is_fixed())
    }

    /// The lines that send it, in order of the case; `url` tells what to write for its address.
    pub(super) fn lines(&mut self, index: usize, url: &dyn Fn(&Sent) -> Option<(Pieces, String)>) -> Vec<String> {
        let exchange = &self.case.exchanges[index];
        let sent = &exchange.sent;
        let now_ms = target_time_ms(self.case, index);
        let (mut place, path) =
            url(sent).unwrap_or_else(|| (Pieces::from(sent.address.root().as_str()), sent.path.clone()));
        let mut options = match sent.method.as_str() {
            "HEAD" => " --head".to_owned(),
            method => format!(" -X {}", Pieces::from(method).word()),
        };
        let is_given = |name: &str| sent.headers.iter().any(|(given, _)| given.eq_ignore_ascii_case(name));
        for (name, _) in &sent.address.headers {
            options += &format!(" -H \"{name}: ${{{}}}\"", variable_of_header(name));
        }
        for (name, value) in &sent.headers {
            let mut line = Pieces::from(name.as_str());
            // An empty value is written so, and what curl would send unasked and must not as the last.
            line.push_bytes(match value.is_empty() {
                true if is_left_out(name, value) => b":",
                true => b";",
                false => b": ",
            });
            line.extend(self.header(value, now_ms));
            options += &format!(" -H {}", line.word());
        }
        let wants_length = matches!(sent.method.as_str(), "POST" | "PUT") && !is_given("content-length");
        if let Some(body) = sent.body.as_deref().or(if wants_length { Some(&[]) } else { None }) {
            if !is_given("content-type") {
                options += " -H Content-Type:";
            }
            options += &self.body(body, now_ms);
        }
        let path = self.text(path.as_bytes(), now_ms, false);
        // What curl would not let stand in a URL goes out as it is all the same.
        let is_plain = |byte: u8| byte.is_ascii_graphic() && byte != b'#';
        if !sent.path.bytes().all(is_plain) {
            options += &format!(" --request-target {}", path.word());
        } else {
            place.extend(path);
        }
        let caption = Pieces::from(format!("{} {}", sent.method, caption(&sent.path)).as_str()).word();
        let mut lines = std::mem::take(&mut self.before);
        lines.push(format!("send {caption}{options} {}", place.word()));
        self.flow.note_sent(exchange);
        // Nothing takes from the answer judged, and what it says must not be told by its own variable.
        if Some(index) < self.case.judged_at() {
            self.flow.note_received(exchange, index);
            self.note_secrets(exchange);
        }
        lines
    }

    /// A value of a header: a token of the case's own making is made anew.
    fn header(&mut self, value: &[u8], now_ms: i64) -> Pieces {
        let pieces = self.text(value, now_ms, false);
        if pieces.is_fixed()
            && let Some(forged) = self.forged(value, now_ms)
        {
            return forged;
        }
        pieces
    }

    /// ` --data-binary ...`
    fn body(&mut self, body: &[u8], now_ms: i64) -> String {
        let pieces = self.text(body, now_ms, true);
        let is_text = std::str::from_utf8(body).is_ok() && !body.starts_with(b"@");
        if is_text && pieces.fits_a_word() && body.len() < 32_000 {
            return format!(" --data-binary {}", pieces.word());
        }
        self.before.push(pieces.printed_to("\"$tmp/sent\""));
        " --data-binary @\"$tmp/sent\"".to_owned()
    }

    /// A text, with variables for what the script knows better.
    fn text(&mut self, text: &[u8], now_ms: i64, has_codes: bool) -> Pieces {
        let mut pieces = Pieces::default();
        let mut at = 0;
        while at < text.len() {
            let rest = &text[at..];
            if rest.starts_with(self.nonce.as_bytes()) {
                pieces.push_variable("run");
                at += self.nonce.len();
            } else if let Some((variable, length)) = self.flow.at(text, at) {
                pieces.push_variable(&variable);
                at += length;
            } else if let Some((variable, length)) = redacted(rest) {
                pieces.push_variable(&variable);
                at += length;
            } else if has_codes
                && let Some(code) = lone_code(text, at)
                && let Some(variable) = self.code(code, now_ms)
            {
                pieces.push_variable(&variable);
                at += CODE_DIGITS;
            } else {
                pieces.push_byte(text[at]);
                at += 1;
            }
        }
        pieces
    }

    /// The variable of a time-based code; `None` for six digits that are none.
    fn code(&mut self, code: &str, now_ms: i64) -> Option<String> {
        if let Some(variable) = self.codes.get(code) {
            return Some(variable.clone());
        }
        let step = totp::step_at(now_ms);
        let nearest = (0..=STEPS_MAX).flat_map(|steps| [steps, -steps]);
        let (secret, steps) = nearest
            .flat_map(|steps| self.secrets.iter().map(move |secret| (secret, steps)))
            .find(|(secret, steps)| totp::code(&hex::decode(secret).unwrap_or_default(), step + steps) == code)?;
        let variable = format!("code_{}", self.codes.len() + 1);
        let secret = self.flow.word_of(&secret.clone());
        self.before.push(format!("{variable}=$(code {secret} {steps})"));
        self.codes.insert(code.to_owned(), variable.clone());
        Some(variable)
    }

    /// `JWT a.b.c`, where b holds something that the script knows better.
    fn forged(&mut self, value: &[u8], now_ms: i64) -> Option<Pieces> {
        let value = std::str::from_utf8(value).ok()?;
        let mut segments = value.splitn(3, '.');
        let (first, payload, last) = (segments.next()?, segments.next()?, segments.next()?);
        let payload = jwt::decoded(payload)?;
        serde_json::from_slice::<Value>(&payload).ok()?;
        let mut inner = Pieces::default();
        for piece in self.text(payload.trim_ascii_end(), now_ms, false) {
            match piece {
                super::pieces::Piece::Bytes(bytes) => inner.extend(moments(&bytes, now_ms)),
                other => inner.extend([other]),
            }
        }
        if inner.is_fixed() {
            return None;
        }
        let mut pieces = Pieces::from(format!("{first}.").as_str());
        pieces.push_command(format!("answer base64 {}", inner.word()));
        pieces.push_bytes(format!(".{last}").as_bytes());
        Some(pieces)
    }

    fn note_secrets(&mut self, exchange: &Exchange) {
        let sent = exchange.sent.body.as_deref().and_then(|body| serde_json::from_slice::<Value>(body).ok());
        let received = exchange.received.as_ref().ok().and_then(|received| received.json().cloned());
        for body in [sent, received].into_iter().flatten() {
            let secret = body.get("secret").and_then(Value::as_str).unwrap_or_default();
            if secret.len() == 40 && hex::decode(secret).is_ok() && !self.secrets.iter().any(|known| known == secret) {
                self.secrets.push(secret.to_owned());
            }
        }
    }
}

/// How far the target's clock was ahead of this machine's before an exchange, as far as the case saw it, and the moment then.
pub(super) fn target_time_ms(case: &CaseOutcome, index: usize) -> i64 {
    let first_read = case.hook_calls.iter().find_map(|call| match call.change {
        HookChange::Read(ahead_ms) => Some(ahead_ms),
        HookChange::Advance(_) | HookChange::Reset => None,
    });
    let mut ahead_ms = first_read.unwrap_or(0);
    for call in case.hook_calls.iter().filter(|call| call.after <= index) {
        match call.change {
            HookChange::Read(read_ms) => ahead_ms = read_ms,
            HookChange::Advance(seconds) => ahead_ms += (seconds * 1000.0) as i64,
            HookChange::Reset => ahead_ms = 0,
        }
    }
    case.exchanges.get(index).map_or(0, |exchange| exchange.sent_at_ms) + ahead_ms
}

/// The variable of a redacted value, `${session 1}`, and how long its mark is.
fn redacted(text: &[u8]) -> Option<(String, usize)> {
    let name = std::str::from_utf8(text.strip_prefix(b"${")?).ok()?.split_once('}')?.0;
    let is_name = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || " _".contains(c));
    (is_name(name) && !name.is_empty()).then(|| (name.replace(' ', "_"), name.len() + 3))
}

/// Six digits between quotes or spaces that begin there.
fn lone_code(text: &[u8], at: usize) -> Option<&str> {
    let code = text.get(at..at + CODE_DIGITS).filter(|code| code.iter().all(u8::is_ascii_digit))?;
    let ends = |index: Option<usize>| index.and_then(|index| text.get(index)).is_some_and(|byte| b"\" ".contains(byte));
    (ends(at.checked_sub(1)) && ends(Some(at + CODE_DIGITS))).then_some(())?;
    std::str::from_utf8(code).ok()
}

/// A text of JSON in which times near now, in seconds or milliseconds since 1970, are made anew.
fn moments(text: &[u8], now_ms: i64) -> Pieces {
    let mut pieces = Pieces::default();
    let mut at = 0;
    while at < text.len() {
        let digits = text[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let unit = match digits {
            10 => 1000,
            13 => 1,
            _ => 0,
        };
        let number = std::str::from_utf8(&text[at..at + digits]).ok().and_then(|digits| digits.parse::<i64>().ok());
        match number.map(|number| number.saturating_mul(unit) - now_ms) {
            Some(ahead_ms) if unit > 0 && ahead_ms.abs() < MOMENT_MS_MAX => {
                pieces.push_command(format!("moment {ahead_ms} {unit}"));
            }
            _ => pieces.push_bytes(&text[at..at + digits.max(1)]),
        }
        at += digits.max(1);
    }
    pieces
}

/// A path as the script tells it while it runs.
fn caption(path: &str) -> String {
    let path: String = path.chars().filter(|c| !c.is_control()).collect();
    match path.char_indices().nth(70) {
        None => path,
        Some((cut, _)) => format!("{}...", &path[..cut]),
    }
}
