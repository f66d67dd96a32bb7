//! Finds the principal of a request by its API key, else its session token, else its JWT-style token; and checks the permission.

use serde_json::{Map, Value};

use super::handler::{Failure, RequestContext};
use crate::accounts::permissions::Operation;
use crate::clock::{SECOND_MS, iso};
use crate::records::User;
use crate::refusals::{
    KEY_LACKS_PERMISSION, PAYLOAD_NOT_OBJECT, PAYLOAD_UNREADABLE, UNKNOWN_KEY, USER_LACKS_PERMISSION,
};

#[derive(Clone, Debug)]
pub(crate) struct Principal {
    /// The e-mail of a user; an API client has none.
    pub(crate) email: Option<String>,
    /// The value of creadoPor: the user's e-mail or the client's name.
    pub(crate) name: String,
}

/// Finds the credential of the request and checks that its holder has the permission, if the operation takes one.
/// Errors: the 401 of the credential kind used.
pub(crate) fn guard(cx: &mut RequestContext<'_>, operation: Operation) -> Result<Principal, Failure> {
    const NONE: Failure = Failure::denied("NO_AUTENTICADO", "Authentication required");
    if let Some(key) = cx.request.header("x-api-key").filter(|key| !key.is_empty()) {
        return api_key(cx, &key, operation);
    }
    match cx.request.header("authorization").ok_or(NONE)?.split_once(' ') {
        Some(("Bearer", token)) => session(cx, token, operation),
        Some(("JWT", token)) => jwt(cx, token, operation),
        _ => Err(NONE),
    }
}

fn api_key(cx: &mut RequestContext<'_>, key: &str, operation: Operation) -> Result<Principal, Failure> {
    let refused = |text| Failure::denied("API_KEY_INVALIDA", text);
    let at = cx.state.clients.iter().position(|client| (cx.steps.auth.is_key_of)(client, key));
    let at = at.ok_or(refused(UNKNOWN_KEY))?;
    if !allows(cx, &cx.state.clients[at].permissions, operation) {
        return Err(refused(KEY_LACKS_PERMISSION));
    }
    cx.state.clients[at].last_used = Some(iso(cx.now()));
    Ok(Principal { email: None, name: cx.state.clients[at].name.clone() })
}

/// Removes an expired session. A successful use moves the expiry to 30 minutes from now, even if it was later before.
fn session(cx: &mut RequestContext<'_>, token: &str, operation: Operation) -> Result<Principal, Failure> {
    let refused = |text| Failure::denied("TOKEN_INVALIDO", text);
    let at = cx.state.sessions.iter().position(|session| session.token == token);
    let at = at.ok_or(refused("Unknown session token"))?;
    let session = cx.state.sessions[at].clone();
    if cx.now() > session.expires {
        cx.state.sessions.remove(at);
        return Err(refused("The session has expired"));
    }
    let user = active_user(cx, &session.email).ok_or(refused("The session has no active user"))?;
    if !allows(cx, &user.permissions, operation) {
        return Err(refused(USER_LACKS_PERMISSION));
    }
    cx.state.sessions[at].expires = (cx.steps.auth.sessions.end_after_use)(session.expires, cx.now(), &cx.request.path);
    Ok(Principal { name: session.email.clone(), email: Some(session.email) })
}

/// Accepts a token of three segments whose payload is an object, has not expired, and names an active user with the permission.
fn jwt(cx: &RequestContext<'_>, token: &str, operation: Operation) -> Result<Principal, Failure> {
    let refused = |text| Failure::denied("JWT_INVALIDO", text);
    let payload = payload(cx, token).map_err(refused)?;
    if (cx.steps.auth.tokens.expired)(payload.get("exp"), cx.now() as f64 / SECOND_MS as f64) {
        return Err(refused("The token has expired"));
    }
    let email = (cx.steps.auth.email)(&payload).ok_or(refused("The payload names no e-mail"))?;
    let user = active_user(cx, &email).ok_or(refused("The token has no active user"))?;
    if !allows(cx, &user.permissions, operation) {
        return Err(refused(USER_LACKS_PERMISSION));
    }
    Ok(Principal { email: Some(user.email.clone()), name: (cx.steps.auth.tokens.named_by)(user) })
}

/// The payload of a token of three segments, or what is wrong with the token.
fn payload(cx: &RequestContext<'_>, token: &str) -> Result<Map<String, Value>, &'static str> {
    let steps = &cx.steps.auth.tokens;
    let segments: Vec<&str> = token.split('.').collect();
    if !(steps.well_formed)(&segments) {
        return Err("A token has three segments");
    }
    match (steps.decode)(segments.get(1).copied().unwrap_or_default(), steps.encode) {
        Some(Value::Object(payload)) => Ok(payload),
        Some(_) => Err(PAYLOAD_NOT_OBJECT),
        None => Err(PAYLOAD_UNREADABLE),
    }
}

fn active_user<'a>(cx: &'a RequestContext<'_>, email: &str) -> Option<&'a User> {
    cx.state.user(email).filter(|user| user.active)
}

fn allows(cx: &RequestContext<'_>, held: &[String], operation: Operation) -> bool {
    let needed = (cx.steps.auth.permission)(operation);
    needed.is_none_or(|needed| (cx.steps.auth.holds)(held, needed))
}
