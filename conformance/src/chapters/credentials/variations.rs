//! Variations of the chapter credentials.

use libros_conformance_model::records::Client;
use libros_conformance_model::refusals::{KEY_LACKS_PERMISSION, UNKNOWN_KEY, USER_LACKS_PERMISSION};

use crate::impostor::effect::prelude::*;

pub(crate) const VARIATIONS: &[Variation] = variations! {
    "lookup-before-credential" breaks "credentials/before-store": "An unknown book answers 404 without a credential."
        => around |state, request, answer| look_up_first(state, request, answer, |reply| reply.status == 401);
    "lookup-before-permission" breaks "credentials/permission-before-store": "An unknown book answers 404 without the permission."
        => around |state, request, answer| look_up_first(state, request, answer, |reply| reply.refuses_with(KEY_LACKS_PERMISSION) || reply.refuses_with(USER_LACKS_PERMISSION));
    "no-credential-is-403" breaks "credentials/none": "A request without a credential answers 403."
        => reply |_request, reply| if reply.is_denied_as("NO_AUTENTICADO") { reply.refuse(403) };
    "no-credential-is-token-invalid" breaks "credentials/none": "A request without a credential answers TOKEN_INVALIDO."
        => reply |_request, reply| if reply.is_denied_as("NO_AUTENTICADO") { reply.deny_as("TOKEN_INVALIDO") };
    "any-scheme-is-bearer" breaks "credentials/unsupported-scheme": "Authorization of any scheme is read as a token and answers TOKEN_INVALIDO."
        => reply |request, reply| if reply.is_denied_as("NO_AUTENTICADO") && request.header("authorization").is_some() { reply.deny_as("TOKEN_INVALIDO") };
    "token-before-key" breaks "credentials/key-first": "Authorization counts before X-API-Key."
        => request |request| if sends_token(request) { request.remove("x-api-key") };
    "token-before-key-on-two-factor" breaks "credentials/key-first" and "credentials/key-no-fall-through": "On /2fa Authorization counts before X-API-Key."
        => request |request| if of_two_factor(request) && sends_token(request) { request.remove("x-api-key") };
    "token-before-key-on-api-keys" breaks "credentials/key-first" and "credentials/key-no-fall-through": "On /auth/api-keys Authorization counts before X-API-Key."
        => request |request| if request.path == "/auth/api-keys" && sends_token(request) { request.remove("x-api-key") };
    "unknown-key-falls-through-in-writes" breaks "credentials/key-no-fall-through": "Where something is written, the Authorization header is tried beside an unknown key."
        => request |request| if request.method != "GET" && sends_token(request) && request.header("x-api-key").is_some_and(|key| key.starts_with("ak_nobody")) { request.remove("x-api-key") };
    "basic-lets-in-writes" breaks "credentials/unsupported-scheme": "Where something is written, Basic credentials are let in."
        => around |state, request, answer| {
            let is_basic = request.header("authorization").is_some_and(|value| value.starts_with("Basic "));
            let mut seen = request.clone();
            if let Some(client) = state.clients.iter().find(|client| is_basic && request.method != "GET" && may(client, "delete:libros")) {
                seen.set("X-API-Key", &client.key);
            }
            answer(state, &seen)
        };
    "failing-key-falls-through" breaks "credentials/key-no-fall-through": "After an invalid key the Authorization header is tried."
        => around |state, request, answer| {
            let reply = answer(state, request);
            if reply.is_denied_as("API_KEY_INVALIDA") { by_token(state, request, answer).unwrap_or(reply) } else { reply }
        };
    "key-without-permission-falls-through" breaks "credentials/key-no-fall-through": "After a key that lacks the permission the Authorization header is tried."
        => around |state, request, answer| {
            let reply = answer(state, request);
            if reply.refuses_with(KEY_LACKS_PERMISSION) { by_token(state, request, answer).unwrap_or(reply) } else { reply }
        };
    "known-key-needs-manage-users" breaks "credentials/key-known": "Only keys with manage:users are accepted."
        => steps |s| s.auth.is_key_of = |client, key| client.key == key && may(client, "manage:users");
    "unknown-key-is-unauthenticated" breaks "credentials/key-unknown": "An unknown key answers NO_AUTENTICADO."
        => reply |_request, reply| if reply.refuses_with(UNKNOWN_KEY) { reply.deny_as("NO_AUTENTICADO") };
    "keys-by-first-8" breaks "credentials/key-exact": "Only the first 8 characters of a key are compared."
        => steps |s| s.auth.is_key_of = |client, key| key.len() >= 8 && client.key.get(..8) == key.get(..8);
    "keys-ignore-case" breaks "credentials/key-exact": "A key is accepted in any letter case."
        => steps |s| s.auth.is_key_of = |client, key| client.key.eq_ignore_ascii_case(key);
    "key-prefix-optional" breaks "credentials/key-exact": "A key is accepted without its prefix ak_."
        => steps |s| s.auth.is_key_of = |client, key| client.key == key || client.key.strip_prefix("ak_") == Some(key);
    "denied-delete-deletes" breaks "credentials/denied-changes-nothing": "A delete is carried out although it is denied."
        => around |state, request, answer| carry_out_denied(state, request, answer, "DELETE");
    "registration-needs-credential" breaks "credentials/open-routes": "A registration without a credential is refused."
        => around |state, request, answer| if request.is("POST", "/auth/registro") { guarded(state, request, answer) } else { answer(state, request) };
    "login-refuses-failing-credential" breaks "credentials/open-routes": "A login with an invalid token in Authorization is refused."
        => around |state, request, answer| if request.is("POST", "/auth/login") && request.header("authorization").is_some() { guarded(state, request, answer) } else { answer(state, request) };
    "verification-needs-credential" breaks "credentials/open-routes": "A verification without a credential is refused."
        => around |state, request, answer| if request.is("POST", "/auth/verify-2fa") { guarded(state, request, answer) } else { answer(state, request) };
    "test-client-deletes" breaks "credentials/initial-test-client": "The initial test client may delete."
        => start |state| state.clients[0].permissions.push("delete:libros".to_owned());
    "test-client-only-reads" breaks "credentials/initial-test-client": "The initial test client may not write."
        => start |state| state.clients[0].permissions.retain(|permission| permission == "read:libros");
    "admin-client-manages-keys" breaks "credentials/initial-admin-client": "The initial admin client may manage keys."
        => start |state| state.clients[1].permissions.push("manage:api_keys".to_owned());
    "admin-client-cannot-delete" breaks "credentials/initial-admin-client": "The initial admin client may not delete."
        => start |state| state.clients[1].permissions.retain(|permission| permission != "delete:libros");
    "test-client-rate-limit-5000" breaks "credentials/initial-test-rate-limit": "The initial test client has rateLimit 5000."
        => start |state| state.clients[0].rate_limit = 5000.into();
    "admin-client-rate-limit-1000" breaks "credentials/initial-admin-rate-limit": "The initial admin client has rateLimit 1000."
        => start |state| state.clients[1].rate_limit = 1000.into();
    "client-id-is-a-key" breaks "credentials/key-exact": "The id of a client is accepted as its key."
        => steps |s| s.auth.is_key_of = |client, key| client.key == key || client.id == key;
    "denied-create-takes-effect" breaks "credentials/denied-changes-nothing": "A create is stored before its credential is checked."
        => around |state, request, answer| carry_out_denied(state, request, answer, "POST");
    "bare-bearer-is-a-token" by "credentials/bearer-bare": "The scheme Bearer with nothing after it counts as an unknown token."
        => reply |request, reply| if reply.is_denied_as("NO_AUTENTICADO") && request.header("authorization").as_deref() == Some("Bearer") { reply.deny_as("TOKEN_INVALIDO") };
    "empty-key-fails" by "credentials/key-empty": "An empty X-API-Key counts as an unknown key."
        => request |request| if request.header("x-api-key").as_deref() == Some("") { request.set("X-API-Key", "unknown") };
    "initial-clients-renamed" by silence: "The initial clients have other names."
        => start |state| state.clients.iter_mut().for_each(|client| client.name = format!("Cliente {}", client.id));
    "path-and-body-before-credential" by "credentials/before-id" "credentials/before-body": "Path and body are checked before the credential."
        => around |state, request, answer| {
            let reply = answer(state, request);
            if !of_books(request) || reply.status != 401 {
                return reply;
            }
            let mut copy = Shared { model: state.model.clone(), ..Shared::default() };
            Some(as_admin(&mut copy, request, answer)).filter(|reply| reply.status == 400).unwrap_or(reply)
        };
    "schemes-any-case" by "credentials/scheme-case": "Authorization schemes are recognised in any letter case."
        => request |request| if let Some(value) = request.header("authorization") { request.set("Authorization", &scheme_as_printed(&value)) };
    "tokens-trimmed" by "credentials/spaces-after-scheme": "Spaces before a token are removed."
        => request |request| if let Some(value) = request.header("authorization") { request.set("Authorization", &token_trimmed(&value)) };
    "spaced-tokens-are-none" by "credentials/spaces-after-scheme": "An Authorization header of more than two parts between spaces is not a credential."
        => request |request| if request.header("authorization").is_some_and(|value| value.split(' ').count() > 2) { request.remove("authorization") };
};

/// The answer without the key, if a token is sent beside it.
fn by_token(state: &mut Shared, request: &Request, answer: &Answer<'_>) -> Option<Reply> {
    let mut by_token = request.clone();
    by_token.remove("x-api-key");
    sends_token(request).then(|| answer(state, &by_token))
}

fn may(client: &Client, permission: &str) -> bool {
    client.permissions.iter().any(|held| held == permission)
}

fn sends_token(request: &Request) -> bool {
    request.header("authorization").is_some_and(|value| value.starts_with("Bearer ") || value.starts_with("JWT "))
}

/// Looks up the book before it refuses the credential.
fn look_up_first(state: &mut Shared, request: &Request, answer: &Answer<'_>, is_refused: fn(&Reply) -> bool) -> Reply {
    let reply = answer(state, request);
    let looks = matches!(request.method.as_str(), "GET" | "PUT" | "DELETE") && names_unknown(state, request);
    if looks && is_refused(&reply) { as_admin(state, request, answer) } else { reply }
}

/// Carries out a request although it denies the credential.
fn carry_out_denied(state: &mut Shared, request: &Request, answer: &Answer<'_>, method: &str) -> Reply {
    let reply = answer(state, request);
    if of_books(request) && request.method == method && reply.status == 401 {
        as_admin(state, request, answer);
    }
    reply
}

fn scheme_as_printed(value: &str) -> String {
    let (scheme, rest) = value.split_once(' ').unwrap_or((value, ""));
    let known = ["Bearer", "JWT"].into_iter().find(|known| known.eq_ignore_ascii_case(scheme));
    known.map_or_else(|| value.to_owned(), |scheme| format!("{scheme} {rest}"))
}

fn token_trimmed(value: &str) -> String {
    value.split_once(' ').map_or_else(|| value.to_owned(), |(scheme, rest)| format!("{scheme} {}", rest.trim()))
}
