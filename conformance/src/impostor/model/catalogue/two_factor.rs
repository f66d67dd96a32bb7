//! Two-factor management: /2fa/enable, disable, status, regenerate-backup-codes, trusted-devices.

use serde_json::{Map, Value, json};

use super::super::clock::iso;
use super::super::secrets;
use super::super::state::{Device, TwoFactor, User};
use super::body::{drop_key, fields, text};
use super::failure::Failure;
use super::guard::guard;
use super::{Exchange, Outcome, SERVICE, codes, devices};

/// Answers a request whose path starts with /2fa/.
pub(crate) fn answer(exchange: &Exchange<'_>, path: &str) -> Outcome {
    let method = exchange.request.method.as_str();
    let path = if exchange.reads("trailing-slash-passes") { path.trim_end_matches('/') } else { path };
    let device = path.strip_prefix("/2fa/trusted-devices/").filter(|id| !id.is_empty() && !id.contains('/'));
    let known = match (method, path) {
        ("POST", "/2fa/enable" | "/2fa/disable" | "/2fa/regenerate-backup-codes") => true,
        ("GET", "/2fa/status" | "/2fa/trusted-devices") => true,
        ("DELETE", _) => device.is_some(),
        _ => false,
    };
    if !known && !exchange.reads("two-factor-credential-first") && !exchange.on("two-factor-prefix-without-slash") {
        let names = ["enable", "disable", "status", "regenerate-backup-codes", "trusted-devices"];
        let name = path.strip_prefix("/2fa/").unwrap_or_default();
        if exchange.reads("two-factor-wrong-method-is-405") && names.contains(&name) {
            return Err(Failure::not_allowed());
        }
        let bare = method == "DELETE" && name.trim_end_matches('/') == "trusted-devices";
        if bare && exchange.reads("remove-without-id-is-400") {
            return Err(Failure::bad("which device?"));
        }
        return Err(if exchange.on("two-factor-unknown-path-is-400") {
            Failure::bad("unknown operation")
        } else {
            Failure::unknown_path()
        });
    }
    let email = user_email(exchange)?;
    if !known && exchange.reads("two-factor-credential-first") {
        return Err(Failure::unknown_path());
    }
    match (method, path) {
        ("POST", "/2fa/enable") => enable(exchange, &email),
        ("POST", "/2fa/disable") => disable(exchange, &email),
        ("GET", "/2fa/status") => status(exchange, &email),
        ("POST", "/2fa/regenerate-backup-codes") => regenerate(exchange, &email),
        ("GET", "/2fa/trusted-devices") => devices::list(exchange, &email),
        _ => devices::remove(exchange, &email, device.ok_or_else(Failure::unknown_path)?),
    }
}

fn user_email(exchange: &Exchange<'_>) -> Result<String, Failure> {
    let needed = exchange.on("two-factor-takes-write").then_some("write:libros");
    let bare = exchange.request.header("x-api-key").is_none() && exchange.request.header("authorization").is_none();
    if bare && exchange.on("two-factor-without-credential-is-400") {
        return Err(Failure::bad("Unable to determine the authenticated user"));
    }
    let principal = guard(exchange, needed)?;
    match principal.email {
        Some(email) => Ok(email),
        None if exchange.on("two-factor-api-key-is-401") => {
            Err(Failure::denied("API_KEY_INVALIDA", "An API key is no user"))
        }
        None if exchange.on("api-key-acts-for-first-user") => {
            Ok(exchange.lock().users.first().map(|user| user.email.clone()).unwrap_or_default())
        }
        None => Err(Failure::bad("Unable to determine the authenticated user")),
    }
}

fn enable(exchange: &Exchange<'_>, email: &str) -> Outcome {
    let sent = fields(exchange)?;
    let mut state = exchange.lock();
    let user = state.user_mut(email).ok_or_else(|| Failure::bad("User not found"))?;
    if exchange.on("enable-checks-password") {
        check_password(user, &sent)?;
    }
    let earlier = user.two_factor.take();
    if let Some(record) = earlier.clone().filter(|record| record.enabled && exchange.on("enable-again-refused")) {
        user.two_factor = Some(record);
        return Err(Failure::bad("Two-factor is already enabled"));
    }
    let (shown, kept) = codes::issue(exchange);
    let secret = match &earlier {
        Some(record) if exchange.on("enable-again-keeps-secret") => record.secret.clone(),
        _ if exchange.on("secret-of-16-bytes") => secrets::random_hex(16),
        _ => secrets::random_hex(20),
    };
    let kept = match &earlier {
        Some(record) if exchange.on("enable-again-keeps-codes") => [record.codes.clone(), kept].concat(),
        _ => kept,
    };
    user.two_factor = Some(TwoFactor {
        enabled: !exchange.on("enable-waits-for-a-code"),
        secret: secret.clone(),
        codes: kept,
        enabled_at: exchange.now(),
        last_code: None,
        last_used: earlier
            .filter(|_| exchange.reads("enable-again-keeps-last-use"))
            .and_then(|record| record.last_used),
    });
    if exchange.on("enable-ends-sessions") {
        state.sessions.retain(|session| session.email != email);
    }
    drop(state);
    let mut body = json!({
        "secret": secret,
        "qrUrl": qr_url(exchange, email, &secret),
        "backupCodes": shown,
        "mensaje": "Two-factor authentication is enabled",
    });
    if exchange.on("enable-answers-habilitado") {
        body["habilitado"] = json!(true);
    }
    let status = exchange.pick("enable-is-201", 201, 200);
    Ok(exchange.dress(status).body(&body).done())
}

fn qr_url(exchange: &Exchange<'_>, email: &str, secret: &str) -> String {
    let issuer = encode(if exchange.on("qr-issuer-of-its-own") { "Biblioteca" } else { SERVICE });
    let user = if exchange.reads("qr-at-sign-literal") {
        encode(email).replace("%40", "@")
    } else if exchange.on("qr-email-not-encoded") {
        email.to_owned()
    } else {
        encode(email)
    };
    let colon = exchange.pick("qr-colon-encoded", "%3A", ":");
    let secret = if exchange.on("qr-secret-in-upper-case") { secret.to_uppercase() } else { secret.to_owned() };
    let tail = match () {
        () if exchange.on("qr-lacks-period") => "&algorithm=SHA1&digits=6",
        () if exchange.on("qr-says-sha256") => "&algorithm=SHA256&digits=6&period=30",
        () => "&algorithm=SHA1&digits=6&period=30",
    };
    format!("otpauth://totp/{issuer}{colon}{user}?secret={secret}&issuer={issuer}{tail}")
}

/// encodeURIComponent
fn encode(text: &str) -> String {
    let mut encoded = String::new();
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' => encoded.push(char::from(byte)),
            b'-' | b'_' | b'.' | b'!' | b'~' | b'*' | b'\'' | b'(' | b')' => {
                encoded.push(char::from(byte));
            }
            _ => encoded.push_str(&format!("%{byte:02X}")),
        }
    }
    encoded
}

fn check_password(user: &User, sent: &Map<String, Value>) -> Result<(), Failure> {
    let password = text(sent, "password").unwrap_or_default();
    if secrets::hash(password) == user.password_hash {
        return Ok(());
    }
    Err(Failure::bad("Wrong password"))
}

fn disable(exchange: &Exchange<'_>, email: &str) -> Outcome {
    let sent = fields(exchange)?;
    let mut state = exchange.lock();
    let user = state.user_mut(email).ok_or_else(|| Failure::bad("User not found"))?;
    if !exchange.on("disable-checks-no-password") {
        check_password(user, &sent)?;
    }
    match &mut user.two_factor {
        Some(record) if !record.enabled && !exchange.reads("disable-again-is-200") => {
            return Err(Failure::bad("Two-factor is not enabled"));
        }
        Some(record) => record.enabled = exchange.on("disable-does-nothing"),
        None if exchange.on("disable-unconfigured-is-200") => {}
        None => return Err(Failure::bad("Two-factor is not configured")),
    }
    if exchange.on("disable-forgets-the-record") {
        user.two_factor = None;
    }
    if exchange.on("disable-ends-sessions") {
        state.sessions.retain(|session| session.email != email);
    }
    if exchange.reads("disable-removes-devices") {
        state.devices.retain(|device| device.email != email);
    }
    drop(state);
    let mut body = json!({"mensaje": "Two-factor authentication is disabled"});
    if exchange.on("disable-answers-habilitado") {
        body["habilitado"] = json!(false);
    }
    if exchange.on("disable-mensaje-empty") {
        body["mensaje"] = json!("");
    }
    Ok(exchange.dress(200).body(&body).done())
}

fn status(exchange: &Exchange<'_>, email: &str) -> Outcome {
    let state = exchange.lock();
    let user = state.user(email).ok_or_else(|| Failure::bad("User not found"))?;
    let Some(record) = &user.two_factor else {
        let mut body = json!({"habilitado": false});
        if exchange.on("status-unconfigured-has-devices") {
            body["dispositivosConfiables"] = json!(0);
        }
        if exchange.on("status-unconfigured-is-400") {
            return Err(Failure::bad("Two-factor is not configured"));
        }
        return Ok(exchange.dress(200).body(&body).done());
    };
    let unused = record.codes.iter().filter(|code| !code.used).count();
    let of_user = |device: &&Device| device.email == email;
    let of_user = |device: &&Device| of_user(device) && devices::shown(exchange, device);
    let devices = state.devices.iter().filter(of_user).count();
    let since = record.enabled_at;
    let total = record.codes.len();
    let mut methods = vec!["authenticator"];
    if unused > 0 || !exchange.on("status-methods-follow-codes") {
        methods.push("backup_codes");
    }
    if !record.enabled && exchange.on("status-methods-empty-when-disabled") {
        methods.clear();
    }
    let mut body = json!({
        "habilitado": record.enabled && !exchange.on("status-never-habilitado"),
        "habilitadoDesde": if exchange.on("status-since-a-number") { json!(since) } else { json!(iso(since)) },
        "ultimoUso": record.last_used.map(iso),
        "backupCodesDisponibles": if exchange.on("status-counts-used-codes-too") { total } else { unused },
        "totalBackupCodes": if exchange.on("status-total-without-used") { unused } else { total },
        "dispositivosConfiables": devices,
        "metodosDisponibles": methods,
    });
    if !record.enabled && exchange.reads("since-null-when-disabled") {
        body["habilitadoDesde"] = Value::Null;
    }
    if exchange.on("status-since-is-now") {
        body["habilitadoDesde"] = json!(iso(exchange.now()));
    }
    if exchange.on("status-shows-secret") {
        body["secret"] = json!(record.secret);
    }
    if exchange.on("status-omits-null-last-use") && record.last_used.is_none() {
        drop_key(&mut body, "ultimoUso");
    }
    if exchange.reads("devices-told-as-list") {
        let ids: Vec<_> = state.devices.iter().filter(of_user).map(|device| device.id.clone()).collect();
        body["dispositivosConfiables"] = json!(ids);
    }
    drop(state);
    Ok(exchange.dress(200).body(&body).done())
}

fn regenerate(exchange: &Exchange<'_>, email: &str) -> Outcome {
    let sent = fields(exchange)?;
    let mut state = exchange.lock();
    let user = state.user_mut(email).ok_or_else(|| Failure::bad("User not found"))?;
    if !exchange.on("regenerate-checks-no-password") {
        check_password(user, &sent)?;
    }
    let enabled = |record: &&mut TwoFactor| record.enabled || exchange.on("regenerate-when-disabled");
    let Some(record) = user.two_factor.as_mut().filter(enabled) else {
        return Err(Failure::bad("Two-factor is not enabled"));
    };
    let (shown, mut kept) = codes::issue(exchange);
    if exchange.on("regenerate-keeps-used-marks") {
        kept.iter_mut().zip(&record.codes).for_each(|(code, old)| code.used = old.used);
    }
    if exchange.on("regenerate-keeps-earlier-codes") {
        kept.extend(record.codes.clone());
    }
    record.codes = kept;
    if exchange.on("regenerate-renews-secret") {
        record.secret = secrets::random_hex(20);
    }
    if exchange.on("regenerate-disables") {
        record.enabled = false;
    }
    if exchange.on("regenerate-enables-anew") {
        record.enabled_at = exchange.now() + 1;
    }
    drop(state);
    let mut body = json!({"backupCodes": shown, "mensaje": "These are the new backup codes"});
    if exchange.on("regenerate-answers-total") {
        body["total"] = json!(8);
    }
    Ok(exchange.dress(200).body(&body).done())
}
