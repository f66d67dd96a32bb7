//! Who is asking: an API key first, else a session token, else a JWT-style token; and may they?

use super::failure::Failure;
use super::jwt;
use super::principal::{Principal, allows};
use super::request_context::RequestContext;
use crate::accounts::permissions::Operation;
use crate::clock::iso;
use crate::refusals::{KEY_LACKS_PERMISSION, UNKNOWN_KEY, USER_LACKS_PERMISSION};

/// Finds the credential of the request and checks that its holder has the permission, if the operation takes one.
///
/// # Errors
/// The 401 of the credential kind used.
pub(crate) fn guard(cx: &mut RequestContext<'_>, operation: Operation) -> Result<Principal, Failure> {
    let none = || Failure::denied("NO_AUTENTICADO", "Authentication required");
    if let Some(key) = cx.request.header("x-api-key").filter(|key| !key.is_empty()) {
        return api_key(cx, &key, operation);
    }
    let authorization = cx.request.header("authorization").ok_or_else(none)?;
    match authorization.split_once(' ') {
        Some(("Bearer", token)) => session(cx, token, operation),
        Some(("JWT", token)) => jwt::check(cx, token, operation),
        _ => Err(none()),
    }
}

fn api_key(cx: &mut RequestContext<'_>, key: &str, operation: Operation) -> Result<Principal, Failure> {
    let refused = |text: &str| Failure::denied("API_KEY_INVALIDA", text);
    let at = cx.state.clients.iter().position(|client| (cx.steps.auth.is_key_of)(client, key));
    let at = at.ok_or_else(|| refused(UNKNOWN_KEY))?;
    if !allows(cx, &cx.state.clients[at].permissions, operation) {
        return Err(refused(KEY_LACKS_PERMISSION));
    }
    cx.state.clients[at].last_used = Some(iso(cx.now()));
    Ok(Principal { email: None, name: cx.state.clients[at].name.clone() })
}

/// A session that has expired is removed; a successful use moves the expiry to 30 minutes from now, be that later or earlier.
fn session(cx: &mut RequestContext<'_>, token: &str, operation: Operation) -> Result<Principal, Failure> {
    let refused = |text: &str| Failure::denied("TOKEN_INVALIDO", text);
    let at = cx.state.sessions.iter().position(|session| session.token == token);
    let at = at.ok_or_else(|| refused("Unknown session token"))?;
    let session = cx.state.sessions[at].clone();
    if cx.now() > session.expires {
        cx.state.sessions.remove(at);
        return Err(refused("The session has expired"));
    }
    let user = cx.state.user(&session.email).filter(|user| user.active);
    let user = user.ok_or_else(|| refused("The session has no active user"))?;
    if !allows(cx, &user.permissions, operation) {
        return Err(refused(USER_LACKS_PERMISSION));
    }
    cx.state.sessions[at].expires = (cx.steps.auth.sessions.end_after_use)(session.expires, cx.now(), &cx.request.path);
    Ok(Principal { name: session.email.clone(), email: Some(session.email) })
}
