//! The user that a request comes from, and the answer to the same request from another user.

use std::mem;

use libros_conformance_model::accounts::jwt;
use libros_conformance_model::message::{Reply, Request};
use libros_conformance_model::records::{Pending, Session, TwoFactor};
use libros_conformance_model::state::State;
use serde_json::Value;

use crate::impostor::world::{Answer, Shared};

pub(crate) fn bearer(request: &Request) -> Option<String> {
    request.header("authorization")?.strip_prefix("Bearer ").map(str::to_owned)
}

pub(crate) fn payload(request: &Request) -> Option<Value> {
    jwt::decode(request.header("authorization")?.strip_prefix("JWT ")?.split('.').nth(1)?)
}

pub(crate) fn session<'a>(state: &'a mut Shared, request: &Request) -> Option<&'a mut Session> {
    let token = bearer(request)?;
    state.sessions.iter_mut().find(|session| session.token == token)
}

pub(crate) fn email_of(state: &mut Shared, request: &Request) -> Option<String> {
    let by_session = session(state, request).map(|session| session.email.clone());
    by_session.or_else(|| Some(payload(request)?["email"].as_str()?.to_owned()))
}

pub(crate) fn pending<'a>(state: &'a mut Shared, request: &Request) -> Option<&'a mut Pending> {
    let id = request.json_body()["sessionId"].clone();
    state.pending.iter_mut().find(|pending| request.is("POST", "/auth/verify-2fa") && id == pending.id.as_str())
}

/// The e-mail of the pending login that a verification names.
pub(crate) fn pending_email(state: &mut Shared, request: &Request) -> Option<String> {
    pending(state, request).map(|pending| pending.email.clone())
}

pub(crate) fn second_factor<'a>(state: &'a mut Shared, email: &str) -> Option<&'a mut TwoFactor> {
    state.user_mut(email)?.two_factor.as_mut()
}

/// The e-mail of the user whose management request succeeded.
pub(crate) fn managed(state: &mut Shared, request: &Request, reply: &Reply, route: &str) -> Option<String> {
    email_of(state, request).filter(|_| request.is("POST", route) && reply.status == 200)
}

/// The 401 of a request whose credential is missing or fails.
pub(crate) fn refusal(state: &mut Shared, request: &Request, answer: &Answer<'_>) -> Option<Reply> {
    let mut open = Request { method: "GET".to_owned(), path: "/2fa/status".to_owned(), ..request.clone() };
    open.body.clear();
    Some(answer(state, &open)).filter(|reply| reply.status == 401)
}

/// Answers, or refuses an invalid credential with 401.
pub(crate) fn guarded(state: &mut Shared, request: &Request, answer: &Answer<'_>) -> Reply {
    refusal(state, request, answer).unwrap_or_else(|| answer(state, request))
}

pub(crate) fn as_admin(state: &mut Shared, request: &Request, answer: &Answer<'_>) -> Reply {
    let mut request = request.clone();
    request.set("X-API-Key", &state.clients[1].key);
    answer(state, &request)
}

pub(crate) fn as_user(state: &mut Shared, email: &str, request: &Request, answer: &Answer<'_>) -> Reply {
    let mut request = request.clone();
    request.remove("X-API-Key");
    request.set("Authorization", "Bearer borrowed");
    state.sessions.push(Session { token: "borrowed".to_owned(), email: email.to_owned(), expires: i64::MAX });
    let reply = answer(state, &request);
    state.sessions.retain(|session| session.token != "borrowed");
    reply
}

/// Answers as if the user of the request had these permissions.
pub(crate) fn holding(state: &mut Shared, permissions: Vec<String>, request: &Request, answer: &Answer<'_>) -> Reply {
    let email = email_of(state, request).unwrap_or_default();
    let Some(user) = state.user_mut(&email) else { return answer(state, request) };
    let own = mem::replace(&mut user.permissions, permissions);
    let reply = answer(state, request);
    state.user_mut(&email).into_iter().for_each(|user| user.permissions.clone_from(&own));
    reply
}

/// Answers, and undoes the changes of the request to a part of the state.
pub(crate) fn undone<T: Clone>(
    state: &mut Shared,
    request: &Request,
    answer: &Answer<'_>,
    part: fn(&mut State) -> &mut T,
    is_meant: impl Fn(&Shared, &Reply) -> bool,
) -> Reply {
    let before = part(state).clone();
    let reply = answer(state, request);
    if is_meant(state, &reply) {
        *part(state) = before;
    }
    reply
}

/// The answer to an unknown path: every header group, and nothing in it.
pub(crate) fn nowhere(state: &mut Shared, request: &Request, answer: &Answer<'_>) -> Reply {
    let mut reply = answer(state, &Request { path: "/unknown".to_owned(), ..request.clone() });
    reply.body.clear();
    reply
}
