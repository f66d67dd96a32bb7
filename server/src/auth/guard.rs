//! Finds the credential of a request, and admits or refuses the request. Changes only times of use.

use http::{HeaderMap, HeaderName, header};

use crate::accounts::{permission::Permission, principal::Principal, session::AFTER_USE_MS, tables::Tables};
use crate::auth::jwt;
use crate::crypto::fingerprint::Fingerprint;
use crate::response::failure::Failure;
use libros_server_store::Changes;
use libros_server_system::clock::Timestamp;

const API_KEY: HeaderName = HeaderName::from_static("x-api-key");

/// The credential of a request, read without looking at users.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Credential {
    ApiKey(Fingerprint),
    Session(Fingerprint),
    Jwt(String),
}

impl Credential {
    /// Finds the credential in the headers; tries no second one if the first fails. Fails with [`Failure::Unauthenticated`] if there is
    /// none of a supported kind, and with [`Failure::JwtInvalid`] if a JWT is malformed or expired.
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

/// A change to store: a client or a session was used, or a session has ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Note {
    ClientUsed(Fingerprint),
    SessionUsed(Fingerprint),
    SessionOver(Fingerprint),
}

impl Note {
    /// Adds the change to `changes`, if the client or session still exists.
    pub(crate) fn write(&self, tables: &mut Tables, changes: &mut Changes) {
        match self {
            Self::ClientUsed(key) => tables.clients.note(key, changes),
            Self::SessionUsed(token) => tables.sessions.note(token, changes),
            Self::SessionOver(token) => tables.sessions.remove(token, changes),
        }
    }
}

/// The guard's decision about a credential.
#[derive(Debug)]
pub(crate) struct Verdict {
    /// The principal that it admits, or the 401 of the credential's kind.
    pub(crate) principal: Result<Principal, Failure>,
    /// The use of a record, or the end of a session; `None` if nothing changes, and for a JWT, which has no record.
    pub(crate) note: Option<Note>,
    /// Whether to store the note: one use a second is enough.
    pub(crate) is_due: bool,
}

impl Verdict {
    fn refused(failure: Failure) -> Self {
        Self { principal: Err(failure), note: None, is_due: false }
    }
}

/// Admits a credential if it is known, not expired, active, and holds the permission `needed`. Moves its time of use.
pub(crate) fn admit(tables: &Tables, credential: Credential, needed: Option<Permission>, now: Timestamp) -> Verdict {
    match credential {
        Credential::ApiKey(key) => admit_client(tables, key, needed, now),
        Credential::Session(token) => admit_session(tables, token, needed, now),
        // rule: tokens/accepted, tokens/user-unknown, tokens/user-inactive, permissions/denied-jwt
        Credential::Jwt(email) if user_may(tables, &email, needed) => {
            Verdict { principal: Ok(Principal::User(email)), note: None, is_due: false }
        }
        Credential::Jwt(_) => Verdict::refused(Failure::JwtInvalid),
    }
}

fn admit_client(tables: &Tables, key: Fingerprint, needed: Option<Permission>, now: Timestamp) -> Verdict {
    // rule: credentials/key-unknown, permissions/denied-key, credentials/permission-before-store, credentials/denied-changes-nothing
    let Some(client) = tables.clients.record(&key).filter(|client| client.permissions.hold(needed)) else {
        return Verdict::refused(Failure::ApiKeyInvalid);
    };
    // rule: api-keys/last-used-set
    let is_due = client.last_used.move_to(now);
    // rule: credentials/key-known
    Verdict { principal: Ok(Principal::Client(client.name.clone())), note: Some(Note::ClientUsed(key)), is_due }
}

fn admit_session(tables: &Tables, token: Fingerprint, needed: Option<Permission>, now: Timestamp) -> Verdict {
    // rule: sessions/unknown
    let Some(session) = tables.sessions.record(&token) else { return Verdict::refused(Failure::TokenInvalid) };
    // rule: sessions/expired, sessions/removed
    if session.is_over(now) {
        // Ends the session for good, even if the clock is set back.
        session.expires_at.clear();
        let note = Some(Note::SessionOver(token));
        return Verdict { principal: Err(Failure::TokenInvalid), note, is_due: true };
    }
    // rule: sessions/user-gone, permissions/denied-session, sessions/denied-keeps-expiry
    if !user_may(tables, &session.email, needed) {
        return Verdict::refused(Failure::TokenInvalid);
    }
    // Even if this is earlier than before.
    // rule: sessions/use-then-failure, sessions/use-anywhere, sessions/use-extends, sessions/use-shortens
    let is_due = session.expires_at.move_to(now.plus_ms(AFTER_USE_MS));
    // rule: sessions/accepted
    Verdict { principal: Ok(Principal::User(session.email.clone())), note: Some(Note::SessionUsed(token)), is_due }
}

/// Whether the user exists, is active and holds the permission needed.
fn user_may(tables: &Tables, email: &str, needed: Option<Permission>) -> bool {
    tables.users.record(email).is_some_and(|user| user.is_active && user.permissions.hold(needed))
}
