//! Permitted readings other than the reference's: credentials, registration, login, sessions, tokens, API keys.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use libros_conformance_model::accounts::api_key::{permissions, rate_limit};
use libros_conformance_model::accounts::jwt::{decode, expired, well_formed};
use libros_conformance_model::accounts::permissions::of_role;
use libros_conformance_model::accounts::user::{required_text, role};
use libros_conformance_model::js;
use serde_json::{Map, Value, json};

use crate::impostor::effect::prelude::*;

pub(crate) const READINGS: &[Variation] = variations! {
    "empty-permisos-are-default" by "api-keys/permissions-empty": "Empty permisos count as none."
        => steps |s| s.auth.api_keys.permissions = |sent| permissions(sent.filter(|sent| **sent != json!([])));
    "empty-permisos-refused" by "api-keys/permissions-empty": "Empty permisos are refused."
        => steps |s| s.auth.api_keys.permissions = |sent| permissions(sent).filter(|permissions| !permissions.is_empty());
    "key-list-newest-first" by silence: "Keys are listed newest first."
        => reply |request, reply| if request.is("GET", "/auth/api-keys") { reply.edit(|list| list.as_array_mut().into_iter().for_each(|list| list.reverse())) };
    "key-name-optional" by "api-keys/nombre-missing": "A key needs no nombre."
        => steps |s| s.auth.api_keys.name = |sent| Some(required_text(sent).unwrap_or_default());
    "last-used-never-set" by "api-keys/last-used-set": "lastUsed of a client stays null."
        => reply |request, reply| if request.is("GET", "/auth/api-keys") { reply.edit(forget_last_uses) };
    "odd-rate-limit-stored" by "api-keys/rate-limit-invalid": "A rateLimit is stored whatever it is."
        => steps |s| s.auth.api_keys.rate_limit = |sent| Some(sent.cloned().unwrap_or_else(|| json!(1000)));
    "rate-limit-0-is-default" by "api-keys/rate-limit-zero": "A rateLimit of 0 is 1000."
        => steps |s| s.auth.api_keys.rate_limit = |sent| rate_limit(sent.filter(|sent| sent.as_f64() != Some(0.0)));
    "rate-limit-0-refused" by "api-keys/rate-limit-zero": "A rateLimit of 0 is refused."
        => steps |s| s.auth.api_keys.rate_limit = |sent| rate_limit(sent).filter(|limit| limit.as_f64() != Some(0.0));
    "unknown-permisos-refused" by "api-keys/permissions-unknown": "Unknown permission names are refused."
        => steps |s| s.auth.api_keys.permissions = |sent| {
            let known = of_role("admin");
            permissions(sent).filter(|names| names.iter().all(|name| known.contains(&name.as_str())))
        };
    "bare-bearer-is-a-token" by "credentials/bearer-bare": "Bearer with nothing after it is an unknown token."
        => reply |request, reply| if reply.is_denied_as("NO_AUTENTICADO") && request.header("authorization").as_deref() == Some("Bearer") { reply.deny_as("TOKEN_INVALIDO") };
    "empty-key-fails" by "credentials/key-empty": "An empty X-API-Key is a failing key."
        => request |request| if request.header("x-api-key").as_deref() == Some("") { request.set("X-API-Key", "unknown") };
    "initial-clients-renamed" by silence: "The initial clients have other names."
        => start |state| state.clients.iter_mut().for_each(|client| client.name = format!("Cliente {}", client.id));
    "path-and-body-before-credential" by "credentials/before-id" "credentials/before-body": "Path and body are looked at before the credential."
        => around |held, request, answer| check_before_credential(held, request, answer);
    "schemes-any-case" by "credentials/scheme-case": "Schemes count in any letter case."
        => request |request| if let Some(value) = request.header("authorization") { request.set("Authorization", &scheme_as_printed(&value)) };
    "tokens-trimmed" by "credentials/spaces-after-scheme": "Spaces before a token are trimmed."
        => request |request| if let Some(value) = request.header("authorization") { request.set("Authorization", &token_trimmed(&value)) };
    "spaced-tokens-are-none" by "credentials/spaces-after-scheme": "A header that further spaces cut into more than two parts is no credential."
        => request |request| if request.header("authorization").is_some_and(|value| value.split(' ').count() > 2) { request.remove("authorization") };
    "trusted-device-enabled-always" by silence: "trustedDeviceEnabled is always true."
        => reply |request, reply| if asks_second_factor(request, reply) { reply.edit(|body| body["trustedDeviceEnabled"] = json!(true)) };
    "absent-nombre-is-null" by "registration/nombre-absent": "Without nombre the answers have it as null."
        => reply |request, reply| if reply.status < 400 { reply.edit(|body| fill_nombre(request, body, &Value::Null)) };
    "absent-nombre-is-empty" by "registration/nombre-absent": "Without nombre the answers have an empty one."
        => reply |request, reply| if reply.status < 400 { reply.edit(|body| fill_nombre(request, body, &json!(""))) };
    "email-form-checked" by "registration/email-form": "An e-mail has an at sign."
        => steps |s| s.auth.registration.email_form = |email| email.contains('@');
    "email-optional" by "registration/email-missing": "A registration needs no e-mail."
        => steps |s| s.auth.email = |fields| if is_nameless(fields) { Some(String::new()) } else { required_text(fields.get("email")) };
    "emails-taken-in-any-case" by "registration/email-case": "An e-mail is taken in any letter case."
        => steps |s| s.auth.registration.same_email = |one, other| one.to_lowercase() == other.to_lowercase();
    "empty-role-stored" by "registration/role-empty": "An empty role is stored as sent."
        => steps |s| s.auth.registration.role = |sent| sent.filter(|sent| *sent == "").cloned().or_else(|| role(sent));
    "numbers-of-ids-jump" by silence: "Numbers of ids do not count up one by one."
        => steps |s| {
            s.auth.registration.id = |known, _| format!("user_{}", jumping(known));
            s.auth.api_keys.id = |known| format!("client_{}", jumping(known));
        };
    "odd-registration-accepted" by "registration/field-invalid": "An empty e-mail or password, or one that is not a string, is accepted."
        => steps |s| (s.auth.registration.email, s.auth.registration.password) = (anything_as_text, anything_as_text);
    "odd-role-refused" by "registration/role-not-text": "A role that is not a string is refused."
        => steps |s| s.auth.registration.role = |sent| role(sent).filter(Value::is_string);
    "odd-role-stored-as-user" by "registration/role-not-text": "A role that is not a string is stored as user."
        => steps |s| s.auth.registration.role = |sent| role(sent.filter(|sent| sent.is_string()));
    "odd-role-converted" by "registration/role-not-text": "A role that is not a string is converted to one."
        => request |request| if request.is("POST", "/auth/registro") { request.edit(role_as_text) };
    "password-optional" by "registration/password-missing": "A registration needs no password."
        => steps |s| s.auth.registration.password = |sent| if sent.is_none() { Some(String::new()) } else { required_text(sent) };
    "unknown-role-stored-as-user" by "registration/role-unknown-kept": "A role outside the table is stored as user."
        => steps |s| s.auth.registration.role =
            |sent| role(sent.filter(|sent| sent.as_str().is_none_or(|role| ["admin", "user", "moderator"].contains(&role))));
    "jwt-falsy-exp-skipped" by "tokens/exp-odd": "An exp of null counts as absent."
        => steps |s| s.auth.tokens.expired = |exp, now| expired(exp.filter(|exp| !exp.is_null()), now);
    "jwt-header-must-decode" by "tokens/header-unread": "The header of a token must decode."
        => steps |s| s.auth.tokens.well_formed = |segments| well_formed(segments) && decode(segments[0]).is_some();
    "jwt-issued-url-safe" by "tokens/alphabet": "Tokens are issued in base64url."
        => steps |s| s.auth.tokens.encode = |bytes| URL_SAFE_NO_PAD.encode(bytes);
    "jwt-of-issued-alphabet-only" by "tokens/either-alphabet": "Tokens are read in the alphabet of issued ones only."
        => steps |s| s.auth.tokens.decode = |segment, encode| {
            let foreign = if encode(&[0xff; 3]).contains('/') { ['-', '_'] } else { ['+', '/'] };
            decode(segment).filter(|_| !segment.contains(foreign))
        };
    // The last one here, since the others know the documented key.
    "principals-under-another-key" by "login/principal-key": "Users and clients are under the key `principal`."
        => reply |request, reply| name_principals(request, reply, ["principal"; 2]);
    "user-and-client-under-two-keys" by "login/principal-key": "Users are under the key `usuario`, clients under `cliente`."
        => reply |request, reply| name_principals(request, reply, ["usuario", "cliente"]);
};

fn forget_last_uses(list: &mut Value) {
    for entry in list.as_array_mut().into_iter().flatten() {
        entry["the service"]["lastUsed"] = Value::Null;
    }
}

/// Gives the answers of registration and login a nombre where they have none.
fn fill_nombre(request: &Request, body: &mut Value, nombre: &Value) {
    let user = match request.path.as_str() {
        "/auth/registro" => Some(body),
        "/auth/login" => body.get_mut("the service"),
        _ => None,
    };
    if let Some(user) = user.filter(|user| user.get("nombre").is_none()) {
        user["nombre"] = nombre.clone();
    }
}

fn jumping(known: usize) -> usize {
    known * 8 + 2_000_000_000
}

fn anything_as_text(sent: Option<&Value>) -> Option<String> {
    sent.filter(|sent| !sent.is_null()).map(js::text_of)
}

fn role_as_text(sent: &mut Value) {
    if let Some(role) = sent.get_mut("role").filter(|role| !role.is_string() && !role.is_null()) {
        *role = json!(js::text_of(role));
    }
}

fn scheme_as_printed(value: &str) -> String {
    let (scheme, rest) = value.split_once(' ').unwrap_or((value, ""));
    let known = ["Bearer", "JWT"].into_iter().find(|known| known.eq_ignore_ascii_case(scheme));
    known.map_or_else(|| value.to_owned(), |scheme| format!("{scheme} {rest}"))
}

fn token_trimmed(value: &str) -> String {
    value.split_once(' ').map_or_else(|| value.to_owned(), |(scheme, rest)| format!("{scheme} {}", rest.trim()))
}

fn name_principals(request: &Request, reply: &mut Reply, [of_user, of_client]: [&str; 2]) {
    const DOCUMENTED: &str = "the service";
    let key = match request.path.as_str() {
        "/auth/login" => of_user,
        "/auth/api-keys" => of_client,
        _ => return,
    };
    let name = |body: &mut Value| {
        if let Some(principal) = body.get_mut(DOCUMENTED).map(Value::take) {
            body[key] = principal;
            drop_key(body, DOCUMENTED);
        }
    };
    reply.edit(|body| match body {
        Value::Array(entries) => entries.iter_mut().for_each(name),
        other => name(other),
    });
}

fn is_nameless(fields: &Map<String, Value>) -> bool {
    fields.get("email").is_none_or(|email| email.is_null() || email == "")
}

/// A refusal of the credential gives way to that of path and body, which is looked for in a copy of the state.
fn check_before_credential(held: &mut Held, request: &Request, answer: &Answer<'_>) -> Reply {
    let reply = answer(held, request);
    if !of_books(request) || reply.status != 401 {
        return reply;
    }
    let mut copy = Held { state: held.state.clone(), ..Held::default() };
    Some(as_admin(&mut copy, request, answer)).filter(|reply| reply.status == 400).unwrap_or(reply)
}
