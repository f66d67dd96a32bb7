//! Effects on checks of codes and passwords: which requests fail them, and changes of the failures counted. Knows no fault and no reading.

use libros_conformance_model::message::{Reply, Request};
use libros_conformance_model::refusals::{BLOCKED, INVALID_CODE, WRONG_PASSWORD};
use libros_conformance_model::secrets;
use serde_json::json;

use super::acting::pending;
use super::catalogue::refuse;
use crate::impostor::world::{Answer, Shared};

pub(crate) fn token_of(request: &Request) -> Option<String> {
    request.json_body()["token"].as_str().map(str::to_owned)
}

/// Whether the reply refuses a token of that kind.
pub(crate) fn is_wrong(request: &Request, reply: &Reply, is_it: fn(Option<&str>) -> bool) -> bool {
    request.is("POST", "/auth/verify-2fa") && reply.refuses_with(INVALID_CODE) && is_it(token_of(request).as_deref())
}

/// Undoes the last counted failure of the e-mail and the pending login.
pub(crate) fn uncount(state: &mut Shared, request: &Request) {
    state.attempts.pop();
    pending(state, request).into_iter().for_each(|pending| pending.failures -= 1);
}

pub(crate) fn clear_failures(state: &mut Shared, email: &str) {
    state.attempts.retain(|attempt| attempt.owner != email);
}

/// Uses up the sent backup code of the user, or of any user.
pub(crate) fn spend(state: &mut Shared, request: &Request, email: Option<&str>) {
    let hash = token_of(request).map(|token| secrets::hash(&token));
    let theirs = state.users.iter_mut().filter(|user| email.is_none_or(|email| user.email == email));
    let codes = theirs.filter_map(|user| user.two_factor.as_mut()).flat_map(|record| &mut record.codes);
    codes.filter(|code| Some(&code.hash) == hash.as_ref()).for_each(|code| code.used = true);
}

pub(crate) fn respell_token(request: &mut Request, respell: fn(&str) -> String) {
    if request.is("POST", "/auth/verify-2fa") {
        request.edit(|sent| {
            if let Some(token) = sent["token"].as_str() {
                sent["token"] = json!(respell(token));
            }
        });
    }
}

/// Refuses a login for an e-mail with that many wrong passwords.
pub(crate) fn stop_wrong_passwords(
    state: &mut Shared,
    request: &Request,
    answer: &Answer<'_>,
    most: usize,
    status: u16,
) -> Reply {
    if !request.is("POST", "/auth/login") {
        return answer(state, request);
    }
    let email = request.json_body()["email"].as_str().unwrap_or_default().to_owned();
    let wrong = state.past.notes.iter().filter(|(name, of)| name == "wrong password" && *of == email).count();
    if wrong < most {
        let reply = answer(state, request);
        if reply.refuses_with(WRONG_PASSWORD) {
            state.past.note("wrong password", &email);
        }
        return reply;
    }
    let mut reply = answer(state, &Request { body: Vec::new(), ..request.clone() });
    refuse(&mut reply, status, BLOCKED);
    reply
}

/// Whether there is a route at the path, or a place where routes begin.
pub(crate) fn is_route(path: &str) -> bool {
    match path.split('/').skip(1).collect::<Vec<_>>().as_slice() {
        // Books, and the prefixes of routes: the path without the slash is another spelling of each.
        ["libros"] | ["auth"] | ["2fa"] => true,
        ["libros", id] => !id.is_empty(),
        ["auth", name] => ["registro", "login", "verify-2fa", "api-keys"].contains(name),
        ["2fa", name] => ["enable", "disable", "status", "regenerate-backup-codes", "trusted-devices"].contains(name),
        ["graphql" | "users" | "posts"] | ["api", "users", "register"] => true,
        ["users" | "posts", id] | ["users", id, "posts"] => !id.is_empty(),
        _ => false,
    }
}
