//! Compares two whole replies to one request: status, headers, body, order of keys. Times may differ by a few seconds,
//! tags must be digests of their data, random values must always pair; texts for people are free.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use libros_conformance::clock;
use libros_conformance::contract::violation::{Part, Place};
use libros_conformance::generate::histories::{Difference, StepRequest};
use libros_conformance::http::exchange::{Received, TRANSPORT_HEADERS};
use libros_conformance::oracle::etag;
use serde_json::{Map, Value};

/// How far apart the times of both may be.
const APART_MS: i64 = 4_000;

/// Headers whose values are compared apart.
const FREE_HEADERS: [&str; 2] = ["etag", "last-modified"];

/// Keys with random values, which must always pair.
const RANDOM: [&str; 6] = ["sessionToken", "sessionId", "secret", "deviceId", "apiKey", "backupCodes"];

/// Keys with texts for people.
const WORDS: [&str; 5] = ["error", "mensaje", "message", "advertencia", "detalles"];

type Compared = Result<(), Box<Difference>>;

fn differs(place: impl Into<String>, got: impl Into<Value>, want: impl Into<Value>) -> Compared {
    let place = Place::at(Part::Described(place.into()));
    Err(Box::new(Difference { place, want: want.into(), got: got.into() }))
}

/// Compares replies, the reference's left and the model's right; a random value of one side always pairs with the same of the other.
#[derive(Debug, Default)]
pub(crate) struct Comparison(Vec<(String, String)>);

impl Comparison {
    pub(crate) fn replies(&mut self, request: &StepRequest, left: &Received, right: &Received) -> Compared {
        if left.status != right.status {
            return differs("status", left.status, right.status);
        }
        let [lines, others] = [left, right].map(header_lines);
        if let Some(at) = (0..lines.len().max(others.len())).find(|at| lines.get(*at) != others.get(*at)) {
            let [line, other] = [&lines, &others].map(|lines| lines.get(at).cloned().unwrap_or_default());
            return differs(format!("headers at {}", line.0), vec![line.0, line.1], vec![other.0, other.1]);
        }
        if let Some([moment, other]) = both(left, right, "last-modified")
            && !are_near(clock::parse_http_date(&moment), clock::parse_http_date(&other))
        {
            return differs("header last-modified", moment, other);
        }
        let length = left.body.len().to_string();
        match left.header("content-length") {
            Some(stated) if request.method != "HEAD" && stated != length => {
                return differs("content-length and length of the body", stated, length);
            }
            _ => self.bodies(left, right)?,
        }
        self.tags(left, right)
    }

    /// A tag is the digest of its reply's data; tags of the same thing pair.
    fn tags(&mut self, left: &Received, right: &Received) -> Compared {
        let Some([tag, other]) = both(left, right, "etag") else { return Ok(()) };
        for (reply, tag) in [(left, &tag), (right, &other)] {
            if reply.status == 200 && !is_tag_of(tag, &reply.text()) {
                return differs("header etag and the data beside it", tag.as_str(), reply.text());
            }
        }
        // Equal bodies of a 200 have equal tags.
        let may_pair = left.body != right.body || left.status != 200 || tag == other;
        if may_pair && self.pair(&tag, &other) { Ok(()) } else { differs("header etag", tag, other) }
    }

    fn bodies(&mut self, left: &Received, right: &Received) -> Compared {
        if left.body == right.body {
            return Ok(());
        }
        // GraphQL errors: their number is free, and their members besides the message.
        if let (Some(Value::Object(own)), Some(Value::Object(other))) = (left.json(), right.json())
            && let (Some(errors), Some(other_errors)) = (own.get("errors"), other.get("errors"))
        {
            let beside = |body: &Map<String, Value>| {
                Value::from_iter(body.clone().into_iter().filter(|(key, _)| key != "errors")).to_string()
            };
            if !own.keys().eq(other.keys()) || !have_messages(errors) || !have_messages(other_errors) {
                return differs("body with errors", left.text(), right.text());
            }
            return self.texts("body beside its errors", &beside(own), &beside(other));
        }
        self.texts("body", &left.text(), &right.text())
    }

    /// Two JSON texts: outside quotes they are identical, and inside each value is compared by the key before it.
    fn texts(&mut self, place: &str, left: &str, right: &str) -> Compared {
        let [pieces, others] = [left, right].map(unquoted_and_quoted);
        let mut key = "";
        for (at, (piece, other)) in pieces.iter().zip(&others).enumerate() {
            let is_quoted = at % 2 == 1;
            let is_key = is_quoted && pieces.get(at + 1).is_some_and(|next| next.starts_with(':'));
            if is_key {
                key = piece;
            }
            let holds = match is_quoted {
                true if !is_key => self.values(place, key, piece, other)?,
                false if matches!(key, "iat" | "exp") => are_near_seconds(piece, other),
                _ => piece == other,
            };
            if !holds {
                return differs(format!("{place} at {key}"), *piece, *other);
            }
        }
        if pieces.len() == others.len() { Ok(()) } else { differs(format!("{place}: its end"), left, right) }
    }

    /// Whether two quoted values of a key may be.
    fn values(&mut self, place: &str, key: &str, left: &str, right: &str) -> Result<bool, Box<Difference>> {
        let meant = |quoted: &str| serde_json::from_str::<String>(&format!("\"{quoted}\"")).ok();
        if left != right && meant(left) == meant(right) {
            return differs(format!("spelling of {key}"), left, right).map(|()| false);
        }
        Ok(match key {
            _ if WORDS.contains(&key) => !left.trim().is_empty() && !right.trim().is_empty(),
            "jwtToken" => {
                let [(header, payload), (other_header, other)] =
                    [left, right].map(|token| jwt(token).unwrap_or_default());
                self.texts(&format!("payload of the token in the {place}"), &payload, &other)?;
                !payload.is_empty() && header == other_header
            }
            // The keys of the initial clients are known.
            "apiKey" if left == right => left.ends_with("..."),
            _ if RANDOM.contains(&key) => left != right && self.pair(left, right),
            "qrUrl" => self.0.iter().fold(left.to_owned(), |url, (own, other)| url.replace(own, other)) == right,
            _ if left == right => self.known(left, right).is_none_or(|is_pair| is_pair),
            // The demonstration interfaces number new users by the clock.
            _ if [left, right]
                .iter()
                .all(|text| text.len() == 13 && text.bytes().all(|byte| byte.is_ascii_digit())) =>
            {
                are_near(left.parse().ok(), right.parse().ok()) && self.pair(left, right)
            }
            _ => are_near(clock::parse_iso(left), clock::parse_iso(right)),
        })
    }

    /// Pairs two values; `false` if their forms differ or one is paired with another value.
    fn pair(&mut self, left: &str, right: &str) -> bool {
        let is_pair = are_of_one_form(left, right) && self.known(left, right).unwrap_or(true);
        if is_pair && self.known(left, right).is_none() {
            self.0.push((left.to_owned(), right.to_owned()));
        }
        is_pair
    }

    /// Whether both are a pair, if one of them is of any.
    fn known(&self, left: &str, right: &str) -> Option<bool> {
        let (own, other) = self.0.iter().find(|(own, other)| own == left || other == right)?;
        Some(own == left && other == right)
    }
}

/// Whether two texts are alike but for hexadecimal digits, which have the same letter case.
fn are_of_one_form(left: &str, right: &str) -> bool {
    let form = |text: &str| text.replace(|c: char| c.is_ascii_hexdigit(), "0");
    let has =
        |of: fn(&u8) -> bool| [left, right].iter().any(|text| text.bytes().any(|c| c.is_ascii_hexdigit() && of(&c)));
    form(left) == form(right) && !(has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase))
}

/// The pieces of a JSON text, by turns outside and inside quotes.
fn unquoted_and_quoted(text: &str) -> Vec<&str> {
    let mut is_escaped = false;
    let ends = |c| {
        let ends = c == '"' && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        ends
    };
    text.split(ends).collect()
}

/// The header and the decoded payload of a token of three parts.
fn jwt(token: &str) -> Option<(String, String)> {
    let [header, payload, _] = token.split('.').collect::<Vec<_>>().try_into().ok()?;
    let payload = STANDARD.decode(payload).ok()?;
    Some((header.to_owned(), String::from_utf8(payload).ok()?))
}

/// The header lines by lowercase name, without those that may differ.
fn header_lines(reply: &Received) -> Vec<(String, String)> {
    let lines = reply.headers.iter().map(|(name, value)| {
        let name = name.to_ascii_lowercase();
        let value = String::from_utf8_lossy(value).into_owned();
        if FREE_HEADERS.contains(&name.as_str()) { (name, String::new()) } else { (name, value) }
    });
    let mut lines: Vec<_> = lines.filter(|(name, _)| !TRANSPORT_HEADERS.contains(&name.as_str())).collect();
    lines.sort_by(|(name, _), (other, _)| name.cmp(other));
    lines
}

fn both(left: &Received, right: &Received, name: &str) -> Option<[String; 2]> {
    Some([left.header(name)?, right.header(name)?])
}

fn are_near(left_ms: Option<i64>, right_ms: Option<i64>) -> bool {
    left_ms.zip(right_ms).is_some_and(|(left, right)| (left - right).abs() <= APART_MS)
}

/// Whether two texts are identical but for a time in seconds.
fn are_near_seconds(left: &str, right: &str) -> bool {
    let digits = |text: &str| -> String { text.chars().filter(char::is_ascii_digit).collect() };
    let moment = |text: &str| digits(text).parse::<i64>().ok().map(|seconds| seconds * 1_000);
    left == right
        || left.replace(&digits(left), "") == right.replace(&digits(right), "") && are_near(moment(left), moment(right))
}

/// Whether the tag is the digest of the data in the body of a list or a book.
fn is_tag_of(tag: &str, body: &str) -> bool {
    let list = body.strip_prefix("{\"datos\":").and_then(|rest| rest.rsplit_once(",\"metadata\":"));
    etag::is_md5_of_json(tag, list.map_or(body, |(data, _)| data))
}

fn have_messages(errors: &Value) -> bool {
    let has = |error: &Value| error["message"].as_str().is_some_and(|text| !text.is_empty());
    errors.as_array().is_some_and(|errors| !errors.is_empty() && errors.iter().all(has))
}

#[test]
fn a_pair_once_seen_stays_a_pair() {
    let mut pairs = Comparison::default();
    assert!(pairs.pair("0a1b", "c0de") && pairs.pair("ffff", "0000") && pairs.pair("0a1b", "c0de"));
    assert!(!pairs.pair("0a1b", "beef"), "another on the right");
    assert!(!pairs.pair("dead", "c0de"), "another on the left");
    assert!(!pairs.pair("12ab", "12abc") && !pairs.pair("1a2b", "1A2B"), "another form");
}
