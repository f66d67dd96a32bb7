//! Renders an exchange as a step of a transcript: names in the documents' spelling and order, keys sorted, relations
//! verified.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::http::exchange::{Received, Sent};
use crate::http::reply::Reply;
use crate::snapshot::headers::headers;
use crate::snapshot::mask::{Bound, satisfies};
use crate::snapshot::step::Step;
use crate::snapshot::step_spec::StepSpec;

pub(super) fn step(
    reply: &Reply,
    reviewed: &Step,
    spec: &StepSpec,
    names: &[(String, String)],
    keys: [&str; 2],
    bound: &mut Bound,
    now_ms: i64,
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
                    && satisfies(relation, value, bound, now_ms)
                {
                    *value = Value::String(format!("<{relation}>"));
                }
            }
            pretty(&sorted(&body))
        }
        None => received.text(),
    };
    let headers = headers().filter_map(|(name, _)| Some((name.to_owned(), header(name, received)?)));
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
    let path = sent.path.strip_prefix(&sent.address.prefix).unwrap_or(&sent.path);
    let header = |(name, value): &(String, Vec<u8>)| format!("\n{name}: {}", String::from_utf8_lossy(value));
    let body = sent.body.as_deref().map(|body| {
        let json = serde_json::from_slice::<Value>(body);
        format!("\n\n{}", json.map_or_else(|_| String::from_utf8_lossy(body).into_owned(), |json| pretty(&json)))
    });
    let headers: String = sent.headers.iter().map(header).collect();
    format!("{} {path}{headers}{}", sent.method, body.unwrap_or_default())
}

/// The value of a header, or what it is where it differs between runs.
fn header(name: &str, received: &Received) -> Option<String> {
    let value = received.header(name)?;
    let is_list = received.json().is_some_and(|body| body.get("datos").is_some());
    Some(match name {
        "Content-Length" => "<bytes of the body>".to_owned(),
        "ETag" if received.status == 304 => "<the tag sent>".to_owned(),
        "ETag" if is_list => "<md5 of datos>".to_owned(),
        "ETag" => "<md5 of the body>".to_owned(),
        "Last-Modified" => "<now>".to_owned(),
        "X-API-Build" => "<any build>".to_owned(),
        "WWW-Authenticate" => "Bearer realm=<service name>".to_owned(),
        _ => value,
    })
}

/// Shows the user or the client under one key, whatever its key is in the answer.
fn name_principal(body: &mut Value, keys: [&str; 2]) {
    if let Value::Object(object) = body
        && let Some(value) = keys.into_iter().find_map(|key| object.shift_remove(key))
    {
        object.insert("the service".into(), value);
    }
}

fn forget_free_keys(body: &mut Value, spec: &StepSpec) {
    for (pointer, passes) in &spec.free_keys {
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
