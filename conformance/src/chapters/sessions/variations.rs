//! Variations of the chapter sessions.

use libros_conformance_model::accounts::session::{end_after_use, new_token};
use libros_conformance_model::records::Session;
use libros_conformance_model::refusals::USER_LACKS_PERMISSION;

use crate::impostor::effect::prelude::*;

pub(crate) const VARIATIONS: &[Variation] = variations! {
    "unknown-session-names-the-jwt" breaks "sessions/unknown": "An unknown session token is answered with the codigo of a JWT."
        => reply |request, reply| if reply.status == 401 && bearer(request).is_some_and(|token| token.starts_with("0000")) { reply.deny_as("JWT_INVALIDO") };
    "session-token-of-16-bytes" breaks "sessions/form": "A session token has 32 digits."
        => steps |s| s.auth.sessions.token = |_| secrets::random_hex(16);
    "session-token-in-upper-case" breaks "sessions/form": "A session token is in upper case."
        => steps |s| s.auth.sessions.token = |_| secrets::random_hex(32).to_uppercase();
    "session-token-reused" breaks "sessions/distinct": "A second login gets the session token of the first."
        => steps |s| s.auth.sessions.token = |earlier| earlier.map_or_else(|| new_token(None), str::to_owned);
    "login-ends-earlier-sessions" breaks "sessions/distinct": "A second login ends the session of the first."
        => after |state, _request, reply| keep_last_session(state, reply);
    "password-login-ends-earlier-sessions" breaks "sessions/distinct": "A login without a second factor ends the earlier sessions of its user."
        => after |state, request, reply| if request.path == "/auth/login" { keep_last_session(state, reply) };
    "session-known-to-one-replica" breaks "sessions/accepted": "Each of two replicas knows only the sessions that it issued."
        => replica |state, second, request, answer| with_part_of_second(state, second, sessions, (request, answer));
    "sessions-open-reads-only" breaks "sessions/accepted": "A session is accepted only for GET."
        => request |request| if request.method != "GET" && bearer(request).is_some() { request.remove("authorization") };
    "session-bound-to-user-agent" breaks "sessions/accepted": "A session is accepted only from the User-Agent of its login."
        => around |state, request, answer| {
            let agent = request.header("user-agent").unwrap_or_default();
            let mut seen = request.clone();
            if bearer(request).is_some_and(|token| !state.past.has(&token, &agent)) {
                seen.set("Authorization", "Bearer unknown");
            }
            let reply = answer(state, &seen);
            if let Some(token) = given(&reply) {
                state.past.note(&token, &agent);
            }
            reply
        };
    "bearer-takes-jwt" breaks "sessions/unknown": "A JWT sent as Bearer is accepted."
        => request |request| if let Some(token) = bearer(request).filter(|token| token.contains('.')) { request.set("Authorization", &format!("JWT {token}")) };
    "bearer-takes-keys" breaks "sessions/unknown": "An API key sent as Bearer is accepted."
        => request |request| if let Some(key) = bearer(request).filter(|token| token.starts_with("ak_")) { request.set("X-API-Key", &key) };
    "session-tokens-in-any-case" breaks "sessions/unknown": "A session token in capitals is accepted."
        => request |request| if let Some(token) = bearer(request) { request.set("Authorization", &format!("Bearer {}", token.to_lowercase())) };
    "sessions-start-with-30-minutes" breaks "sessions/first-hour": "An unused session lives 30 minutes."
        => steps |s| s.auth.sessions.first_minutes = 30;
    "sessions-never-expire" breaks "sessions/expired": "Sessions never expire."
        => before |state, _request| state.sessions.iter_mut().for_each(|session| session.expires = i64::MAX);
    "sessions-expire-for-reads-alone" breaks "sessions/expired": "An expired session is refused only where something is read."
        => before |state, request| if request.method != "GET" { session(state, request).into_iter().for_each(|session| session.expires = i64::MAX) };
    "sessions-live-2-hours" breaks "sessions/expired": "An unused session lives two hours."
        => steps |s| s.auth.sessions.first_minutes = 120;
    "expired-session-revived" breaks "sessions/removed": "A request with an expired session is refused, but makes the session valid again."
        => around |state, request, answer| {
            let ended = expired(state, request);
            let reply = answer(state, request);
            state.sessions.extend(ended.map(|ended| Session { expires: request.now + 30 * MINUTE_MS, ..ended }));
            reply
        };
    "session-use-changes-nothing" breaks "sessions/use-extends": "A use of a session does not move its expiry."
        => steps |s| s.auth.sessions.end_after_use = |end, _, _| end;
    "session-use-extends-an-hour" breaks "sessions/use-shortens": "A use of a session sets its expiry to an hour later."
        => steps |s| s.auth.sessions.end_after_use = |_, now, _| now + 60 * MINUTE_MS;
    "session-use-never-shortens" breaks "sessions/use-shortens": "A use of a session never brings its expiry forward."
        => steps |s| s.auth.sessions.end_after_use = |end, now, path| end.max(end_after_use(end, now, path));
    "failed-uses-extend-nothing" breaks "sessions/use-then-failure": "A use of a session that ends in 400 or 404 does not move its expiry."
        => around |state, request, answer| undone(state, request, answer, sessions, |_, reply| reply.status >= 400);
    "not-modified-extends-nothing" breaks "sessions/use-extends": "A use of a session that ends in 304 does not move its expiry."
        => around |state, request, answer| undone(state, request, answer, sessions, |_, reply| reply.status == 304);
    "verified-session-not-extended" breaks "sessions/use-extends": "A use of a session issued by a verification does not move its expiry."
        => around |state, request, answer| undone(state, request, answer, sessions, |state, _| bearer(request).is_some_and(|token| state.past.has("verified", &token)))
        => after |state, request, reply| if request.path == "/auth/verify-2fa" { given(reply).into_iter().for_each(|token| state.past.note("verified", &token)) };
    "trusted-session-lives-30-minutes" breaks "sessions/first-hour": "An unused session of a login from a trusted device lives for 30 minutes."
        => after |state, request, reply| if skips_second_factor(request, reply) { state.sessions.last_mut().into_iter().for_each(|session| session.expires -= 30 * MINUTE_MS) };
    "denied-session-extended" breaks "sessions/denied-keeps-expiry": "A denied request moves the expiry of its session."
        => after |state, request, reply| if reply.refuses_with(USER_LACKS_PERMISSION) { extend(state, request) };
    "denied-session-removed" breaks "sessions/denied-keeps-expiry": "A denied request ends its session."
        => after |state, request, reply| if reply.refuses_with(USER_LACKS_PERMISSION) { state.sessions.retain(|session| Some(&session.token) != bearer(request).as_ref()) };
    "unsupported-method-extends-session" breaks "sessions/unsupported-method-keeps-expiry": "A request answered 405 moves the expiry of its session."
        => around |state, request, answer| {
            let reply = answer(state, request);
            if of_books(request) && reply.status == 405 {
                refusal(state, request, answer);
            }
            reply
        };
    "sessions-extend-on-books-only" breaks "sessions/use-anywhere": "Only uses of a session on book paths move its expiry."
        => steps |s| s.auth.sessions.end_after_use = |end, now, path| if path.starts_with("/libros") { end_after_use(end, now, path) } else { end };
    "sessions-extend-on-lists-only" breaks "sessions/use-extends": "Only uses of a session on the list of books move its expiry."
        => steps |s| s.auth.sessions.end_after_use = |end, now, path| if path.starts_with("/libros/") { end } else { end_after_use(end, now, path) };
    "second-factor-changes-extend-nothing" breaks "sessions/use-anywhere": "A use of a session that changes the second factor does not move its expiry."
        => around |state, request, answer| undone(state, request, answer, sessions, |_, _| request.path.starts_with("/2fa") && request.method != "GET");
    "pending-login-is-a-session" breaks "sessions/unknown": "The sessionId of a pending session is accepted as a session token."
        => before |state, request| {
            let waiting = state.pending.iter().find(|pending| Some(&pending.id) == bearer(request).as_ref());
            let session = waiting.map(|pending| Session { token: pending.id.clone(), email: pending.email.clone(), expires: i64::MAX });
            state.sessions.extend(session);
        };
    "use-extends-every-session-of-the-user" breaks "sessions/first-hour": "A use of one session moves the expiry of all sessions of its user."
        => after |state, request, reply| if reply.status != 401 { extend_all(state, request) };
    "expired-session-ends-the-others" breaks "sessions/distinct": "A request with an expired session ends all sessions of its user."
        => around |state, request, answer| {
            let ended = expired(state, request);
            let reply = answer(state, request);
            state.sessions.retain(|session| ended.as_ref().is_none_or(|ended| ended.email != session.email));
            reply
        };
};

/// The token that a login or a verification gives.
fn given(reply: &Reply) -> Option<String> {
    reply.json_body()["tokens"]["sessionToken"].as_str().map(str::to_owned)
}

fn sessions(state: &mut State) -> &mut Vec<Session> {
    &mut state.sessions
}

/// Whether a login that may ask for a second factor gave its tokens at once.
fn skips_second_factor(request: &Request, reply: &Reply) -> bool {
    let is_enabled = reply.json_body()["the service"]["twoFactorEnabled"] == true;
    request.path == "/auth/login" && given(reply).is_some() && is_enabled
}

fn keep_last_session(state: &mut Shared, reply: &Reply) {
    let Some(token) = given(reply) else { return };
    let email = state.sessions.iter().find(|session| session.token == token).map(|session| session.email.clone());
    state.sessions.retain(|session| session.token == token || Some(&session.email) != email.as_ref());
}

fn expired(state: &mut Shared, request: &Request) -> Option<Session> {
    session(state, request).filter(|session| request.now > session.expires).map(|session| session.clone())
}

fn extend(state: &mut Shared, request: &Request) {
    session(state, request).into_iter().for_each(|session| session.expires = request.now + 30 * MINUTE_MS);
}

fn extend_all(state: &mut Shared, request: &Request) {
    let Some(used) = session(state, request).map(|session| session.clone()) else { return };
    let all = state.sessions.iter_mut().filter(|session| session.email == used.email);
    all.for_each(|session| session.expires = used.expires);
}
