//! Who is asking: an API key first, else a session token, else a JWT-style token; and may they?

use super::super::clock::{MINUTE_MS, iso};
use super::super::state::{Client, State};
use super::failure::Failure;
use super::{Area, Exchange, area, jwt};

/// Who was let in.
#[derive(Clone, Debug)]
pub(crate) struct Principal {
    /// The e-mail of a user; an API client has none.
    pub(crate) email: Option<String>,
    /// What stands in creadoPor: the user's e-mail or the client's name.
    pub(crate) name: String,
}

/// Finds the credential of the request and checks that its holder has the permission, if one is needed.
///
/// # Errors
/// The 401 of the credential kind used.
pub(crate) fn guard(exchange: &Exchange<'_>, needed: Option<&str>) -> Result<Principal, Failure> {
    let key = exchange.request.header("x-api-key").filter(|key| !key.is_empty() || exchange.reads("empty-key-fails"));
    let authorization = exchange.request.header("authorization");
    if exchange.on("token-before-key")
        && let Some(principal) = authorization.as_deref().and_then(|value| token(exchange, value, needed))
    {
        return principal;
    }
    if let Some(key) = key {
        let outcome = api_key(exchange, &key, needed);
        if outcome.is_ok() || !exchange.on("failing-key-falls-through") || authorization.is_none() {
            return outcome;
        }
    }
    if let Some(outcome) = authorization.as_deref().and_then(|value| token(exchange, value, needed)) {
        return outcome;
    }
    if exchange.on("no-credential-is-403") {
        return Err(Failure::new(403, "Authentication required"));
    }
    let code = exchange.pick("no-credential-is-token-invalid", "TOKEN_INVALIDO", "NO_AUTENTICADO");
    Err(Failure::denied(code, "Authentication required"))
}

/// What the Authorization header comes to; `None` when it is of no supported kind.
fn token(exchange: &Exchange<'_>, value: &str, needed: Option<&str>) -> Option<Result<Principal, Failure>> {
    let rest_of = |scheme: &str| {
        let (first, rest) = value.split_once(' ')?;
        let same = first == scheme || exchange.reads("schemes-any-case") && first.eq_ignore_ascii_case(scheme);
        let trimmed = if exchange.reads("tokens-trimmed") { rest.trim() } else { rest };
        same.then_some(trimmed)
    };
    if let Some(token) = rest_of("Bearer") {
        if exchange.on("bearer-takes-jwt") && token.contains('.') {
            return Some(jwt::check(exchange, token, needed));
        }
        if exchange.on("bearer-takes-keys") && token.starts_with("ak_") {
            return Some(api_key(exchange, token, needed));
        }
        return Some(session(exchange, token, needed));
    }
    if let Some(token) = rest_of("JWT").filter(|_| !exchange.on("jwt-scheme-unsupported")) {
        return Some(jwt::check(exchange, token, needed));
    }
    if value == "Bearer" && exchange.reads("bare-bearer-is-a-token") {
        return Some(Err(Failure::denied("TOKEN_INVALIDO", "Invalid token")));
    }
    if exchange.on("any-scheme-is-bearer") {
        return Some(Err(Failure::denied("TOKEN_INVALIDO", "Invalid token")));
    }
    None
}

/// Whether these permissions are enough.
pub(crate) fn allows(exchange: &Exchange<'_>, held: &[String], needed: Option<&str>) -> bool {
    let Some(needed) = needed else { return true };
    let holds = |permission: &str| held.iter().any(|known| known == permission);
    if exchange.on("write-implies-read") && needed == "read:libros" && holds("write:libros") {
        return true;
    }
    if exchange.on("delete-implies-all") && holds("delete:libros") && needed.ends_with(":libros") {
        return true;
    }
    holds(needed)
}

fn api_key(exchange: &Exchange<'_>, key: &str, needed: Option<&str>) -> Result<Principal, Failure> {
    let now = exchange.now();
    let mut state = exchange.lock();
    let matches = |client: &Client| {
        if exchange.on("keys-ignore-case") {
            return client.key.eq_ignore_ascii_case(key);
        }
        if exchange.on("keys-by-first-8") {
            return key.len() >= 8 && client.key.get(..8) == key.get(..8);
        }
        if exchange.on("created-keys-unknown") && !matches!(client.id.as_str(), "client_1" | "client_2") {
            return false;
        }
        client.key == key
    };
    let Some(client) = state.clients.iter_mut().find(|client| matches(client)) else {
        let code = exchange.pick("unknown-key-is-unauthenticated", "NO_AUTENTICADO", "API_KEY_INVALIDA");
        return Err(Failure::denied(code, "Unknown API key"));
    };
    if exchange.on("known-key-needs-manage-users") && !client.permissions.iter().any(|p| p == "manage:users") {
        return Err(Failure::denied("API_KEY_INVALIDA", "The API key is not active"));
    }
    if !allows(exchange, &client.permissions, needed) {
        let code = exchange.pick("denied-key-is-unauthenticated", "NO_AUTENTICADO", "API_KEY_INVALIDA");
        return Err(Failure::denied(code, "The API key lacks a permission"));
    }
    if !exchange.reads("last-used-never-set") {
        client.last_used = Some(iso(now));
    }
    Ok(Principal { email: None, name: client.name.clone() })
}

fn session(exchange: &Exchange<'_>, token: &str, needed: Option<&str>) -> Result<Principal, Failure> {
    let now = exchange.now();
    let mut state = exchange.lock();
    let refused = |text: &str| Err(Failure::denied("TOKEN_INVALIDO", text));
    let state = &mut *state;
    let Some(at) = state.sessions.iter().position(|session| session.token == token) else {
        return refused("Unknown session token");
    };
    if now > state.sessions[at].expires && !exchange.on("sessions-never-expire") {
        if exchange.on("expired-session-revived") {
            state.sessions[at].expires = now + 30 * MINUTE_MS;
        } else {
            state.sessions.remove(at);
        }
        return refused("The session has expired");
    }
    let email = state.sessions[at].email.clone();
    let Some(user) = state.user(&email).filter(|user| user.active) else {
        return refused("The session has no active user");
    };
    if !allows(exchange, &user.permissions, needed) && !exchange.on("sessions-hold-every-permission") {
        if exchange.on("denied-session-extended") {
            state.sessions[at].expires = now + 30 * MINUTE_MS;
        }
        if exchange.on("denied-session-is-key-refused") {
            return Err(Failure::denied("API_KEY_INVALIDA", "A permission is lacking"));
        }
        if exchange.on("denied-session-removed") {
            state.sessions.remove(at);
        }
        return refused("The user lacks a permission");
    }
    extend(exchange, state, at, now);
    Ok(Principal { name: email.clone(), email: Some(email) })
}

/// A successful use moves the expiry to 30 minutes from now, be that later or earlier.
fn extend(exchange: &Exchange<'_>, state: &mut State, at: usize, now: i64) {
    let books = area(&exchange.request.path) == Area::Books;
    if exchange.on("session-use-changes-nothing") || exchange.on("sessions-extend-on-books-only") && !books {
        return;
    }
    let minutes = exchange.pick("session-use-extends-an-hour", 60, 30);
    let session = &mut state.sessions[at];
    let next = now + minutes * MINUTE_MS;
    session.expires = if exchange.on("session-use-never-shortens") { session.expires.max(next) } else { next };
}
