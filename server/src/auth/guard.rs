//! Which credential of a request counts, and whether it lets the request pass. Changes nothing but the times of use.

use http::{HeaderMap, HeaderName, header};

use crate::accounts::{permission::Permission, principal::Principal, session::AFTER_USE_MS, tables::Tables};
use crate::auth::jwt;
use crate::crypto::fingerprint::Fingerprint;
use crate::response::failure::Failure;
use libros_server_store::Changes;
use libros_server_system::clock::Timestamp;

const API_KEY: HeaderName = HeaderName::from_static("x-api-key");

/// The one credential of a request that counts, as far as it can be read without looking at users.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Credential {
    ApiKey(Fingerprint),
    Session(Fingerprint),
    Jwt(String),
}

impl Credential {
    /// The note of its use; none of a token without a record.
    pub(crate) fn note_of_use(&self) -> Option<Note> {
        match self {
            Self::ApiKey(key) => Some(Note::ClientUsed(*key)),
            Self::Session(token) => Some(Note::SessionUsed(*token)),
            Self::Jwt(_) => None,
        }
    }

    /// Finds it among the headers. Never looks at a second one when the first fails. Fails with [`Failure::Unauthenticated`] where
    /// there is none of a supported kind, [`Failure::JwtInvalid`] where a token is malformed or expired.
    pub(crate) fn of(headers: &HeaderMap, now: Timestamp) -> Result<Self, Failure> {
        // rule: credentials/key-first, credentials/key-no-fall-through, credentials/key-exact
        if let Some(key) = headers.get(API_KEY)
            // rule: credentials/key-empty
            && !key.is_empty()
        {
            return Ok(Self::ApiKey(Fingerprint::of(key.as_bytes())));
        }
        // rule: credentials/none
        let sent = headers.get(header::AUTHORIZATION).ok_or(Failure::Unauthenticated)?;
        // rule: credentials/bearer-bare
        let after = |scheme: &[u8]| sent.as_bytes().strip_prefix(scheme).filter(|token| !token.is_empty());
        // rule: credentials/bearer-before-jwt, credentials/scheme-case, credentials/spaces-after-scheme
        if let Some(token) = after(b"Bearer ") {
            return Ok(Self::Session(Fingerprint::of(token)));
        }
        if let Some(token) = after(b"JWT ") {
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

/// What is to be stored of a use.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Note {
    ClientUsed(Fingerprint),
    SessionUsed(Fingerprint),
    SessionOver(Fingerprint),
}

impl Note {
    /// Notes it, if its client or session still exists.
    pub(crate) fn write(&self, tables: &mut Tables, changes: &mut Changes) {
        match self {
            Self::ClientUsed(key) => tables.clients.note(key, changes),
            Self::SessionUsed(token) => tables.sessions.note(token, changes),
            Self::SessionOver(token) => tables.sessions.remove(token, changes),
        }
    }
}

/// Lets a credential pass that is known, in time, active and holds the permission needed, and moves the time of its use.
///
/// Sets `note` to what is to be stored. Fails with the 401 of the credential's kind; an expired session is ended then.
pub(crate) fn admit(
    tables: &Tables,
    credential: Credential,
    needed: Option<Permission>,
    now: Timestamp,
    note: &mut Option<Note>,
) -> Result<Principal, Failure> {
    let may =
        |email: &str| tables.users.record(email).is_some_and(|user| user.is_active && user.permissions.hold(needed));
    match credential {
        Credential::ApiKey(key) => {
            let client = tables.clients.record(&key);
            // rule: credentials/key-unknown, permissions/denied-key, credentials/permission-before-store
            // rule: credentials/denied-changes-nothing
            let client = client.filter(|client| client.permissions.hold(needed)).ok_or(Failure::ApiKeyInvalid)?;
            // rule: api-keys/last-used-set
            if client.last_used.move_to(now) {
                *note = Some(Note::ClientUsed(key));
            }
            // rule: credentials/key-known
            Ok(Principal::Client(client.name.clone()))
        }
        Credential::Session(token) => {
            // rule: sessions/unknown
            let session = tables.sessions.record(&token).ok_or(Failure::TokenInvalid)?;
            // rule: sessions/expired, sessions/removed
            if session.is_over(now) {
                // For good: a clock that is set back does not revive it.
                session.expires_at.clear();
                *note = Some(Note::SessionOver(token));
                return Err(Failure::TokenInvalid);
            }
            // rule: sessions/user-gone, permissions/denied-session, sessions/denied-keeps-expiry
            if !may(&session.email) {
                return Err(Failure::TokenInvalid);
            }
            // Even where that is earlier than before.
            // rule: sessions/use-then-failure, sessions/use-anywhere, sessions/use-extends, sessions/use-shortens
            if session.expires_at.move_to(now.plus_ms(AFTER_USE_MS)) {
                *note = Some(Note::SessionUsed(token));
            }
            // rule: sessions/accepted
            Ok(Principal::User(session.email.clone()))
        }
        // rule: tokens/accepted, tokens/user-unknown, tokens/user-inactive, permissions/denied-jwt
        Credential::Jwt(email) if may(&email) => Ok(Principal::User(email)),
        Credential::Jwt(_) => Err(Failure::JwtInvalid),
    }
}
