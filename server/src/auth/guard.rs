//! Which credential of a request counts, and whether it lets the request pass. Pure but for the state it is given.

use http::{HeaderMap, header};

use super::fingerprint::Fingerprint;
use super::permission::Permission;
use super::state::State;
use super::table::Changes;
use super::{Principal, jwt};
use crate::catalogue::Failure;
use crate::clock::Timestamp;

/// The one credential of a request that counts, as far as it can be read without knowing anybody.
#[derive(Debug, PartialEq, Eq)]
pub enum Credential {
    /// An API key.
    ApiKey(Fingerprint),
    /// A session token.
    Session(Fingerprint),
    /// A JWT-style token: the e-mail it names.
    Jwt(String),
}

impl Credential {
    /// Finds it among the headers. Never looks at a second one when the first fails.
    ///
    /// # Errors
    /// [`Failure::Unauthenticated`] where there is none of a supported kind, [`Failure::JwtInvalid`] where a token
    /// is malformed or its time is over.
    pub fn of(headers: &HeaderMap, now: Timestamp) -> Result<Self, Failure> {
        // rule: credentials/key-first, credentials/key-no-fall-through, credentials/key-exact
        if let Some(key) = headers.get("x-api-key")
            // rule: credentials/key-empty
            && !key.is_empty()
        {
            return Ok(Self::ApiKey(Fingerprint::of(key.as_bytes())));
        }
        // rule: credentials/none
        let sent = headers.get(header::AUTHORIZATION).ok_or(Failure::Unauthenticated)?;
        // rule: credentials/bearer-before-jwt, credentials/scheme-case, credentials/spaces-after-scheme
        if let Some(token) = after(sent.as_bytes(), b"Bearer ") {
            return Ok(Self::Session(Fingerprint::of(token)));
        }
        if let Some(token) = after(sent.as_bytes(), b"JWT ") {
            return std::str::from_utf8(token)
                .ok()
                .filter(|token| !token.starts_with(' '))
                .and_then(|token| jwt::email(token, now))
                .map(Self::Jwt)
                .ok_or(Failure::JwtInvalid);
        }
        // rule: credentials/unsupported-scheme
        Err(Failure::Unauthenticated)
    }
}

/// What stands after the name of a scheme, if there is anything.
fn after<'a>(sent: &'a [u8], scheme: &[u8]) -> Option<&'a [u8]> {
    // rule: credentials/bearer-bare
    sent.strip_prefix(scheme).filter(|token| !token.is_empty())
}

/// Lets a credential pass that is known, in time, active and holds all of `needed`, and notes its use.
///
/// # Errors
/// The 401 of the credential's kind; a session whose time is over is gone then.
pub fn admit(
    state: &mut State,
    credential: Credential,
    needed: &[Permission],
    now: Timestamp,
    changes: &mut Changes,
) -> Result<Principal, Failure> {
    match credential {
        Credential::ApiKey(key) => by_key(state, &key, needed, now, changes),
        Credential::Session(token) => by_session(state, &token, needed, now, changes),
        // rule: tokens/accepted, tokens/user-unknown, tokens/user-inactive, permissions/denied-jwt
        Credential::Jwt(email) if may(state, &email, needed) => Ok(Principal::User { email }),
        Credential::Jwt(_) => Err(Failure::JwtInvalid),
    }
}

fn by_key(
    state: &mut State,
    key: &Fingerprint,
    needed: &[Permission],
    now: Timestamp,
    changes: &mut Changes,
) -> Result<Principal, Failure> {
    let client = state
        .clients
        .record(key)
        // rule: credentials/key-unknown, permissions/denied-key, credentials/permission-before-store
        // rule: credentials/denied-changes-nothing
        .filter(|client| client.permissions.hold_all(needed))
        .ok_or(Failure::ApiKeyInvalid)?;
    // rule: credentials/key-known
    let principal = Principal::Client { name: client.name.clone() };
    state.clients.touch(key, changes, |client| client.note_use(now));
    Ok(principal)
}

fn by_session(
    state: &mut State,
    token: &Fingerprint,
    needed: &[Permission],
    now: Timestamp,
    changes: &mut Changes,
) -> Result<Principal, Failure> {
    // rule: sessions/unknown
    let session = state.sessions.record(token).ok_or(Failure::TokenInvalid)?;
    // rule: sessions/expired, sessions/removed
    if session.is_over(now) {
        state.sessions.remove(token, changes);
        return Err(Failure::TokenInvalid);
    }
    // rule: sessions/user-gone, permissions/denied-session, sessions/denied-keeps-expiry
    if !may(state, &session.email, needed) {
        return Err(Failure::TokenInvalid);
    }
    // rule: sessions/accepted
    let principal = Principal::User { email: session.email.clone() };
    // rule: sessions/use-then-failure, sessions/use-anywhere
    state.sessions.touch(token, changes, |session| session.slide(now));
    Ok(principal)
}

/// Whether the user of this e-mail is there, active and holds all of `needed`.
fn may(state: &State, email: &String, needed: &[Permission]) -> bool {
    state.users.record(email).is_some_and(|user| user.is_active && user.permissions.hold_all(needed))
}

#[cfg(test)]
mod tests;
