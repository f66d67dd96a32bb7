//! Variations of the chapter tokens.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use libros_conformance_model::accounts::jwt::{self, PLACEHOLDER, decode, expired, well_formed};
use libros_conformance_model::accounts::permissions::of_role;
use libros_conformance_model::records::User;
use libros_conformance_model::refusals::{PAYLOAD_NOT_OBJECT, PAYLOAD_UNREADABLE};

use crate::impostor::effect::prelude::*;

pub(crate) const VARIATIONS: &[Variation] = variations! {
    "jwt-two-segments" breaks "tokens/segments": "A JWT has two segments."
        => steps |s| s.auth.tokens.join = |header, payload| format!("{header}.{payload}");
    "jwt-header-says-none" breaks "tokens/header": "The header of a JWT says alg none."
        => steps |s| s.auth.tokens.header = || json!({"alg": "none", "typ": "JWT"});
    "jwt-payload-has-nombre" breaks "tokens/payload-fields": "The payload of a JWT also has the nombre."
        => steps |s| s.auth.tokens.payload = |user, now| changed(user, now, |payload| payload["nombre"] = user.nombre.clone().unwrap_or_default());
    "jwt-payload-lacks-permissions" breaks "tokens/payload-fields": "The payload of a JWT lacks the permissions."
        => steps |s| s.auth.tokens.payload = |user, now| changed(user, now, |payload| drop_key(payload, "permissions"));
    "jwt-user-id-is-email" breaks "tokens/payload-identity": "userId in the payload of a JWT is the e-mail."
        => steps |s| s.auth.tokens.payload = |user, now| changed(user, now, |payload| payload["userId"] = json!(user.email));
    "jwt-role-always-user" breaks "tokens/payload-identity": "role in the payload of a JWT is always user."
        => steps |s| s.auth.tokens.payload = |user, now| changed(user, now, |payload| payload["role"] = json!("user"));
    "jwt-payload-in-latin-1" breaks "tokens/payload-identity": "The payload of a JWT is written in Latin-1."
        => steps |s| s.auth.tokens.bytes = |value| bytes_up_to(0xff, value);
    "jwt-payload-in-ascii" breaks "tokens/payload-identity": "The payload of a JWT has question marks for letters beyond ASCII."
        => steps |s| s.auth.tokens.bytes = |value| bytes_up_to(0x7f, value);
    "jwt-iat-in-milliseconds" breaks "tokens/iat": "iat of a JWT is in milliseconds."
        => steps |s| s.auth.tokens.payload = |user, now| changed(user, now, |payload| payload["iat"] = json!(now));
    "jwt-exp-after-an-hour" breaks "tokens/exp" and "tokens/day": "exp of a JWT is an hour after iat."
        => steps |s| s.auth.tokens.payload = |user, now| changed(user, now, |payload| payload["exp"] = json!(now / 1000 + 3600));
    "jwt-really-signed" breaks "tokens/final-placeholder": "The final segment of a JWT is a computed signature."
        => steps |s| s.auth.tokens.join = signed;
    "jwt-scheme-unsupported" breaks "tokens/accepted": "The scheme JWT is not supported."
        => request |request| if sends_jwt(request) { request.remove("authorization") };
    "jwt-final-segment-checked" breaks "tokens/final-unverified": "A JWT whose final segment is not the placeholder is refused."
        => steps |s| s.auth.tokens.well_formed = |segments| well_formed(segments) && segments[2] == PLACEHOLDER;
    "jwt-two-segments-pass" breaks "tokens/segments-wrong": "A JWT of two segments is accepted."
        => steps |s| s.auth.tokens.well_formed = |segments| matches!(segments.len(), 2 | 3);
    "jwt-four-segments-pass" breaks "tokens/segments-wrong": "A JWT of four segments is accepted."
        => steps |s| s.auth.tokens.well_formed = |segments| segments.len() >= 3;
    "jwt-undecodable-is-400" breaks "tokens/payload-undecodable": "A JWT whose payload cannot be decoded answers 400."
        => reply |_request, reply| if reply.refuses_with(PAYLOAD_UNREADABLE) { reply.refuse(400) };
    "jwt-odd-payload-is-500" breaks "tokens/payload-not-object": "A JWT whose payload is not an object answers 500."
        => reply |_request, reply| if reply.refuses_with(PAYLOAD_NOT_OBJECT) { reply.refuse(500) };
    "jwt-exp-ignored" breaks "tokens/exp-past": "exp of a JWT is ignored."
        => steps |s| s.auth.tokens.expired = |_, _| false;
    "jwt-exp-ignored-by-writes" breaks "tokens/exp-past": "exp of a JWT is ignored where something is written."
        => request |request| if request.method != "GET" && let Some(mut claims) = payload(request) {
            drop_key(&mut claims, "exp");
            send_claims(request, &claims);
        };
    "jwt-user-id-names-the-user" breaks "tokens/stored-user-counts" and "tokens/user-unknown": "The userId in the payload of a JWT names the user, not its e-mail."
        => before |state, request| if let Some(mut claims) = payload(request) && let Some(user) = state.users.iter().find(|user| claims["userId"] == user.id.as_str()) {
            claims["email"] = json!(user.email);
            send_claims(request, &claims);
        };
    "jwt-cannot-remove-devices" breaks "tokens/accepted": "A JWT is refused where a trusted device is removed."
        => request |request| if request.method == "DELETE" && request.path.starts_with("/2fa") && sends_jwt(request) { request.remove("authorization") };
    "jwt-exp-now-passes" breaks "tokens/exp-now": "A JWT whose exp is the current second is accepted."
        => steps |s| s.auth.tokens.expired = |exp, now| expired(exp, now) && exp.and_then(Value::as_f64) != Some(now.floor());
    "jwt-exp-required" breaks "tokens/exp-absent": "A JWT without exp is refused."
        => steps |s| s.auth.tokens.expired = |exp, now| exp.is_none() || expired(exp, now);
    "jwt-dies-with-session" breaks "tokens/day": "A JWT ends with the sessions of its user."
        => before |state, request| if payload(request).is_some_and(|payload| !has_session(state, request, &payload["email"])) { request.set("Authorization", "JWT x") };
    "jwt-ends-with-enabling" breaks "tokens/day": "A JWT issued before its user enabled two-factor is refused."
        => before |state, request| if let Some(payload) = payload(request)
            && let Some(record) = state.user(payload["email"].as_str().unwrap_or_default()).and_then(|user| user.two_factor.as_ref())
            && payload["iat"].as_i64().is_some_and(|iat| iat * 1000 < record.enabled_at) { request.set("Authorization", "JWT x") };
    "jwt-unknown-user-let-in" breaks "tokens/user-unknown": "A JWT that names an unknown e-mail is accepted."
        => around |state, request, answer| {
            let email = payload(request).and_then(|payload| payload["email"].as_str().map(str::to_owned));
            let Some(email) = email.filter(|email| state.user(email).is_none()) else { return answer(state, request) };
            let permissions = of_role("admin").iter().map(|name| (*name).to_owned()).collect();
            let unknown = User { email: email.clone(), permissions, two_factor: None, ..state.users[0].clone() };
            state.users.push(unknown);
            let reply = answer(state, request);
            state.users.retain(|user| user.email != email);
            reply
        };
    "jwt-claims-count" breaks "tokens/stored-user-counts": "The permissions in the payload of a JWT decide, not those of the stored user."
        => around |state, request, answer| match payload(request).map(|payload| serde_json::from_value(payload["permissions"].clone())) {
            Some(Ok(claimed)) => holding(state, claimed, request, answer),
            _ => answer(state, request),
        };
    "jwt-for-books-only" breaks "tokens/accepted" and "permissions/two-factor-any": "A JWT is accepted only on book paths."
        => request |request| if sends_jwt(request) && !of_books(request) { request.set("Authorization", "JWT refused") };
    "jwt-exp-zero-skipped" breaks "tokens/exp-zero": "An exp of 0 in a JWT counts as absent."
        => steps |s| s.auth.tokens.expired = |exp, now| expired(exp.filter(|exp| exp.as_f64() != Some(0.0)), now);
    "jwt-falsy-exp-skipped" by "tokens/exp-odd": "An exp of null in a JWT counts as absent."
        => steps |s| s.auth.tokens.expired = |exp, now| expired(exp.filter(|exp| !exp.is_null()), now);
    "jwt-header-must-decode" by "tokens/header-unread": "A JWT whose first segment cannot be decoded is refused."
        => steps |s| s.auth.tokens.well_formed = |segments| well_formed(segments) && decode(segments[0]).is_some();
    "jwt-issued-url-safe" by "tokens/alphabet": "JWTs are issued in base64url."
        => steps |s| s.auth.tokens.encode = |bytes| URL_SAFE_NO_PAD.encode(bytes);
    "jwt-of-issued-alphabet-only" by "tokens/either-alphabet": "JWTs are accepted only in the base64 alphabet that the service issues."
        => steps |s| s.auth.tokens.decode = |segment, encode| {
            let foreign = if encode(&[0xff; 3]).contains('/') { ['-', '_'] } else { ['+', '/'] };
            decode(segment).filter(|_| !segment.contains(foreign))
        };
};

fn changed(user: &User, now: i64, change: impl FnOnce(&mut Value)) -> Value {
    let mut payload = jwt::payload(user, now);
    change(&mut payload);
    payload
}

fn send_claims(request: &mut Request, claims: &Value) {
    let claims = URL_SAFE_NO_PAD.encode(claims.to_string());
    request.set("Authorization", &format!("JWT {}.{claims}.{PLACEHOLDER}", URL_SAFE_NO_PAD.encode("{}")));
}

/// One byte a letter, a question mark for letters beyond the highest.
fn bytes_up_to(highest: u8, value: &Value) -> Vec<u8> {
    let byte = |c: char| u8::try_from(u32::from(c)).ok().filter(|byte| *byte <= highest).unwrap_or(b'?');
    js::stringify(value).chars().map(byte).collect()
}

fn signed(header: &str, payload: &str) -> String {
    let text = format!("{header}.{payload}");
    let mac = secrets::hmac_sha256(b"the impostor's", text.as_bytes());
    format!("{text}.{}", URL_SAFE_NO_PAD.encode(mac))
}

fn sends_jwt(request: &Request) -> bool {
    request.header("authorization").is_some_and(|value| value.starts_with("JWT "))
}

fn has_session(state: &Shared, request: &Request, email: &Value) -> bool {
    state.sessions.iter().any(|session| *email == session.email.as_str() && request.now <= session.expires)
}
