//! Reads a JSON body as an object of fields.

use serde_json::{Map, Value};

use super::super::js;
use super::failure::Failure;
use super::{Area, Exchange, area};
use crate::impostor::http::Request;

/// The fields of the request's body.
///
/// # Errors
/// 400 when it is empty, no JSON, or no object.
pub(crate) fn fields(exchange: &Exchange<'_>) -> Result<Map<String, Value>, Failure> {
    let mended;
    let body = if exchange.on("bodies-decoded-in-pieces") {
        mended = decoded_in_pieces(exchange.request).into_bytes();
        &mended
    } else {
        &exchange.request.body
    };
    let kind = exchange.request.header("content-type");
    if exchange.reads("other-content-types-refused") && kind.is_some_and(|kind| !kind.contains("json")) {
        return Err(Failure::new(415, "the body must be JSON"));
    }
    let mark: &[u8] = b"\xef\xbb\xbf";
    let body = match body.strip_prefix(mark) {
        Some(rest) if exchange.reads("byte-order-mark-skipped") => rest,
        _ => body,
    };
    let replaced = String::from_utf8_lossy(body);
    let body = if exchange.reads("invalid-utf8-replaced") { replaced.as_bytes() } else { body };
    if body.is_empty() && exchange.reads("empty-body-is-empty-object") {
        return Ok(Map::new());
    }
    match js::parse(body) {
        Ok(Value::Object(fields)) => Ok(fields),
        Ok(_) if exchange.reads("any-json-is-an-object") => Ok(Map::new()),
        Ok(_) => Err(Failure::bad("the body must be a JSON object")),
        Err(_) => malformed(exchange),
    }
}

/// The body as it is when each piece that came is decoded by itself.
fn decoded_in_pieces(request: &Request) -> String {
    let mut text = String::new();
    let mut from = 0;
    for to in &request.seams {
        text.push_str(&String::from_utf8_lossy(&request.body[from..*to]));
        from = *to;
    }
    text + &String::from_utf8_lossy(&request.body[from..])
}

fn malformed(exchange: &Exchange<'_>) -> Result<Map<String, Value>, Failure> {
    let broken = || Failure::new(500, "Unexpected token in JSON");
    match (exchange.request.method.as_str(), area(&exchange.request.path)) {
        ("POST", Area::Books) if exchange.on("malformed-create-is-500") => Err(broken()),
        ("PUT", Area::Books) if exchange.on("malformed-replace-is-500") => Err(broken()),
        ("PUT", Area::Books) if exchange.on("malformed-replace-empties") => Ok(Map::new()),
        (_, Area::Auth) if exchange.on("malformed-auth-is-500") => Err(broken()),
        (_, Area::TwoFactor) if exchange.on("malformed-two-factor-is-500") => Err(broken()),
        (_, Area::TwoFactor) if exchange.on("malformed-two-factor-is-empty") => Ok(Map::new()),
        _ => Err(Failure::bad("the body is no JSON")),
    }
}

/// A field that must be a text with something in it.
pub(crate) fn text<'a>(fields: &'a Map<String, Value>, name: &str) -> Option<&'a str> {
    fields.get(name).and_then(Value::as_str).filter(|text| !text.is_empty())
}

/// Takes a key away from an answer, for a fault that forgets it.
pub(crate) fn drop_key(body: &mut Value, key: &str) {
    if let Value::Object(fields) = body {
        fields.shift_remove(key);
    }
}
