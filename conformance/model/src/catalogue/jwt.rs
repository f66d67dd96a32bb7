//! JWT-style tokens: issuing one to a user, and who presents one. Their form is in `accounts::jwt`.

use serde_json::{Map, Value};

use super::failure::Failure;
use super::principal::{Principal, allows};
use super::request_context::RequestContext;
use crate::accounts::permissions::Operation;
use crate::clock::SECOND_MS;
use crate::records::User;
use crate::refusals::{PAYLOAD_NOT_OBJECT, PAYLOAD_UNREADABLE, USER_LACKS_PERMISSION};

/// Issues a token for the user.
pub(crate) fn issue(cx: &RequestContext<'_>, user: &User) -> String {
    let steps = &cx.steps.auth.tokens;
    let encode = |value: &Value| (steps.encode)(&(steps.bytes)(value));
    (steps.join)(&encode(&(steps.header)()), &encode(&(steps.payload)(user, cx.now())))
}

fn refused(text: &str) -> Failure {
    Failure::denied("JWT_INVALIDO", text)
}

/// Reads a token: three segments, a payload that is an object, not expired, of an active user who may.
///
/// # Errors
/// 401 JWT_INVALIDO.
pub(crate) fn check(cx: &RequestContext<'_>, token: &str, operation: Operation) -> Result<Principal, Failure> {
    let payload = payload(cx, token)?;
    if (cx.steps.auth.tokens.expired)(payload.get("exp"), cx.now() as f64 / SECOND_MS as f64) {
        return Err(refused("The token has expired"));
    }
    let email = (cx.steps.auth.email)(&payload).ok_or_else(|| refused("The payload names no e-mail"))?;
    let user = cx.state.user(&email).filter(|user| user.active);
    let user = user.ok_or_else(|| refused("The token has no active user"))?;
    if !allows(cx, &user.permissions, operation) {
        return Err(refused(USER_LACKS_PERMISSION));
    }
    Ok(Principal { email: Some(user.email.clone()), name: (cx.steps.auth.tokens.named_by)(user) })
}

/// The payload of a token of three segments.
fn payload(cx: &RequestContext<'_>, token: &str) -> Result<Map<String, Value>, Failure> {
    let steps = &cx.steps.auth.tokens;
    let segments: Vec<&str> = token.split('.').collect();
    if !(steps.well_formed)(&segments) {
        return Err(refused("A token has three segments"));
    }
    match (steps.decode)(segments.get(1).copied().unwrap_or_default(), steps.encode) {
        Some(Value::Object(payload)) => Ok(payload),
        Some(_) => Err(refused(PAYLOAD_NOT_OBJECT)),
        None => Err(refused(PAYLOAD_UNREADABLE)),
    }
}
