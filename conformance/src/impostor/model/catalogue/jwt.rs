//! JWT-style tokens: issuing one to a user, and who presents one. Their form is in `accounts::jwt`.

use serde_json::{Map, Value};

use super::super::clock::SECOND_MS;
use super::super::records::User;
use super::super::refusals::{PAYLOAD_NOT_OBJECT, PAYLOAD_UNREADABLE, USER_LACKS_PERMISSION};
use super::body;
use super::failure::Failure;
use super::principal::{Principal, allows};
use super::request_context::RequestContext;

/// Issues a token for the user.
pub(crate) fn issue(cx: &RequestContext<'_>, user: &User) -> String {
    let policy = &cx.policy().auth.tokens;
    let encode = |value: &Value| (policy.encode)(&(policy.bytes)(value));
    let payload = (policy.payload)(user, cx.now());
    (policy.join)(&encode(&(policy.header)()), &encode(&payload))
}

fn refused(text: &str) -> Failure {
    Failure::denied("JWT_INVALIDO", text)
}

/// Reads a token: three segments, a payload that is an object, not expired, of an active user who may.
///
/// # Errors
/// 401 JWT_INVALIDO.
pub(crate) fn check(cx: &RequestContext<'_>, token: &str, needed: Option<&str>) -> Result<Principal, Failure> {
    let policy = &cx.policy().auth.tokens;
    let payload = payload(cx, token)?;
    if (policy.expired)(payload.get("exp"), cx.now() as f64 / SECOND_MS as f64) {
        return Err(refused("The token has expired"));
    }
    let email = body::email(cx, &payload);
    let email = email.ok_or_else(|| refused("The payload names no e-mail"))?;
    let state = cx.lock();
    let user = match state.user(email) {
        None if policy.lets_unknown_users_in => {
            return Ok(Principal { email: Some(email.to_owned()), name: email.to_owned() });
        }
        user => user.filter(|user| user.active).ok_or_else(|| refused("The token has no active user"))?,
    };
    let session = |known: &super::super::records::Session| known.email == email && cx.now() <= known.expires;
    if policy.needs_session && !state.sessions.iter().any(session) {
        return Err(refused("The session of the token is over"));
    }
    let held = if policy.claims_count { claimed(&payload) } else { user.permissions.clone() };
    if !allows(cx, &held, needed) {
        return Err(refused(USER_LACKS_PERMISSION));
    }
    Ok(Principal { email: Some(user.email.clone()), name: (policy.named_by)(user) })
}

/// The payload of a token of three segments.
fn payload(cx: &RequestContext<'_>, token: &str) -> Result<Map<String, Value>, Failure> {
    let policy = &cx.policy().auth.tokens;
    let segments: Vec<&str> = token.split('.').collect();
    if !(policy.well_formed)(&segments) {
        return Err(refused("A token has three segments"));
    }
    match (policy.decode)(segments.get(1).copied().unwrap_or_default(), policy.encode) {
        Some(Value::Object(payload)) => Ok(payload),
        Some(_) => Err(refused(PAYLOAD_NOT_OBJECT)),
        None => Err(refused(PAYLOAD_UNREADABLE)),
    }
}

/// The permissions that the payload claims; they count for nothing.
fn claimed(payload: &Map<String, Value>) -> Vec<String> {
    let list = payload.get("permissions").cloned();
    list.and_then(|list| serde_json::from_value(list).ok()).unwrap_or_default()
}
