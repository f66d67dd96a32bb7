//! Who is asking: an API key first, else a session token, else a JWT-style token; and may they?

use super::super::clock::iso;
use super::super::records::Session;
use super::super::refusals::{KEY_LACKS_PERMISSION, UNKNOWN_KEY, USER_LACKS_PERMISSION};
use super::super::state::State;
use super::failure::Failure;
use super::principal::{Principal, allows};
use super::request_context::RequestContext;
use super::{devices, jwt};
use crate::impostor::policy::auth::{Access, Denied, Expired};

/// Finds the credential of the request and checks that its holder has the permission, if one is needed.
///
/// # Errors
/// The 401 of the credential kind used.
pub(crate) fn guard(cx: &RequestContext<'_>, needed: Option<&str>) -> Result<Principal, Failure> {
    let key = cx.request.header("x-api-key").filter(|key| !key.is_empty());
    let authorization = cx.request.header("authorization");
    let by_key = key.map(|key| api_key(cx, &key, needed));
    let by_token = || authorization.and_then(|value| token(cx, &value, needed));
    let outcome = match by_key {
        Some(Err(failure)) if cx.policy().auth.credentials.tries_token_after_failing_key => {
            by_token().or(Some(Err(failure)))
        }
        Some(outcome) => Some(outcome),
        None => by_token(),
    };
    outcome.unwrap_or_else(|| Err(Failure::denied("NO_AUTENTICADO", "Authentication required")))
}

/// Lets a request to a route in that needs no credential.
///
/// # Errors
/// None that is right.
pub(crate) fn open_route(cx: &RequestContext<'_>, access: Access) -> Result<(), Failure> {
    match access {
        Access::Everybody => Ok(()),
        Access::UnlessTokenFails if cx.request.header("authorization").is_none() => Ok(()),
        Access::UnlessTokenFails | Access::CredentialOnly => guard(cx, None).map(drop),
    }
}

/// Checks the token of an Authorization header; `None` when its kind is not supported.
fn token(cx: &RequestContext<'_>, value: &str, needed: Option<&str>) -> Option<Result<Principal, Failure>> {
    match value.split_once(' ')? {
        ("Bearer", token) => Some(session(cx, token, needed)),
        ("JWT", token) => Some(jwt::check(cx, token, needed)),
        _ => None,
    }
}

fn api_key(cx: &RequestContext<'_>, key: &str, needed: Option<&str>) -> Result<Principal, Failure> {
    let refused = |text: &str| Failure::denied("API_KEY_INVALIDA", text);
    let is_key_of = cx.policy().auth.credentials.is_key_of;
    let mut state = cx.lock();
    let client = state.clients.iter_mut().find(|client| is_key_of(client, key)).ok_or_else(|| refused(UNKNOWN_KEY))?;
    if !allows(cx, &client.permissions, needed) {
        return Err(refused(KEY_LACKS_PERMISSION));
    }
    client.last_used = Some(iso(cx.now()));
    Ok(Principal { email: None, name: client.name.clone() })
}

fn session(cx: &RequestContext<'_>, token: &str, needed: Option<&str>) -> Result<Principal, Failure> {
    let policy = &cx.policy().auth.sessions;
    let refused = |text: &str| Err(Failure::denied("TOKEN_INVALIDO", text));
    let now = cx.now();
    let mut state = cx.lock();
    let agent = devices::user_agent(cx);
    let is_it = |session: &Session| session.token == token && (policy.follows)(&session.user_agent, &agent);
    let Some(at) = state.sessions.iter().position(is_it) else {
        let waiting = state.pending.iter().find(|pending| policy.takes_pending && pending.id == token);
        if let Some(waiting) = waiting {
            return Ok(Principal { name: waiting.email.clone(), email: Some(waiting.email.clone()) });
        }
        return refused("Unknown session token");
    };
    if now > state.sessions[at].expires && policy.expired != Expired::LetIn {
        match policy.expired {
            Expired::Revived => extend(cx, &mut state, at),
            Expired::RemovedWithOthers => {
                let ended = state.sessions.remove(at);
                state.sessions.retain(|session| session.email != ended.email);
            }
            _ => drop(state.sessions.remove(at)),
        }
        return refused("The session has expired");
    }
    let email = state.sessions[at].email.clone();
    let Some(user) = state.user(&email).filter(|user| user.active) else {
        return refused("The session has no active user");
    };
    if !policy.rights_are_unlimited && !allows(cx, &user.permissions, needed) {
        match policy.denied {
            Denied::LeavesIt => {}
            Denied::Extends => extend(cx, &mut state, at),
            Denied::Removes => drop(state.sessions.remove(at)),
        }
        return refused(USER_LACKS_PERMISSION);
    }
    extend(cx, &mut state, at);
    Ok(Principal { name: email.clone(), email: Some(email) })
}

/// A successful use moves the expiry to 30 minutes from now, be that later or earlier.
fn extend(cx: &RequestContext<'_>, state: &mut State, at: usize) {
    let policy = &cx.policy().auth.sessions;
    let email = state.sessions[at].email.clone();
    for (place, session) in state.sessions.iter_mut().enumerate() {
        if place == at || policy.use_extends_all && session.email == email {
            session.expires = (policy.end_after_use)(session.expires, cx.now(), &cx.request.path);
        }
    }
}
