//! Variations of the chapter login.

use libros_conformance_model::accounts::session;
use libros_conformance_model::refusals::{USER_NOT_FOUND, WRONG_PASSWORD};

use crate::impostor::effect::prelude::*;

pub(crate) const VARIATIONS: &[Variation] = variations! {
    "login-is-201" breaks "login/success": "A login answers 201."
        => reply |request, reply| if logged_in(request, reply) { reply.status = 201 };
    "passwords-not-checked" breaks "login/password-wrong": "Any password is right."
        => steps |s| s.auth.password_hash = |_| String::new();
    "login-has-mensaje" breaks "login/first-shape": "The answer to a login has a mensaje."
        => reply |request, reply| first_shape(request, reply, |body| body["mensaje"] = json!("Welcome"));
    "clients-listed-under-another-key" breaks "login/principal-key": "Clients are listed under another key than the one they are created under."
        => reply |request, reply| if request.is("GET", "/auth/api-keys") { reply.edit(name_clients) };
    "login-requires-2fa-always" breaks "login/first-requires": "requiere2FA is true without a second factor too."
        => reply |request, reply| first_shape(request, reply, |body| body["requiere2FA"] = json!(true));
    "login-user-has-hash" breaks "login/user-shape": "The object of the user has the password's hash."
        => reply |request, reply| first_shape(request, reply, |body| body["the service"]["passwordHash"] = json!(secrets::hash("")));
    "login-user-lacks-permissions" breaks "login/user-shape": "The object of the user lacks the permissions."
        => reply |request, reply| first_shape(request, reply, |body| drop_key(&mut body["the service"], "permissions"));
    "login-id-without-prefix" breaks "login/user-identity": "The id at login is a bare number."
        => reply |request, reply| first_shape(request, reply, |body| edit_text(&mut body["the service"]["id"], |id| id.replace("user_", "")));
    "login-nombre-is-email" breaks "login/user-identity": "nombre at login is the e-mail."
        => reply |request, reply| first_shape(request, reply, |body| body["the service"]["nombre"] = body["the service"]["email"].clone());
    "login-role-in-upper-case" breaks "login/user-role": "The role at login is in upper case."
        => reply |request, reply| first_shape(request, reply, |body| edit_text(&mut body["the service"]["role"], str::to_uppercase));
    "login-says-two-factor-once-configured" breaks "login/two-factor-disabled": "twoFactorEnabled stays true after disabling."
        => steps |s| s.auth.login.shown_enabled = |user| user.two_factor.is_some();
    "login-says-no-two-factor-when-trusted" breaks "login/two-factor-trusted": "twoFactorEnabled is false at a login from a trusted device."
        => reply |request, reply| first_shape(request, reply, |body| body["the service"]["twoFactorEnabled"] = json!(false));
    "tokens-have-a-type" breaks "login/tokens-shape" and "verification/tokens-shape": "tokens has a tokenType too."
        => reply |_request, reply| tokens(reply, |tokens| tokens["tokenType"] = json!("Bearer"));
    "expires-in-a-day" breaks "login/expires-in": "expiresIn is 86400."
        => reply |_request, reply| tokens(reply, |tokens| tokens["expiresIn"] = json!(86_400));
    "trusted-device-still-asked" breaks "login/trusted-skips": "A login from a trusted device asks for the second factor."
        => steps |s| s.auth.login.asks_second_factor = |enabled, _| enabled;
    "second-factor-answer-has-tokens" breaks "login/second-shape": "The answer that asks for the second factor has tokens."
        => reply |request, reply| second_shape(request, reply, |body| body["tokens"] = json!({"sessionToken": session::new_token(None), "expiresIn": 3600}));
    "second-factor-answer-has-id" breaks "login/second-shape": "The answer that asks for the second factor has the user's id."
        => reply |request, reply| second_shape(request, reply, |body| body["id"] = json!("user_3"));
    "second-factor-requires-false" breaks "login/second-requires": "requiere2FA is false where a second factor is needed."
        => reply |request, reply| second_shape(request, reply, |body| body["requiere2FA"] = json!(false));
    "pending-id-of-16-bytes" breaks "login/second-session-id": "sessionId has 32 digits."
        => steps |s| s.auth.login.pending_id = |_| secrets::random_hex(16);
    "pending-id-reused" breaks "login/second-session-id": "A second login gets the sessionId of the first."
        => steps |s| s.auth.login.pending_id = |earlier| earlier.map_or_else(|| session::new_token(None), str::to_owned);
    "login-drops-earlier-pending" breaks "login/second-sessions-both": "A second login ends the pending session of the first."
        => after |held, request, reply| if asks_second_factor(request, reply) { keep_last_pending(held) };
    "second-factor-masks-email" breaks "login/second-email": "The e-mail is masked in the answer."
        => reply |request, reply| second_shape(request, reply, |body| edit_text(&mut body["email"], |email| format!("{}***", &email[..1])));
    "second-factor-lacks-authenticator" breaks "login/second-authenticator": "metodosDisponibles lacks authenticator."
        => reply |request, reply| second_shape(request, reply, |body| edit_methods(body, |methods| methods.retain(|method| method != "authenticator")));
    "second-factor-says-totp" breaks "login/second-authenticator": "metodosDisponibles says totp instead of authenticator."
        => reply |request, reply| second_shape(request, reply, |body| edit_methods(body, |methods| methods[0] = json!("totp")));
    "second-factor-never-backup-codes" breaks "login/second-backup-codes": "metodosDisponibles never has backup_codes."
        => reply |request, reply| second_shape(request, reply, |body| edit_methods(body, |methods| methods.retain(|method| method != "backup_codes")));
    "second-factor-always-backup-codes" breaks "login/second-no-backup-codes": "metodosDisponibles always has backup_codes."
        => reply |request, reply| second_shape(request, reply, |body| body["metodosDisponibles"] = json!(["authenticator", "backup_codes"]));
    "second-factor-mensaje-empty" breaks "login/second-mensaje": "mensaje is empty."
        => reply |request, reply| second_shape(request, reply, |body| body["mensaje"] = json!(""));
    "second-factor-answer-fully-dressed" breaks "login/second-headers": "The answer that asks for the second factor carries every group."
        => around |held, request, answer| {
            let reply = answer(held, request);
            if !asks_second_factor(request, &reply) {
                return reply;
            }
            let mut full = nowhere(held, request, answer);
            (full.status, full.body) = (200, reply.body);
            full
        };
    "second-factor-answer-with-cors" breaks "login/second-headers": "The answer that asks for the second factor carries Access-Control-Allow-Origin."
        => reply |request, reply| if asks_second_factor(request, reply) { reply.set("Access-Control-Allow-Origin", "*") };
    "unknown-email-is-404" breaks "login/email-unknown": "A login with an unknown e-mail answers 404."
        => reply |request, reply| if request.path == "/auth/login" && reply.refuses_with(USER_NOT_FOUND) { reply.status = 404 };
    "wrong-password-is-401" breaks "login/password-wrong": "A login with a wrong password answers 401."
        => reply |request, reply| if request.path == "/auth/login" && reply.refuses_with(WRONG_PASSWORD) { reply.status = 401 };
    "emails-stored-in-lower-case" breaks "login/email-as-registered": "An e-mail is stored in lower case and looked up as it is sent."
        => request |request| if request.is("POST", "/auth/registro") { request.edit(|sent| edit_text(&mut sent["email"], str::to_lowercase)) };
    "passwords-trimmed" breaks "login/password-exact": "Spaces around a password do not count."
        => steps |s| s.auth.password_hash = |password| secrets::hash(password.trim());
    "passwords-hashed-as-ascii" breaks "login/password-exact": "Of a password's letters beyond ASCII only their number counts."
        => steps |s| s.auth.password_hash = |password| secrets::hash(&password.replace(|c: char| !c.is_ascii(), "?"));
    "passwords-hashed-as-latin-1" breaks "login/password-exact": "Of a password's letters beyond Latin-1 only the lowest byte counts."
        => steps |s| s.auth.password_hash = |password| secrets::hash(&lowest_bytes(password));
    "passwords-hashed-without-accents" breaks "login/password-exact": "Letters of a password beyond ASCII do not count."
        => steps |s| s.auth.password_hash = |password| secrets::hash(&password.replace(|c: char| !c.is_ascii(), ""));
    "passwords-cut-at-nul" breaks "login/password-exact": "A password ends at the first U+0000."
        => steps |s| s.auth.password_hash = |password| secrets::hash(password.split('\0').next().unwrap_or_default());
    "passwords-in-any-case" breaks "login/password-exact": "Letter case of a password does not count."
        => steps |s| s.auth.password_hash = |password| secrets::hash(&password.to_lowercase());
    "login-without-password-is-500" breaks "login/field-missing": "A login without password answers 500."
        => reply |request, reply| if request.path == "/auth/login" && reply.status == 400 && request.json_body()["password"].is_null() { reply.status = 500 };
    "wrong-passwords-block" breaks "login/wrong-passwords-do-not-block": "Three wrong passwords block the e-mail."
        => around |held, request, answer| stop_wrong_passwords(held, request, answer, 3, 400);
    "never-enabled-told-as-null" breaks "login/two-factor-disabled": "twoFactorEnabled of a user without two-factor is null."
        => reply |request, reply| if request.is("POST", "/auth/login") { reply.edit(|body| if body["the service"]["twoFactorEnabled"] == false { body["the service"]["twoFactorEnabled"] = Value::Null }) };
    "second-factor-answer-is-plain-text" breaks "login/second-content-type": "The answer asking for the second factor says that it is plain text."
        => reply |request, reply| if asks_second_factor(request, reply) { reply.set("Content-Type", "text/plain") };
    "trusted-device-enabled-always" by silence: "trustedDeviceEnabled is always true."
        => reply |request, reply| if asks_second_factor(request, reply) { reply.edit(|body| body["trustedDeviceEnabled"] = json!(true)) };
    "principals-under-another-key" by "login/principal-key": "Users and clients are under the key `principal`."
        => reply |request, reply| name_principals(request, reply, ["principal"; 2]);
    "user-and-client-under-two-keys" by "login/principal-key": "Users are under the key `usuario`, clients under `cliente`."
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

/// Changes issued tokens.
fn tokens(reply: &mut Reply, change: impl FnOnce(&mut Value)) {
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
fn keep_last_pending(held: &mut Held) {
    if let Some(last) = held.pending.last().cloned() {
        held.pending.retain(|pending| pending.email != last.email || pending.id == last.id);
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
