//! Faults that break rules of the chapter sessions.

use super::Fault;
use crate::impostor::http::Request;
use crate::impostor::model::accounts::session::{end_after_use, new_token};
use crate::impostor::model::clock::MINUTE_MS;
use crate::impostor::model::secrets;
use crate::impostor::policy::auth::{Denied, Expired};
use crate::impostor::policy::{Apart, Faces, UnsupportedMethod};

pub(crate) const FAULTS: &[Fault] = faults! {
    "unknown-session-names-the-jwt" breaks "sessions/unknown": "An unknown session token gets the codigo of a JWT."
        => reply |request, reply| if reply.status == 401 && request.header("Authorization").is_some_and(|value| value.starts_with("Bearer 0000")) { reply.edit(|body| body["error"]["codigo"] = serde_json::json!("JWT_INVALIDO")) };
    "session-token-of-16-bytes" breaks "sessions/form": "A session token has 32 digits."
        => policy |p| p.auth.sessions.token = |_| secrets::random_hex(16);
    "session-token-in-upper-case" breaks "sessions/form": "A session token is in upper case."
        => policy |p| p.auth.sessions.token = |_| secrets::random_hex(32).to_uppercase();
    "session-token-reused" breaks "sessions/distinct": "A second login gets the token of the first."
        => policy |p| p.auth.sessions.token = |earlier| earlier.map_or_else(|| new_token(None), str::to_owned);
    "login-ends-earlier-sessions" breaks "sessions/distinct": "A second login ends the session of the first."
        => policy |p| p.auth.sessions.ends_earlier = true;
    "session-known-to-one-replica" breaks "sessions/accepted": "Of two replicas each knows the sessions that it has given."
        => policy |p| p.faces = Faces::Two(Apart::Sessions);
    "sessions-open-reads-only" breaks "sessions/accepted": "A session is let in with GET alone."
        => request |request| close_sessions_to_writes(request);
    "session-bound-to-user-agent" breaks "sessions/accepted": "A session is let in with the User-Agent of its login alone."
        => policy |p| p.auth.sessions.follows = |of_login, of_use| of_login == of_use;
    "bearer-takes-jwt" breaks "sessions/unknown": "A JWT sent as Bearer is let in."
        => request |request| if let Some(token) = bearer(request).filter(|token| token.contains('.')) { request.set("Authorization", &format!("JWT {token}")) };
    "bearer-takes-keys" breaks "sessions/unknown": "An API key sent as Bearer is let in."
        => request |request| if let Some(key) = bearer(request).filter(|token| token.starts_with("ak_")) { request.set("X-API-Key", &key) };
    "sessions-start-with-30-minutes" breaks "sessions/first-hour": "An unused session lives for 30 minutes."
        => policy |p| p.auth.sessions.first_minutes = 30;
    "sessions-never-expire" breaks "sessions/expired": "Sessions never expire."
        => policy |p| p.auth.sessions.expired = Expired::LetIn;
    "sessions-live-2-hours" breaks "sessions/expired": "An unused session lives for two hours."
        => policy |p| p.auth.sessions.first_minutes = 120;
    "expired-session-revived" breaks "sessions/removed": "The try of an expired session brings it to life again."
        => policy |p| p.auth.sessions.expired = Expired::Revived;
    "session-use-changes-nothing" breaks "sessions/use-extends": "A use does not move the expiry."
        => policy |p| p.auth.sessions.end_after_use = |end, _, _| end;
    "session-use-extends-an-hour" breaks "sessions/use-shortens": "A use sets the expiry to an hour from then."
        => policy |p| p.auth.sessions.end_after_use = |_, now, _| now + 60 * MINUTE_MS;
    "session-use-never-shortens" breaks "sessions/use-shortens": "A use never brings the expiry forward."
        => policy |p| p.auth.sessions.end_after_use = |end, now, path| end.max(end_after_use(end, now, path));
    "failed-uses-extend-nothing" breaks "sessions/use-then-failure": "A use that ends in 400 or 404 does not move the expiry."
        => policy |p| p.http.failure_spares_sessions = true;
    "denied-session-extended" breaks "sessions/denied-keeps-expiry": "A denied request moves the expiry."
        => policy |p| p.auth.sessions.denied = Denied::Extends;
    "denied-session-removed" breaks "sessions/denied-keeps-expiry": "A denied request ends the session."
        => policy |p| p.auth.sessions.denied = Denied::Removes;
    "unsupported-method-extends-session" breaks "sessions/unsupported-method-keeps-expiry": "A 405 moves the expiry of the session sent along."
        => policy |p| p.books.unsupported_method = UnsupportedMethod::SessionUsed;
    "sessions-extend-on-books-only" breaks "sessions/use-anywhere": "Only uses on book paths move the expiry."
        => policy |p| p.auth.sessions.end_after_use = |end, now, path| if path.starts_with("/libros") { end_after_use(end, now, path) } else { end };
    "pending-login-is-a-session" breaks "sessions/unknown": "The sessionId of a pending login is a session token, too."
        => policy |p| p.auth.sessions.takes_pending = true;
    "use-extends-every-session-of-the-user" breaks "sessions/first-hour": "The use of a session extends all of its user."
        => policy |p| p.auth.sessions.use_extends_all = true;
    "expired-session-ends-the-others" breaks "sessions/distinct": "With a session that has expired all of its user are removed."
        => policy |p| p.auth.sessions.expired = Expired::RemovedWithOthers;
};

/// What is sent as a session token.
fn bearer(request: &Request) -> Option<String> {
    request.header("authorization")?.strip_prefix("Bearer ").map(str::to_owned)
}

/// Takes the session out of a request that does not read.
fn close_sessions_to_writes(request: &mut Request) {
    if request.method != "GET" && request.header("authorization").is_some_and(|value| value.starts_with("Bearer ")) {
        request.remove("authorization");
    }
}
