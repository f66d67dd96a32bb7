//! Renders an exchange as a step of a transcript: names in the documents' spelling and order, keys sorted, relations verified.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use serde_json::Value;
use serde_json::value::RawValue;

use crate::clock;
use crate::http::exchange::{Received, Sent};
use crate::http::header_values::{self, is_list};
use crate::http::reply::Reply;
use crate::oracle::etag;
use crate::snapshot::headers::{HEADERS, Kind};
use crate::snapshot::mask::{Bound, satisfies};
use crate::snapshot::step::Step;
use crate::snapshot::step_spec::{StepSpec, kind};

/// `Last-Modified` has whole seconds, and the implementation's clock may differ from ours.
const LAST_MODIFIED_TOLERANCE_MS: i64 = 6_000;

pub(super) fn step(
    reply: &Reply,
    reviewed: &Step,
    spec: &StepSpec,
    names: &[(String, String)],
    keys: [&str; 2],
    bound: &mut Bound,
    during: &RangeInclusive<i64>,
) -> Step {
    let received = reply.received();
    let renamed = |text: &str| names.iter().fold(text.to_owned(), |text, (value, label)| text.replace(value, label));
    let body = received.json().cloned();
    let body_lines = match body {
        Some(mut body) => {
            name_principal(&mut body, keys);
            forget_free_keys(&mut body, spec);
            for (pointer, relation) in &spec.relations {
                if let Some(value) = body.pointer_mut(pointer)
                    && satisfies(relation, value, bound, during)
                {
                    *value = Value::String(format!("<{relation}>"));
                }
            }
            pretty(&sorted(&body))
        }
        None => received.text(),
    };
    let kind = kind(reviewed);
    let looked_at = HEADERS.iter().filter(|(name, _)| kind.shows(name));
    let headers = looked_at.filter_map(|(name, _)| {
        let mut values = received.values(name);
        // A case of its own judges repeated headers.
        values.dedup();
        let value = (!values.is_empty()).then(|| values.join(", "))?;
        Some(((*name).to_owned(), header(name, &value, received, reviewed, *during.end())))
    });
    Step {
        name: reviewed.name.clone(),
        rules: reviewed.rules.clone(),
        request: request(&reply.exchange().sent).lines().map(renamed).collect(),
        status: received.status.to_string(),
        headers: headers.collect(),
        body: body_lines.lines().map(renamed).collect(),
    }
}

fn request(sent: &Sent) -> String {
    let path = sent.path_below_prefix();
    let header = |(name, value): &(String, Vec<u8>)| format!("\n{name}: {}", String::from_utf8_lossy(value));
    let body = sent.body.as_deref().map(|body| {
        let json = serde_json::from_slice::<Value>(body);
        format!("\n\n{}", json.map_or_else(|_| String::from_utf8_lossy(body).into_owned(), |json| pretty(&json)))
    });
    let headers: String = sent.headers.iter().map(header).collect();
    format!("{} {path}{headers}{}", sent.method, body.unwrap_or_default())
}

fn header(name: &str, value: &str, received: &Received, reviewed: &Step, now_ms: i64) -> String {
    let relation = match name {
        "Content-Length" => (value == received.body.len().to_string()).then_some("<bytes of the body>"),
        "ETag" => etag_relation(value, received),
        "Last-Modified" => {
            let is_now = |time: &i64| (time - now_ms).abs() <= LAST_MODIFIED_TOLERANCE_MS;
            clock::parse_http_date(value).filter(is_now).map(|_| "<now>")
        }
        // The documents declare some answers without a charset, and do not forbid one.
        "Content-Type" if matches!(kind(reviewed), Kind::Denied | Kind::SecondFactor | Kind::User) => {
            let kind = value.split(';').next().unwrap_or_default().trim();
            (kind == "application/json").then_some("application/json")
        }
        "Content-Type" => ["application/json; charset=utf-8"]
            .into_iter()
            .find(|usual| header_values::usual_media_type(value) == *usual),
        // Items may come in any order and letter case. Cases of their own judge the spelling.
        name if is_list(name) => {
            let usual = reviewed.headers.get(name).map(String::as_str);
            usual.filter(|usual| header_values::is_same_list(value, usual))
        }
        // `True` is accepted as well.
        "X-Has-Next" | "X-Has-Prev" => ["true", "false"].into_iter().find(|word| value.eq_ignore_ascii_case(word)),
        "X-API-Build" => (!value.is_empty()).then_some("<any build>"),
        "WWW-Authenticate" => header_values::bearer_realm(value).is_some().then_some("Bearer realm=<service name>"),
        _ => None,
    };
    relation.unwrap_or(value).to_owned()
}

/// Shows the user or the client under one key, whatever its key is in the answer.
fn name_principal(body: &mut Value, keys: [&str; 2]) {
    if let Value::Object(object) = body
        && let Some(value) = keys.into_iter().find_map(|key| object.shift_remove(key))
    {
        object.insert("the service".into(), value);
    }
}

/// Recomputes the tag from the received bytes, so the order of keys does not matter. If the text is not the one that
/// was stored, the tag may be the digest of either.
fn etag_relation(tag: &str, received: &Received) -> Option<&'static str> {
    // The fields of the books in transcripts, in the order sent.
    const SENT: [&str; 8] = ["titulo", "autor", "fechaPublicacion", "paginas", "generos", "prestado", "nota", "lote"];
    let is_md5_of =
        |text: &str| etag::is_md5_of_json(tag, text) || etag::is_digest(tag) && etag::is_respelt(text, &SENT);
    if received.status == 304 {
        return etag::is_digest(tag).then_some("<the tag sent>");
    }
    let datos = serde_json::from_slice::<BTreeMap<String, Box<RawValue>>>(&received.body).ok();
    match datos.as_ref().and_then(|body| body.get("datos")) {
        Some(datos) => is_md5_of(datos.get()).then_some("<md5 of datos>"),
        None => is_md5_of(&received.text()).then_some("<md5 of the body>"),
    }
}

fn forget_free_keys(body: &mut Value, spec: &StepSpec) {
    for (pointer, passes) in &spec.extra_keys {
        let Some((parent, key)) = pointer.rsplit_once('/') else { continue };
        if body.pointer(pointer).is_some_and(passes)
            && let Some(Value::Object(parent)) = body.pointer_mut(parent)
        {
            parent.shift_remove(key);
        }
    }
}

fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(object) => {
            let by_key: BTreeMap<_, _> = object.iter().map(|(key, value)| (key.clone(), sorted(value))).collect();
            Value::Object(by_key.into_iter().collect())
        }
        Value::Array(items) => items.iter().map(sorted).collect(),
        Value::Number(number) => whole(number).unwrap_or_else(|| value.clone()),
        other => other.clone(),
    }
}

fn whole(number: &serde_json::Number) -> Option<Value> {
    let double = number.as_f64()?;
    (double.fract() == 0.0 && double.abs() < 9e15).then(|| Value::from(double as i64))
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_else(|_| value.to_string())
}
