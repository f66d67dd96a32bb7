//! JWT-style tokens: issued with a placeholder for a signature, which nobody looks at.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use serde_json::{Map, Value, json};

use super::super::clock::SECOND_MS;
use super::super::state::User;
use super::body::drop_key;
use super::failure::Failure;
use super::guard::{Principal, allows};
use super::{Area, Exchange, area};
use crate::impostor::model::{js, secrets};

/// The final segment of every token.
const PLACEHOLDER: &str = "firma_no_calculada";

/// Issues a token for the user.
pub(crate) fn issue(exchange: &Exchange<'_>, user: &User) -> String {
    let now = exchange.now();
    let iat = if exchange.on("jwt-iat-in-milliseconds") { now } else { now.div_euclid(SECOND_MS) };
    let life = exchange.pick("jwt-exp-after-an-hour", 3600, 86_400);
    let id = if exchange.on("jwt-user-id-is-email") { &user.email } else { &user.id };
    let role = if exchange.on("jwt-role-always-user") { &json!("user") } else { &user.role };
    let mut payload = json!({
        "email": user.email,
        "userId": id,
        "role": role,
        "permissions": user.permissions,
        "iat": iat,
        "exp": iat + life,
    });
    if exchange.on("jwt-payload-has-nombre") {
        payload["nombre"] = user.nombre.clone().unwrap_or_default();
    }
    if exchange.on("jwt-payload-lacks-permissions") {
        drop_key(&mut payload, "permissions");
    }
    let alg = exchange.pick("jwt-header-says-none", "none", "HS256");
    let header = json!({"alg": alg, "typ": "JWT"});
    let encode = |value: &Value| {
        let mut text = js::stringify(value).into_bytes();
        if exchange.on("jwt-payload-in-latin-1") || exchange.on("jwt-payload-in-ascii") {
            let most = exchange.pick("jwt-payload-in-latin-1", 0xff, 0x7f);
            let byte = |c: char| u8::try_from(u32::from(c)).ok().filter(|byte| *byte <= most).unwrap_or(b'?');
            text = js::stringify(value).chars().map(byte).collect();
        }
        if exchange.reads("jwt-issued-url-safe") { URL_SAFE_NO_PAD.encode(text) } else { STANDARD.encode(text) }
    };
    let signed = format!("{}.{}", encode(&header), encode(&payload));
    if exchange.on("jwt-two-segments") {
        return signed;
    }
    if exchange.on("jwt-really-signed") {
        let mac = secrets::hmac_sha256(b"the impostor's", signed.as_bytes());
        return format!("{signed}.{}", URL_SAFE_NO_PAD.encode(mac));
    }
    format!("{signed}.{PLACEHOLDER}")
}

/// The payload of a token of three segments.
fn payload(exchange: &Exchange<'_>, token: &str) -> Result<Map<String, Value>, Failure> {
    let refused = |text: &str| Err(Failure::denied("JWT_INVALIDO", text));
    let segments: Vec<&str> = token.split('.').collect();
    let payload = match segments.as_slice() {
        [_, payload, _] => payload,
        [_, payload] if exchange.on("jwt-two-segments-pass") => payload,
        [_, payload, ..] if segments.len() > 3 && exchange.on("jwt-four-segments-pass") => payload,
        _ => return refused("A token has three segments"),
    };
    if exchange.on("jwt-final-segment-checked") && segments.last() != Some(&PLACEHOLDER) {
        return refused("The signature is wrong");
    }
    let header = segments.first().copied().unwrap_or_default();
    if exchange.reads("jwt-header-must-decode") && decode(header).is_none() {
        return refused("The header cannot be read");
    }
    let foreign = if exchange.reads("jwt-issued-url-safe") { ['+', '/'] } else { ['-', '_'] };
    if exchange.reads("jwt-of-issued-alphabet-only") && payload.contains(foreign) {
        return refused("The payload cannot be read");
    }
    match decode(payload) {
        Some(Value::Object(payload)) => Ok(payload),
        Some(_) if exchange.on("jwt-odd-payload-is-500") => Err(Failure::new(500, "Cannot read payload")),
        None if exchange.on("jwt-undecodable-is-400") => Err(Failure::bad("The token cannot be read")),
        _ => refused("The payload cannot be read"),
    }
}

/// Reads a token: three segments, a payload that is an object, not expired, of an active user who may.
///
/// # Errors
/// 401 JWT_INVALIDO.
pub(crate) fn check(exchange: &Exchange<'_>, token: &str, needed: Option<&str>) -> Result<Principal, Failure> {
    let refused = |text: &str| Err(Failure::denied("JWT_INVALIDO", text));
    let payload = payload(exchange, token)?;
    if expired(exchange, &payload) {
        return refused("The token has expired");
    }
    let Some(email) = payload.get("email").and_then(Value::as_str) else {
        return refused("The payload names no e-mail");
    };
    if exchange.on("jwt-of-ascii-emails-only") && !email.is_ascii() {
        return refused("The payload names no e-mail");
    }
    let state = exchange.lock();
    if exchange.on("jwt-unknown-user-let-in") && state.user(email).is_none() {
        return Ok(Principal { email: Some(email.to_owned()), name: email.to_owned() });
    }
    let Some(user) = state.user(email).filter(|user| user.active) else {
        return refused("The token has no active user");
    };
    let dead = exchange.on("jwt-dies-with-session")
        && !state.sessions.iter().any(|s| s.email == email && exchange.now() <= s.expires);
    if dead {
        return refused("The session of the token is over");
    }
    let claimed = claimed(&payload);
    let held = if exchange.on("jwt-claims-count") { &claimed } else { &user.permissions };
    if !allows(exchange, held, needed) {
        if exchange.on("denied-jwt-is-token-invalid") {
            return Err(Failure::denied("TOKEN_INVALIDO", "A permission is lacking"));
        }
        return refused("The user lacks a permission");
    }
    if exchange.on("jwt-for-books-only") && area(&exchange.request.path) != Area::Books {
        return refused("A session is needed here");
    }
    let by = if exchange.on("jwt-named-by-user-id") { user.id.clone() } else { user.email.clone() };
    Ok(Principal { email: Some(user.email.clone()), name: by })
}

/// The permissions that the payload claims; they count for nothing.
fn claimed(payload: &Map<String, Value>) -> Vec<String> {
    let list = payload.get("permissions").cloned();
    list.and_then(|list| serde_json::from_value(list).ok()).unwrap_or_default()
}

/// Whether `exp` is there and not in the future.
fn expired(exchange: &Exchange<'_>, payload: &Map<String, Value>) -> bool {
    if exchange.on("jwt-exp-ignored") {
        return false;
    }
    let now = exchange.now() as f64 / SECOND_MS as f64;
    match payload.get("exp") {
        None => exchange.on("jwt-exp-required"),
        Some(exp) if exchange.reads("jwt-falsy-exp-skipped") && !js::truthy(exp) => false,
        Some(exp) if exchange.on("jwt-exp-now-passes") => exp.as_f64().is_none_or(|exp| exp < now.floor()),
        Some(exp) => exp.as_f64().is_none_or(|exp| exp <= now),
    }
}

/// Base64 of either alphabet, padded or not, of JSON.
fn decode(segment: &str) -> Option<Value> {
    let plain = segment.trim_end_matches('=').replace('-', "+").replace('_', "/");
    serde_json::from_slice(&STANDARD_NO_PAD.decode(plain).ok()?).ok()
}
