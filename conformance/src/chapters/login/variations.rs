//! Variations of the chapter login.

use libros_conformance_model::accounts::session;
use libros_conformance_model::refusals::{USER_NOT_FOUND, WRONG_PASSWORD};

use crate::impostor::effect::prelude::*;

pub(crate) const VARIATIONS: &[Variation] = variations! {
    "login-is-201" breaks "login/success": "A login answers 201."
        => reply |request, reply| if logged_in(request, reply) { reply.status = 201 };
    "passwords-not-checked" breaks "login/password-wrong": "A login accepts any password."
        => steps |s| s.auth.password_hash = |_| String::new();
    "login-has-mensaje" breaks "login/first-shape": "The answer to a login has a mensaje."
        => reply |request, reply| first_shape(request, reply, |body| body["mensaje"] = json!("Welcome"));
    "clients-listed-under-another-key" breaks "login/principal-key": "The list of API keys has clients under another key than their creation."
        => reply |request, reply| if request.is("GET", "/auth/api-keys") { reply.edit(name_clients) };
    "login-requires-2fa-always" breaks "login/first-requires": "requiere2FA is true also without a second factor."
        => reply |request, reply| first_shape(request, reply, |body| body["requiere2FA"] = json!(true));
    "login-user-has-hash" breaks "login/user-shape": "The user at login has the password's hash."
        => reply |request, reply| first_shape(request, reply, |body| body["the service"]["passwordHash"] = json!(secrets::hash("")));
    "login-user-lacks-permissions" breaks "login/user-shape": "The user at login lacks the permissions."
        => reply |request, reply| first_shape(request, reply, |body| drop_key(&mut body["the service"], "permissions"));
    "login-id-without-prefix" breaks "login/user-identity": "id of the user at login is a bare number."
        => reply |request, reply| first_shape(request, reply, |body| edit_text(&mut body["the service"]["id"], |id| id.replace("user_", "")));
    "login-nombre-is-email" breaks "login/user-identity": "nombre of the user at login is the e-mail."
        => reply |request, reply| first_shape(request, reply, |body| body["the service"]["nombre"] = body["the service"]["email"].clone());
    "login-role-in-upper-case" breaks "login/user-role": "role of the user at login is in upper case."
        => reply |request, reply| first_shape(request, reply, |body| edit_text(&mut body["the service"]["role"], str::to_uppercase));
    "login-says-two-factor-once-configured" breaks "login/two-factor-disabled": "twoFactorEnabled stays true after disabling."
        => steps |s| s.auth.login.shown_enabled = |user| user.two_factor.is_some();
    "login-says-no-two-factor-when-trusted" breaks "login/two-factor-trusted": "twoFactorEnabled is false at a login from a trusted device."
        => reply |request, reply| first_shape(request, reply, |body| body["the service"]["twoFactorEnabled"] = json!(false));
    "tokens-have-a-type" breaks "login/tokens-shape" and "verification/tokens-shape": "tokens at login also has a tokenType."
        => reply |_request, reply| edit_tokens(reply, |tokens| tokens["tokenType"] = json!("Bearer"));
    "expires-in-a-day" breaks "login/expires-in": "expiresIn at login is 86400."
        => reply |_request, reply| edit_tokens(reply, |tokens| tokens["expiresIn"] = json!(86_400));
    "trusted-device-still-asked" breaks "login/trusted-skips": "A login from a trusted device asks for the second factor."
        => steps |s| s.auth.login.asks_second_factor = |enabled, _| enabled;
    "second-factor-answer-has-tokens" breaks "login/second-shape": "The answer that asks for the second factor has tokens."
        => reply |request, reply| second_shape(request, reply, |body| body["tokens"] = json!({"sessionToken": session::new_token(None), "expiresIn": 3600}));
    "second-factor-answer-has-id" breaks "login/second-shape": "The answer that asks for the second factor has the user's id."
        => reply |request, reply| second_shape(request, reply, |body| body["id"] = json!("user_3"));
    "second-factor-requires-false" breaks "login/second-requires": "requiere2FA is false where a second factor is needed."
        => reply |request, reply| second_shape(request, reply, |body| body["requiere2FA"] = json!(false));
    "pending-id-of-16-bytes" breaks "login/second-session-id": "sessionId of a pending session has 32 digits."
        => steps |s| s.auth.login.pending_id = |_| secrets::random_hex(16);
    "pending-id-reused" breaks "login/second-session-id": "A second login gets the sessionId of the first pending session."
        => steps |s| s.auth.login.pending_id = |earlier| earlier.map_or_else(|| session::new_token(None), str::to_owned);
    "login-drops-earlier-pending" breaks "login/second-sessions-both": "A second login ends the pending session of the first."
        => after |state, request, reply| if asks_second_factor(request, reply) { keep_last_pending(state) };
    "second-factor-masks-email" breaks "login/second-email": "The answer that asks for the second factor masks the e-mail."
        => reply |request, reply| second_shape(request, reply, |body| edit_text(&mut body["email"], |email| format!("{}***", email.chars().take(1).collect::<String>())));
    "second-factor-lacks-authenticator" breaks "login/second-authenticator": "metodosDisponibles at login lacks authenticator."
        => reply |request, reply| second_shape(request, reply, |body| edit_methods(body, |methods| methods.retain(|method| method != "authenticator")));
    "second-factor-says-totp" breaks "login/second-authenticator": "metodosDisponibles at login says totp instead of authenticator."
        => reply |request, reply| second_shape(request, reply, |body| edit_methods(body, |methods| methods[0] = json!("totp")));
    "second-factor-never-backup-codes" breaks "login/second-backup-codes": "metodosDisponibles at login never has backup_codes."
        => reply |request, reply| second_shape(request, reply, |body| edit_methods(body, |methods| methods.retain(|method| method != "backup_codes")));
    "second-factor-always-backup-codes" breaks "login/second-no-backup-codes": "metodosDisponibles at login always has backup_codes."
        => reply |request, reply| second_shape(request, reply, |body| body["metodosDisponibles"] = json!(["authenticator", "backup_codes"]));
    "second-factor-mensaje-empty" breaks "login/second-mensaje": "mensaje of the answer that asks for the second factor is empty."
        => reply |request, reply| second_shape(request, reply, |body| body["mensaje"] = json!(""));
    "second-factor-answer-fully-dressed" breaks "login/second-headers": "The answer that asks for the second factor carries every header group."
        => around |state, request, answer| {
            let reply = answer(state, request);
            if !asks_second_factor(request, &reply) {
                return reply;
            }
            let mut full = nowhere(state, request, answer);
            (full.status, full.body) = (200, reply.body);
            full
        };
    "second-factor-answer-with-cors" breaks "login/second-headers": "The answer that asks for the second factor carries Access-Control-Allow-Origin."
        => reply |request, reply| if asks_second_factor(request, reply) { reply.set("Access-Control-Allow-Origin", "*") };
    "unknown-email-is-404" breaks "login/email-unknown": "A login with an unknown e-mail answers 404."
        => reply |request, reply| if request.path == "/auth/login" && reply.refuses_with(USER_NOT_FOUND) { reply.status = 404 };
    "wrong-password-is-401" breaks "login/password-wrong": "A login with a wrong password answers 401."
        => reply |request, reply| if request.path == "/auth/login" && reply.refuses_with(WRONG_PASSWORD) { reply.status = 401 };
    "emails-stored-in-lower-case" breaks "login/email-as-registered": "A registration stores the e-mail in lower case, and a login looks it up as sent."
        => request |request| if request.is("POST", "/auth/registro") { request.edit(|sent| edit_text(&mut sent["email"], str::to_lowercase)) };
    "passwords-trimmed" breaks "login/password-exact": "A login ignores spaces around a password."
        => steps |s| s.auth.password_hash = |password| secrets::hash(password.trim());
    "passwords-hashed-as-ascii" breaks "login/password-exact": "A login does not tell apart characters of a password beyond ASCII."
        => steps |s| s.auth.password_hash = |password| secrets::hash(&password.replace(|c: char| !c.is_ascii(), "?"));
    "passwords-hashed-as-latin-1" breaks "login/password-exact": "A login compares only the lowest byte of characters of a password beyond Latin-1."
        => steps |s| s.auth.password_hash = |password| secrets::hash(&lowest_bytes(password));
    "passwords-hashed-without-accents" breaks "login/password-exact": "A login ignores characters of a password beyond ASCII."
        => steps |s| s.auth.password_hash = |password| secrets::hash(&password.replace(|c: char| !c.is_ascii(), ""));
    "passwords-cut-at-nul" breaks "login/password-exact": "A password ends at the first U+0000."
        => steps |s| s.auth.password_hash = |password| secrets::hash(password.split('\0').next().unwrap_or_default());
    "passwords-cut-at-72" breaks "login/password-exact": "Only the first 72 characters of a password count."
        => steps |s| s.auth.password_hash = |password| secrets::hash(&password.chars().take(72).collect::<String>());
    "passwords-in-any-case" breaks "login/password-exact": "A login ignores letter case of a password."
        => steps |s| s.auth.password_hash = |password| secrets::hash(&password.to_lowercase());
    "login-without-password-is-500" breaks "login/field-missing": "A login without password answers 500."
        => reply |request, reply| if request.path == "/auth/login" && reply.status == 400 && request.json_body()["password"].is_null() { reply.status = 500 };
    "wrong-passwords-block" breaks "login/wrong-passwords-do-not-block": "Three wrong passwords block logins of the e-mail."
        => around |state, request, answer| stop_wrong_passwords(state, request, answer, 3, 400);
    "wrong-password-ends-sessions" breaks "login/refused-ends-nothing": "A login with a wrong password ends the sessions of the e-mail."
        => after |state, request, reply| if request.path == "/auth/login" && reply.refuses_with(WRONG_PASSWORD) { state.sessions.retain(|known| known.email != request.json_body()["email"]) };
    "wrong-password-ends-pending-sessions" breaks "login/refused-ends-nothing": "A login with a wrong password ends the pending sessions of the e-mail."
        => after |state, request, reply| if request.path == "/auth/login" && reply.refuses_with(WRONG_PASSWORD) { state.pending.retain(|known| known.email != request.json_body()["email"]) };
    "never-enabled-told-as-null" breaks "login/two-factor-disabled": "twoFactorEnabled at login is null for a user without two-factor."
        => reply |request, reply| first_shape(request, reply, |body| if body["the service"]["twoFactorEnabled"] == false { body["the service"]["twoFactorEnabled"] = Value::Null });
    "second-factor-answer-is-plain-text" breaks "login/second-content-type": "Content-Type of the answer that asks for the second factor is plain text."
        => reply |request, reply| if asks_second_factor(request, reply) { reply.set("Content-Type", "text/plain") };
    "trusted-device-enabled-always" by silence: "trustedDeviceEnabled in the answer that asks for the second factor is always true."
        => reply |request, reply| if asks_second_factor(request, reply) { reply.edit(|body| body["trustedDeviceEnabled"] = json!(true)) };
    "principals-under-another-key" by "login/principal-key": "Users and clients in answers are under the key `principal`."
        => reply |request, reply| name_principals(request, reply, ["principal"; 2]);
    "user-and-client-under-two-keys" by "login/principal-key": "Users in answers are under the key `usuario`, clients under `cliente`."
        => reply |request, reply| name_principals(request, reply, ["usuario", "cliente"]);
};

fn logged_in(request: &Request, reply: &Reply) -> bool {
    request.is("POST", "/auth/login") && reply.status == 200 && reply.json_body().get("tokens").is_some()
}

/// Changes the answer to a login that needs no second factor.
fn first_shape(request: &Request, reply: &mut Reply, change: impl FnOnce(&mut Value)) {
    if logged_in(request, reply) {
        reply.edit(change);
    }
}

/// Changes the answer that asks for the second factor.
fn second_shape(request: &Request, reply: &mut Reply, change: impl FnOnce(&mut Value)) {
    if asks_second_factor(request, reply) {
        reply.edit(change);
    }
}

fn edit_tokens(reply: &mut Reply, change: impl FnOnce(&mut Value)) {
    if reply.json_body()["tokens"].is_object() {
        reply.edit(|body| change(&mut body["tokens"]));
    }
}

fn edit_methods(body: &mut Value, change: impl FnOnce(&mut Vec<Value>)) {
    body["metodosDisponibles"].as_array_mut().map(change);
}

fn lowest_bytes(text: &str) -> String {
    text.chars().filter_map(|c| char::from_u32(u32::from(c) & 0xff)).collect()
}

fn name_clients(list: &mut Value) {
    for entry in list.as_array_mut().into_iter().flatten() {
        entry["cliente"] = entry["the service"].take();
        drop_key(entry, "the service");
    }
}

/// Ends the pending logins of an e-mail but the last.
fn keep_last_pending(state: &mut Shared) {
    if let Some(last) = state.pending.last().cloned() {
        state.pending.retain(|pending| pending.email != last.email || pending.id == last.id);
    }
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
