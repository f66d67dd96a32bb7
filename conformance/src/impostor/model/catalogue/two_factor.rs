//! Two-factor management: /2fa/enable, disable, status, regenerate-backup-codes, trusted-devices.

use serde_json::{Map, Value, json};

use super::super::clock::iso;
use super::super::records::{TwoFactor, User};
use super::super::refusals::{NO_USER, NOT_CONFIGURED, NOT_ENABLED, USER_NOT_FOUND, WRONG_PASSWORD};
use super::super::state::State;
use super::super::{js, secrets};
use super::body::{fields, text};
use super::failure::{Failure, Outcome};
use super::guard::guard;
use super::request_context::{RequestContext, SERVICE};
use super::{codes, devices};

/// What a request asks for.
#[derive(Clone, Copy, Debug)]
enum Operation<'a> {
    Enable,
    Disable,
    Status,
    Regenerate,
    ListDevices,
    RemoveDevice(&'a str),
}

/// Answers a request whose path starts with /2fa/.
pub(crate) fn answer(cx: &RequestContext<'_>, path: &str) -> Outcome {
    let asked = operation(&cx.request.method, path);
    if asked.is_none() && cx.policy().two_factor.management.credential_before_path {
        user_email(cx)?;
    }
    let operation = asked.ok_or_else(Failure::unknown_path)?;
    let email = user_email(cx)?;
    match operation {
        Operation::Enable => enable(cx, &email),
        Operation::Disable => disable(cx, &email),
        Operation::Status => status(cx, &email),
        Operation::Regenerate => regenerate(cx, &email),
        Operation::ListDevices => devices::list(cx, &email),
        Operation::RemoveDevice(id) => devices::remove(cx, &email, id),
    }
}

fn operation<'a>(method: &str, path: &'a str) -> Option<Operation<'a>> {
    match (method, path.strip_prefix("/2fa/")?) {
        ("POST", "enable") => Some(Operation::Enable),
        ("POST", "disable") => Some(Operation::Disable),
        ("GET", "status") => Some(Operation::Status),
        ("POST", "regenerate-backup-codes") => Some(Operation::Regenerate),
        ("GET", "trusted-devices") => Some(Operation::ListDevices),
        ("DELETE", rest) => {
            let id = rest.strip_prefix("trusted-devices/").filter(|id| !id.is_empty() && !id.contains('/'))?;
            Some(Operation::RemoveDevice(id))
        }
        _ => None,
    }
}

/// The e-mail of the user that the credential names.
fn user_email(cx: &RequestContext<'_>) -> Result<String, Failure> {
    let policy = &cx.policy().two_factor.management;
    if let Some(email) = guard(cx, policy.takes)?.email {
        let named = js::parse(&cx.request.body).ok().and_then(|sent| sent["email"].as_str().map(str::to_owned));
        return Ok(named.filter(|_| (policy.acts_on_body_email)(&cx.request.path)).unwrap_or(email));
    }
    let state = cx.lock();
    let first = state.users.first().filter(|_| policy.key_acts_for_first_user);
    first.map(|user| user.email.clone()).ok_or_else(|| Failure::bad(NO_USER))
}

fn user<'a>(state: &'a mut State, email: &str) -> Result<&'a mut User, Failure> {
    state.user_mut(email).ok_or_else(|| Failure::bad(USER_NOT_FOUND))
}

fn enable(cx: &RequestContext<'_>, email: &str) -> Outcome {
    let policy = &cx.policy().two_factor.management;
    let sent = fields(cx)?;
    let mut state = cx.lock();
    let user = user(&mut state, email)?;
    if policy.enable_checks_password {
        check_password(cx, user, &sent)?;
    }
    if policy.enable_again_refused && user.two_factor.as_ref().is_some_and(|record| record.enabled) {
        return Err(Failure::bad("Two-factor is already enabled"));
    }
    let (shown, kept) = codes::issue(cx);
    let fresh = TwoFactor {
        enabled: true,
        secret: secrets::random_hex(policy.secret_bytes),
        codes: kept,
        enabled_at: cx.now(),
        last_code: None,
        last_used: None,
    };
    let record = (policy.enabled)(user.two_factor.take(), fresh);
    let secret = record.secret.clone();
    user.two_factor = Some(record);
    if policy.enable_ends_sessions {
        state.sessions.retain(|session| session.email != email);
    }
    drop(state);
    let body = json!({
        "secret": secret,
        "qrUrl": qr_url(email, &secret),
        "backupCodes": shown,
        "mensaje": "Two-factor authentication is enabled",
    });
    Ok(cx.reply(200).body(&body).build())
}

fn qr_url(email: &str, secret: &str) -> String {
    let (issuer, user) = (encode(SERVICE), encode(email));
    format!("otpauth://totp/{issuer}:{user}?secret={secret}&issuer={issuer}&algorithm=SHA1&digits=6&period=30")
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

fn check_password(cx: &RequestContext<'_>, user: &User, sent: &Map<String, Value>) -> Result<(), Failure> {
    let password = text(sent, "password").unwrap_or_default();
    if (cx.policy().auth.password_hash)(password) == user.password_hash {
        return Ok(());
    }
    Err(Failure::bad(WRONG_PASSWORD))
}

fn disable(cx: &RequestContext<'_>, email: &str) -> Outcome {
    let policy = &cx.policy().two_factor.management;
    let sent = fields(cx)?;
    let mut state = cx.lock();
    let user = user(&mut state, email)?;
    if policy.disable_checks_password {
        check_password(cx, user, &sent)?;
    }
    let record = user.two_factor.clone().ok_or_else(|| Failure::bad(NOT_CONFIGURED))?;
    if !record.enabled {
        return Err(Failure::bad(NOT_ENABLED));
    }
    user.two_factor = (policy.disabled)(record);
    if policy.disable_ends_sessions {
        state.sessions.retain(|session| session.email != email);
    }
    if policy.disable_removes_devices {
        state.devices.retain(|device| device.email != email);
    }
    drop(state);
    Ok(cx.reply(200).body(&json!({"mensaje": "Two-factor authentication is disabled"})).build())
}

fn status(cx: &RequestContext<'_>, email: &str) -> Outcome {
    let policy = &cx.policy().two_factor.management;
    let mut state = cx.lock();
    let Some(record) = user(&mut state, email)?.two_factor.clone() else {
        return Ok(cx.reply(200).body(&json!({"habilitado": false})).build());
    };
    let devices: Vec<&str> = devices::listed(cx, &state, email).map(|device| device.id.as_str()).collect();
    let body = json!({
        "habilitado": record.enabled,
        "habilitadoDesde": (policy.told_since)(record.enabled_at, cx.now()),
        "ultimoUso": record.last_used.map(iso),
        "backupCodesDisponibles": record.codes.iter().filter(|code| !code.used).count(),
        "totalBackupCodes": record.codes.len(),
        "dispositivosConfiables": (policy.told_devices)(&devices),
        "metodosDisponibles": ["authenticator", "backup_codes"],
    });
    drop(state);
    Ok(cx.reply(200).body(&body).build())
}

fn regenerate(cx: &RequestContext<'_>, email: &str) -> Outcome {
    let policy = &cx.policy().two_factor.management;
    let sent = fields(cx)?;
    let mut state = cx.lock();
    let user = user(&mut state, email)?;
    if policy.regenerate_checks_password {
        check_password(cx, user, &sent)?;
    }
    let enabled = |record: &TwoFactor| record.enabled || !policy.regenerate_needs_enabled;
    let record = user.two_factor.clone().filter(enabled).ok_or_else(|| Failure::bad(NOT_ENABLED))?;
    let (shown, kept) = codes::issue(cx);
    user.two_factor = Some((policy.regenerated)(record, kept, cx.now()));
    drop(state);
    let body = json!({"backupCodes": shown, "mensaje": "These are the new backup codes"});
    Ok(cx.reply(200).body(&body).build())
}
