//! One answer of a class, and the checks that collect its violations. Pure: sends nothing, remembers nothing.

use serde_json::Value;

use crate::contract::violation::{Got, Mismatch, Place, Want};
use crate::http::exchange::{Exchange, Received, Sent};
use crate::http::header_values;
use crate::invariants::route::{CLASSES, Credential, Route};

/// An answer of a class in the documents, to a request that every platform reads alike.
#[derive(Debug)]
pub(crate) struct Answer<'a> {
    pub(crate) route: Route,
    /// `None` where the documents leave the credential open.
    pub(crate) credential: Option<Credential>,
    pub(crate) sent: &'a Sent,
    pub(crate) received: &'a Received,
    /// The body of the request, if it is a plainly spelled JSON object without repeated keys.
    pub(crate) asked: Option<Value>,
}

impl<'a> Answer<'a> {
    /// The answer of an exchange; `None` if the request is odd or no sentence names the class.
    pub(crate) fn of(exchange: &'a Exchange) -> Option<Self> {
        let (sent, received) = (&exchange.sent, exchange.received.as_deref().ok()?);
        if !is_plain(sent) {
            return None;
        }
        let route = Route::of(sent)?;
        if !is_named(route, received.status) && received.status != 500 && !is_strange(route, received.status) {
            return None;
        }
        let is_compact =
            |asked: &Value| asked.is_object() && sent.body.as_deref() == Some(asked.to_string().as_bytes());
        let asked = sent.body.as_deref().and_then(|body| serde_json::from_slice(body).ok()).filter(is_compact);
        let credential = if route.is_protected() { Credential::of(sent) } else { Some(Credential::None) };
        Some(Self { route, credential, sent, received, asked })
    }

    pub(crate) fn status(&self) -> u16 {
        self.received.status
    }

    pub(crate) fn json(&self) -> Option<&'a Value> {
        self.received.json()
    }

    pub(crate) fn asks_for_second_factor(&self) -> bool {
        self.route == Route::Login
            && self.status() == 200
            && self.json().and_then(|body| body.get("requiere2FA")) == Some(&Value::Bool(true))
    }

    pub(crate) fn asked_text(&self, key: &str) -> Option<&str> {
        self.asked.as_ref()?.get(key)?.as_str()
    }

    /// The value of a request header, or that it is absent; `None` if it has several lines or is not text.
    pub(crate) fn request_header(&self, name: &str) -> Option<Option<&str>> {
        match self.sent.values(name)[..] {
            [] => Some(None),
            [value] => str::from_utf8(value).ok().map(Some),
            _ => None,
        }
    }
}

fn is_named(route: Route, status: u16) -> bool {
    CLASSES.iter().any(|(named, statuses)| *named == route && statuses.contains(&status))
}

/// Whether no reading of the documents permits the status on the route: another success, or a refusal that no table lists.
pub(super) fn is_strange(route: Route, status: u16) -> bool {
    const IN_NO_TABLE: [u16; 5] = [402, 403, 409, 410, 422];
    let succeeds_otherwise = (200..300).contains(&status) && route.success_rule().is_some();
    !is_named(route, status) && (succeeds_otherwise || IN_NO_TABLE.contains(&status) && route < Route::Preflight)
}

/// Longest request that no platform refuses for its length alone, in bytes of target and of body.
const TARGET_BYTES_MAX: usize = 2_000;
const BODY_BYTES_MAX: usize = 64 << 10;

/// Whether every platform passes the request to the service; a transport may answer odd ones itself.
fn is_plain(sent: &Sent) -> bool {
    let (path, query) = sent.path.split_once('?').unwrap_or((&sent.path, ""));
    let is_plain_path = path.starts_with('/')
        && !path.contains("//")
        && !path.split('/').any(|segment| segment == "." || segment == "..")
        && path.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/-_.".contains(&byte));
    let is_plain_query = !query.contains(['[', ']', '\\', '^', '`', '{', '|', '}', '<', '>', '"', ';', '#'])
        && query.bytes().all(|byte| byte.is_ascii_graphic())
        && is_percent_encoded_utf8(query);
    let negotiates = |name: &str| {
        const NAMES: &str = "accept accept-encoding cache-control host expect connection transfer-encoding";
        NAMES.split(' ').any(|negotiating| name.eq_ignore_ascii_case(negotiating))
    };
    let is_plain_header = |(name, value): &(String, Vec<u8>)| {
        (!negotiates(name) || name.eq_ignore_ascii_case("connection") && value == b"close")
            && !value.is_empty()
            && value.len() <= TARGET_BYTES_MAX * 2
            && value.iter().all(|byte| byte.is_ascii_graphic() || *byte == b' ')
    };
    matches!(sent.method.as_str(), "GET" | "POST" | "PUT" | "DELETE" | "PATCH" | "OPTIONS")
        && is_plain_path
        && is_plain_query
        && sent.path.len() <= TARGET_BYTES_MAX
        && sent.headers.iter().all(is_plain_header)
        && is_plain_body(sent)
}

/// Whether the body is JSON by its Content-Type, in UTF-8 and not deep, and absent where the method usually has none.
fn is_plain_body(sent: &Sent) -> bool {
    let Some(body) = &sent.body else { return true };
    let depth = || body.iter().filter(|byte| b"[{".contains(byte)).count();
    !matches!(sent.method.as_str(), "GET" | "DELETE" | "OPTIONS")
        && body.len() <= BODY_BYTES_MAX
        && !body.is_empty()
        && str::from_utf8(body).is_ok_and(|text| !text.starts_with('\u{feff}'))
        && (depth() <= 24 || serde_json::from_slice::<Value>(body).is_ok_and(|value| is_shallow(&value, 24)))
        && sent.values("content-type") == [b"application/json".as_slice()]
}

fn is_shallow(value: &Value, levels: usize) -> bool {
    match value {
        Value::Array(items) => levels > 0 && items.iter().all(|item| is_shallow(item, levels - 1)),
        Value::Object(members) => levels > 0 && members.values().all(|member| is_shallow(member, levels - 1)),
        _ => true,
    }
}

fn is_percent_encoded_utf8(query: &str) -> bool {
    let mut parts = query.split('%');
    let mut decoded = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let byte = part.get(..2).and_then(|digits| hex::decode(digits).ok());
        let Some(byte) = byte else { return false };
        decoded.extend(byte);
        decoded.extend(&part.as_bytes()[2..]);
    }
    str::from_utf8(&decoded).is_ok_and(|text| !text.contains('\0'))
}

/// The violations of an answer found so far.
#[derive(Debug)]
pub(crate) struct Findings<'a> {
    received: &'a Received,
    pub(crate) violations: Vec<Mismatch>,
}

impl<'a> Findings<'a> {
    pub(crate) fn of(answer: &Answer<'a>) -> Self {
        Self { received: answer.received, violations: Vec::new() }
    }

    pub(crate) fn header(&mut self, rule: &'static str, holds: bool, name: &str, want: impl Into<Want>) {
        let got = self.received;
        self.need(rule, holds, || (Place::header(name), want.into(), got.header(name).into()));
    }

    pub(crate) fn no_header(&mut self, rule: &'static str, name: &str) {
        self.header(rule, self.received.header_bytes(name).is_none(), name, "absent");
    }

    pub(crate) fn once(&mut self, rule: &'static str, name: &str) {
        self.header(rule, self.received.lines(name).count() <= 1, name, "one line");
    }

    pub(crate) fn json_type(&mut self, rule: &'static str) {
        let is_json = self.received.header("Content-Type").is_some_and(|got| header_values::is_json(&got));
        self.header(rule, is_json, "Content-Type", "application/json");
    }

    /// Checks a condition on the value at a JSON pointer of the body.
    pub(crate) fn body(&mut self, rule: &'static str, holds: bool, pointer: &str, want: impl Into<Want>) {
        let got = self.received.json().and_then(|body| body.pointer(pointer));
        self.value(rule, holds, pointer, want, got);
    }

    /// Checks a condition on this value of the body.
    pub(crate) fn value(
        &mut self,
        rule: &'static str,
        holds: bool,
        there: &str,
        want: impl Into<Want>,
        got: Option<&Value>,
    ) {
        self.need(rule, holds, || (Place::body(there), want.into(), got.map_or(Got::Absent, Got::from)));
    }

    /// Checks a condition on the bytes of the body.
    pub(crate) fn whole(&mut self, rule: &'static str, holds: bool, want: impl Into<Want>) {
        let got = self.received;
        self.need(rule, holds, || (Place::BODY, want.into(), Got::Text(got.text())));
    }

    /// Checks any condition; computes place, want and got only if it does not hold.
    pub(crate) fn need(&mut self, rule: &'static str, holds: bool, broken: impl FnOnce() -> (Place, Want, Got)) {
        if !holds {
            let (place, want, got) = broken();
            self.violations.push(Mismatch::new(rule, place, want, got));
        }
    }
}
