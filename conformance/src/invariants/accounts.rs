//! Bodies of `/auth`: registrations, logins, verifications, API keys, and the tokens they issue.

use serde_json::{Value, json};

use crate::invariants::answer::{Answer, Findings};
use crate::invariants::form::{Form, closed, same_in_any_order};
use crate::invariants::route::Route;
use crate::json::pointer_to;
use crate::oracle::jwt::json_of_segment;

pub(super) fn judge(answer: &Answer<'_>, found: &mut Findings<'_>) {
    let Some(body) = answer.json() else { return };
    match (answer.route, answer.status()) {
        (Route::Register, 201) => registered(answer, body, found),
        (Route::Login, 200) if answer.asks_for_second_factor() => pending(answer, body, found),
        (Route::Login, 200) => logged_in(answer, body, found),
        (Route::Verify, 200) => verified(answer, body, found),
        (Route::CreateKey, 201) => key_created(answer, body, found),
        (Route::ListKeys, 200) => keys_listed(body, found),
        _ => {}
    }
}

/// The form of the e-mail in an answer; open if the request names none.
fn email_form(answer: &Answer<'_>) -> Form<'static> {
    if answer.asked_text("email").is_some_and(|email| !email.is_empty()) { Form::Text } else { Form::Any }
}

/// The e-mail shown is that of the request; platforms may trim it, or turn capital letters into small ones.
fn echoes_email(answer: &Answer<'_>, rule: &'static str, place: &str, want: &str, found: &mut Findings<'_>) {
    let Some(asked) = answer.asked_text("email") else { return };
    let shown = answer.json().and_then(|body| body.pointer(place)).and_then(Value::as_str);
    let is_folded = |(got, asked): (char, char)| got == asked || got == asked.to_ascii_lowercase();
    let is_it = shown.is_some_and(|got| {
        let (got, asked) = (got.trim(), asked.trim());
        got.len() == asked.len() && got.chars().zip(asked.chars()).all(is_folded)
    });
    found.body(rule, is_it, place, want);
}

fn registered(answer: &Answer<'_>, body: &Value, found: &mut Findings<'_>) {
    let named = answer.asked_text("nombre").filter(|nombre| !nombre.is_empty());
    let nombre = match named {
        Some(_) => ("nombre", "registration/echo", Form::Text),
        None => ("nombre?", "registration/nombre-absent", Form::Any),
    };
    let members = [
        ("id", "registration/id-form", Form::Numbered("user_")),
        ("email", "registration/echo", email_form(answer)),
        nombre,
    ];
    closed(found, "registration/answer-shape", "", Some(body), &members);
    echoes_email(answer, "registration/echo", "/email", answer.asked_text("email").unwrap_or_default(), found);
    if let Some(named) = named {
        let is_it = body["nombre"].as_str().is_some_and(|got| got.trim() == named.trim());
        found.body("registration/echo", is_it, "/nombre", named);
    }
}

/// The only member that is not `known`: the principal, whose key differs from platform to platform.
fn other_member<'v>(body: &'v Value, known: &[&str]) -> Option<(&'v str, &'v Value)> {
    let mut others = body.as_object()?.iter().filter(|(key, _)| !known.contains(&key.as_str()));
    match (others.next(), others.next()) {
        (Some((key, value)), None) => Some((key, value)),
        _ => None,
    }
}

fn logged_in(answer: &Answer<'_>, body: &Value, found: &mut Findings<'_>) {
    let (no, hour) = (json!(false), json!(3600));
    let known = ["requiere2FA", "tokens"];
    let other = other_member(body, &known);
    let (key, user) = other.unwrap_or(("the service", &Value::Null));
    let members = [
        ("requiere2FA", "login/first-requires", Form::Is(&no)),
        (key, "login/user-shape", Form::Any),
        ("tokens", "login/tokens-shape", Form::Any),
    ];
    closed(found, "login/first-shape", "", Some(body), &members);
    if other.is_some() {
        let place = pointer_to("", key);
        let members = [
            ("id", "registration/id-form", Form::Numbered("user_")),
            ("email", "login/user-identity", email_form(answer)),
            // A user that registered without a nombre has none to show.
            ("nombre?", "login/user-identity", Form::TextOrNull),
            ("role", "login/user-role", Form::Any),
            ("permissions", "login/user-shape", Form::Texts),
            ("twoFactorEnabled", "login/user-shape", Form::Bool),
        ];
        closed(found, "login/user-shape", &place, Some(user), &members);
        let place = format!("{place}/email");
        echoes_email(answer, "login/user-identity", &place, "the e-mail that logged in", found);
    }
    tokens(body, "login/tokens-shape", ("login/expires-in", &hour), Some(user).filter(|user| user.is_object()), found);
}

fn pending(answer: &Answer<'_>, body: &Value, found: &mut Findings<'_>) {
    let yes = json!(true);
    let methods = Form::Where("a list with `authenticator` and perhaps `backup_codes`", |value| {
        let Some(items) = value.as_array() else { return false };
        items.contains(&json!("authenticator"))
            && items.iter().all(|item| item == "authenticator" || item == "backup_codes")
    });
    let members = [
        ("requiere2FA", "login/second-requires", Form::Is(&yes)),
        ("sessionId", "login/second-session-id", Form::HexAnyCase(64)),
        ("email", "login/second-email", email_form(answer)),
        ("metodosDisponibles", "login/second-authenticator", methods),
        ("mensaje", "login/second-mensaje", Form::Text),
        ("trustedDeviceEnabled", "login/second-shape", Form::Bool),
    ];
    closed(found, "login/second-shape", "", Some(body), &members);
    echoes_email(answer, "login/second-email", "/email", "the e-mail that logged in", found);
}

fn verified(answer: &Answer<'_>, body: &Value, found: &mut Findings<'_>) {
    let (yes, hour) = (json!(true), json!(3600));
    let method = answer.asked_text("token").map(|token| match token.len() {
        6 => ("verification/method-totp", json!("totp")),
        _ => ("verification/method-backup", json!("backup")),
    });
    let (method_rule, method) = method.unwrap_or(("verification/shape", Value::Null));
    let method = if method.is_null() { Form::Text } else { Form::Is(&method) };
    let no = json!(false);
    let (new_rule, is_new) = match answer.asked.as_ref().map(|asked| asked.get("trustDevice")) {
        Some(Some(Value::Bool(true))) => ("verification/new-device-false", Form::Is(&no)),
        Some(None | Some(Value::Bool(false))) => ("verification/new-device-true", Form::Is(&yes)),
        _ => ("verification/shape", Form::Bool),
    };
    let members = [
        ("verificado", "verification/shape", Form::Is(&yes)),
        ("tokens", "verification/tokens-shape", Form::Any),
        ("metodo2FA", method_rule, method),
        ("esDispositivoNuevo", new_rule, is_new),
    ];
    closed(found, "verification/shape", "", Some(body), &members);
    tokens(body, "verification/tokens-shape", ("verification/tokens-shape", &hour), None, found);
}

/// The tokens of a login or a verification; the JWT names the user in the same answer, if there is one.
fn tokens(
    body: &Value,
    shape: &'static str,
    (expires, hour): (&'static str, &Value),
    user: Option<&Value>,
    found: &mut Findings<'_>,
) {
    let tokens = body.get("tokens");
    let members = [
        ("sessionToken", "sessions/form", Form::Hex(64)),
        ("jwtToken", "tokens/segments", Form::Segments),
        ("expiresIn", expires, Form::Is(hour)),
    ];
    closed(found, shape, "/tokens", tokens, &members);
    let Some(jwt) = tokens.and_then(|tokens| tokens.get("jwtToken")).and_then(Value::as_str) else { return };
    let place = "/tokens/jwtToken";
    if jwt.split('.').count() != 3 {
        return;
    }
    let header = json_of_segment(jwt, 0);
    let is_header = header.as_ref().is_some_and(|header| header["alg"] == "HS256" && header["typ"] == "JWT");
    found.value("tokens/header", is_header, place, "a first segment with alg HS256 and typ JWT", header.as_ref());
    let Some(payload) = json_of_segment(jwt, 1).filter(Value::is_object) else {
        return found.body("tokens/payload-fields", false, place, "a second segment that is an object");
    };
    let members = [
        ("email", "tokens/payload-identity", Form::TextOrNull),
        ("userId", "tokens/payload-identity", Form::Numbered("user_")),
        ("role", "tokens/payload-identity", Form::Any),
        ("permissions", "tokens/payload-identity", Form::Texts),
        ("iat", "tokens/iat", Form::Number),
        ("exp", "tokens/exp", Form::Number),
    ];
    closed(found, "tokens/payload-fields", place, Some(&payload), &members);
    let moments = payload["exp"].as_f64().zip(payload["iat"].as_f64());
    let lives = moments.is_none_or(|(exp, iat)| (exp - iat - 86_400.0).abs() < 1.0);
    found.value("tokens/exp", lives, place, "exp 86400 after iat", Some(&payload));
    if let Some(user) = user {
        let is_user = [("email", "email"), ("userId", "id"), ("role", "role"), ("permissions", "permissions")];
        let is_user = is_user.iter().all(|(named, shown)| same_in_any_order(&payload[*named], &user[*shown]));
        found.value("tokens/payload-identity", is_user, place, "the user of the same answer", Some(&payload));
    }
}

fn key_created(answer: &Answer<'_>, body: &Value, found: &mut Findings<'_>) {
    let (key, client) = other_member(body, &["apiKey", "advertencia"]).unwrap_or(("the service", &Value::Null));
    let is_key = Form::Where("`ak_` and 32 hexadecimal digits in lower case", |value| {
        let digits = value.as_str().and_then(|key| key.strip_prefix("ak_")).unwrap_or_default();
        digits.len() == 32 && digits.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
    });
    let members = [
        ("apiKey", "api-keys/key-form", is_key),
        (key, "api-keys/client-shape", Form::Any),
        ("advertencia", "api-keys/advertencia", Form::Text),
    ];
    closed(found, "api-keys/answer-shape", "", Some(body), &members);
    let (thousand, readers) = (json!(1000), json!(["read:libros"]));
    // `None` if the body of the request is odd, `Some(None)` if it lacks the member.
    let sent = |key: &str| answer.asked.as_ref().map(|asked| asked.get(key));
    let is_name = |name: &&str| !name.is_empty() && name.trim() == *name;
    let name = match sent("nombre").flatten() {
        Some(name) if name.as_str().filter(is_name).is_some() => ("name", "api-keys/name", Form::Is(name)),
        _ => ("name?", "api-keys/client-shape", Form::Any),
    };
    let is_plain = |value: &Value| value.as_i64().is_some_and(|limit| (1..1 << 31).contains(&limit));
    let (rate_rule, rate) = match sent("rateLimit") {
        Some(None) => ("api-keys/rate-limit-default", Form::Is(&thousand)),
        Some(Some(rate)) if is_plain(rate) => ("api-keys/rate-limit", Form::Is(rate)),
        _ => ("api-keys/client-shape", Form::Any),
    };
    let is_known = |item: &Value| KNOWN.contains(&item.as_str().unwrap_or_default());
    let are_known =
        |value: &Value| value.as_array().is_some_and(|items| !items.is_empty() && items.iter().all(is_known));
    let (permissions_rule, permissions) = match sent("permisos") {
        Some(None) => ("api-keys/permissions-default", Form::Is(&readers)),
        Some(Some(sent)) if are_known(sent) => ("api-keys/permissions", Form::IsInAnyOrder(sent)),
        _ => ("api-keys/client-shape", Form::Any),
    };
    let members = [
        ("id", "api-keys/id-form", Form::Numbered("client_")),
        name,
        ("permissions", permissions_rule, permissions),
        ("rateLimit", rate_rule, rate),
    ];
    closed(found, "api-keys/client-shape", &pointer_to("", key), Some(client), &members);
}

const KNOWN: [&str; 5] = ["read:libros", "write:libros", "delete:libros", "manage:users", "manage:api_keys"];

/// Odd requests may have made clients of odd values: name, permissions and rateLimit are of any form.
fn keys_listed(body: &Value, found: &mut Findings<'_>) {
    let Some(entries) = body.as_array() else { return found.body("api-keys/list", false, "", "an array") };
    let is_mask = Form::Where("8 characters and three dots", |value| {
        value.as_str().is_some_and(|mask| mask.chars().count() == 11 && mask.ends_with("..."))
    });
    for (index, entry) in entries.iter().enumerate() {
        let (key, client) = other_member(entry, &["apiKey"]).unwrap_or(("the service", &Value::Null));
        let place = format!("/{index}");
        let members = [("apiKey", "api-keys/list-mask", is_mask), (key, "api-keys/list-entry-shape", Form::Any)];
        closed(found, "api-keys/list-entry-shape", &place, Some(entry), &members);
        let members = [
            ("id", "api-keys/list-entry-shape", Form::Text),
            ("name?", "api-keys/list-entry-shape", Form::Any),
            ("permissions", "api-keys/list-entry-shape", Form::Any),
            ("rateLimit", "api-keys/list-entry-shape", Form::Any),
            ("createdAt", "api-keys/list-created-at", Form::Time),
            ("lastUsed", "api-keys/last-used-null", Form::TimeOrNull),
        ];
        closed(found, "api-keys/list-entry-shape", &pointer_to(&place, key), Some(client), &members);
    }
}
