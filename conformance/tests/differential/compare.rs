//! Compares two whole replies to one request: status, headers, body, order of keys. Times may differ by a few seconds,
//! tags must be digests of their data, random values must always pair; texts for people are free.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use libros_conformance::clock;
use libros_conformance::contract::violation::{Part, Place};
use libros_conformance::generate::histories::Difference;
use libros_conformance::http::exchange::Received;
use libros_conformance::oracle::etag;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::pairing::Pairing;

/// How far apart the times of both may be.
const APART_MS: i64 = 4_000;

/// Headers of the HTTP library, and those checked within each reply.
const OWN_HEADERS: [&str; 6] =
    ["date", "connection", "keep-alive", "transfer-encoding", "content-length", "last-modified"];

/// Keys with random values, which must always pair.
const RANDOM: [&str; 6] = ["sessionToken", "sessionId", "secret", "deviceId", "apiKey", "backupCodes"];

/// Keys with texts for people.
const WORDS: [&str; 5] = ["error", "mensaje", "message", "advertencia", "detalles"];

type Compared = Result<(), Box<Difference>>;

fn differs(place: impl Into<String>, got: impl Into<String>, want: impl Into<String>) -> Compared {
    let (place, want, got) = (Place::at(Part::Described(place.into())), want.into(), got.into());
    Err(Box::new(Difference { place, want: Value::String(want), got: Value::String(got) }))
}

/// Compares replies, the reference's on the left and the model's on the right, with the known pairs.
pub(crate) struct Comparison<'a> {
    pub(crate) pairing: &'a mut Pairing,
    /// Whether the method was `HEAD`: then the announced body does not come.
    pub(crate) is_head: bool,
}

impl Comparison<'_> {
    pub(crate) fn replies(&mut self, left: &Received, right: &Received) -> Compared {
        if left.status != right.status {
            return differs("status", left.status.to_string(), right.status.to_string());
        }
        self.headers(left, right)?;
        self.framing(left)?;
        self.bodies(left, right)?;
        self.tags(left, right)
    }

    fn headers(&mut self, left: &Received, right: &Received) -> Compared {
        let [of_left, of_right] = [left, right].map(lines);
        let names = |of: &BTreeMap<String, Vec<String>>| of.keys().cloned().collect::<Vec<_>>().join(", ");
        if names(&of_left) != names(&of_right) {
            return differs("names of headers", names(&of_left), names(&of_right));
        }
        for (name, values) in &of_left {
            let others = &of_right[name];
            if name != "etag" && values != others {
                return differs(format!("header {name}"), values.join(" | "), others.join(" | "));
            }
        }
        let moments = [left, right].map(|reply| reply.header("last-modified"));
        match &moments {
            [None, None] => Ok(()),
            [Some(a), Some(b)] if near(clock::parse_http_date(a), clock::parse_http_date(b)) => Ok(()),
            [a, b] => differs("header last-modified", shown(a), shown(b)),
        }
    }

    /// A stated length is the body's.
    fn framing(&self, left: &Received) -> Compared {
        let own = left.body.len().to_string();
        match left.header("content-length") {
            Some(length) if !self.is_head && length != own => {
                differs("content-length and length of the body", length, own)
            }
            _ => Ok(()),
        }
    }

    fn bodies(&mut self, left: &Received, right: &Received) -> Compared {
        if left.body == right.body {
            return Ok(());
        }
        match (read(&left.body), read(&right.body)) {
            (Some(a), Some(b)) => {
                self.values("body", "", &a, &b)?;
                if a.get("errors").is_some() { Ok(()) } else { spelling(&left.text(), &right.text()) }
            }
            _ => differs("body", left.text(), right.text()),
        }
    }

    /// A tag is the digest of its reply's data; tags of the same thing pair.
    fn tags(&mut self, left: &Received, right: &Received) -> Compared {
        let tags = [left, right].map(|reply| reply.header("etag"));
        for (reply, tag) in [left, right].into_iter().zip(&tags) {
            if let Some(tag) = tag
                && reply.status == 200
                && !is_tag_of(tag, &reply.body)
            {
                return differs("header etag and the data beside it", tag, reply.text());
            }
        }
        match &tags {
            [Some(a), Some(b)]
                if (left.body == right.body && left.status == 200 && a != b) || !self.pairing.holds(a, b) =>
            {
                differs("header etag", a, b)
            }
            _ => Ok(()),
        }
    }

    fn values(&mut self, place: &str, key: &str, left: &Value, right: &Value) -> Compared {
        match (left, right) {
            (Value::Object(a), Value::Object(b)) => {
                let keys = |of: &serde_json::Map<String, Value>| of.keys().cloned().collect::<Vec<_>>().join(", ");
                if keys(a) != keys(b) {
                    return differs(format!("{place}: keys"), keys(a), keys(b));
                }
                if let (Some(a), Some(b)) = (a.get("errors"), b.get("errors")) {
                    return errors(place, a, b);
                }
                a.iter().try_for_each(|(name, value)| self.values(&format!("{place}/{name}"), name, value, &b[name]))
            }
            (Value::Array(a), Value::Array(b)) => {
                if a.len() != b.len() {
                    return differs(format!("{place}: length"), left.to_string(), right.to_string());
                }
                let mut items = a.iter().zip(b).enumerate();
                items.try_for_each(|(index, (a, b))| self.values(&format!("{place}/{index}"), key, a, b))
            }
            (Value::String(a), Value::String(b)) => self.texts(place, key, a, b),
            (Value::Number(a), Value::Number(b)) if matches!(key, "iat" | "exp") => {
                let moment = |number: &serde_json::Number| number.as_i64().map(|seconds| seconds * 1_000);
                if near(moment(a), moment(b)) { Ok(()) } else { differs(place, a.to_string(), b.to_string()) }
            }
            _ if left == right => Ok(()),
            _ => differs(place, left.to_string(), right.to_string()),
        }
    }

    fn texts(&mut self, place: &str, key: &str, left: &str, right: &str) -> Compared {
        let holds = match key {
            _ if WORDS.contains(&key) => !left.trim().is_empty() && !right.trim().is_empty(),
            "jwtToken" => return self.tokens(place, left, right),
            _ if RANDOM.contains(&key) => {
                left != right && self.pairing.holds(left, right) || known_to_all(key, left, right)
            }
            "qrUrl" => self.pairing.translated(left) == right,
            _ if left == right => !self.pairing.contradicts(left, right),
            _ if is_clock_id(left) && is_clock_id(right) => {
                near(left.parse().ok(), right.parse().ok()) && self.pairing.holds(left, right)
            }
            _ => near(clock::parse_iso(left), clock::parse_iso(right)),
        };
        if holds { Ok(()) } else { differs(place, left, right) }
    }

    fn tokens(&mut self, place: &str, left: &str, right: &str) -> Compared {
        let parts = |token: &str| token.split('.').map(str::to_owned).collect::<Vec<_>>();
        let (a, b) = (parts(left), parts(right));
        let payload =
            |parts: &[String]| -> Option<Value> { serde_json::from_slice(&STANDARD.decode(parts.get(1)?).ok()?).ok() };
        match (payload(&a), payload(&b)) {
            (Some(of_left), Some(of_right)) if a.len() == 3 && b.len() == 3 && a[0] == b[0] => {
                self.values(&format!("{place} (payload)"), "", &of_left, &of_right)
            }
            _ => differs(place, left, right),
        }
    }
}

/// Two texts of equal values: everything outside quotes is identical, and quoted texts mean the same.
fn spelling(left: &str, right: &str) -> Compared {
    let (a, b) = (quoted_and_not(left), quoted_and_not(right));
    let meant = |text: &str| serde_json::from_str::<String>(&format!("\"{text}\"")).ok();
    let same = |(a, b): (&String, &String)| a == b || meant(a) != meant(b);
    let is_same = a.len() == b.len()
        && a.iter().step_by(2).eq(b.iter().step_by(2))
        && a.iter().skip(1).step_by(2).zip(b.iter().skip(1).step_by(2)).all(same);
    if is_same { Ok(()) } else { differs("spelling of the body", left, right) }
}

/// The pieces of a JSON text, alternately outside and inside quotes.
fn quoted_and_not(text: &str) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let mut escaped = false;
    for c in text.chars() {
        let is_inside = pieces.len() % 2 == 0;
        if c == '"' && !escaped {
            pieces.push(String::new());
            continue;
        }
        escaped = is_inside && c == '\\' && !escaped;
        if let Some(piece) = pieces.last_mut() {
            piece.push(c);
        }
    }
    pieces
}

/// Parses JSON of any depth.
fn read(body: &[u8]) -> Option<Value> {
    let mut reader = serde_json::Deserializer::from_slice(body);
    reader.disable_recursion_limit();
    Value::deserialize(&mut reader).ok()
}

/// The header lines by lowercase name, without those that may differ.
fn lines(reply: &Received) -> BTreeMap<String, Vec<String>> {
    let mut lines: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, value) in &reply.headers {
        let name = name.to_ascii_lowercase();
        if !OWN_HEADERS.contains(&name.as_str()) {
            lines.entry(name).or_default().push(String::from_utf8_lossy(value).into_owned());
        }
    }
    lines
}

fn shown(value: &Option<String>) -> String {
    value.clone().unwrap_or_else(|| "absent".to_owned())
}

fn near(left_ms: Option<i64>, right_ms: Option<i64>) -> bool {
    left_ms.zip(right_ms).is_some_and(|(left, right)| (left - right).abs() <= APART_MS)
}

/// The time in milliseconds, which the demonstration interfaces use as id of new users.
fn is_clock_id(text: &str) -> bool {
    text.len() == 13 && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The keys of the initial clients are known.
fn known_to_all(key: &str, left: &str, right: &str) -> bool {
    key == "apiKey" && left == right && left.ends_with("...")
}

/// Whether the tag is the digest of the data in the body of a list or a book.
pub(crate) fn is_tag_of(tag: &str, body: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct List<'a> {
        #[serde(borrow)]
        datos: &'a RawValue,
        #[serde(borrow, rename = "metadata")]
        _metadata: &'a RawValue,
    }
    let Ok(text) = std::str::from_utf8(body) else { return false };
    let data = serde_json::from_str::<List<'_>>(text).map_or(text, |list| list.datos.get());
    etag::is_md5_of_json(tag, data)
}

/// Each GraphQL error has a message; their number and other members are free.
fn errors(place: &str, left: &Value, right: &Value) -> Compared {
    let say = |errors: &Value| {
        let all = errors.as_array().filter(|all| !all.is_empty());
        all.is_some_and(|all| all.iter().all(|error| error["message"].as_str().is_some_and(|text| !text.is_empty())))
    };
    if say(left) && say(right) {
        Ok(())
    } else {
        differs(format!("{place}/errors"), left.to_string(), right.to_string())
    }
}
