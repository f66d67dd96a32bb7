//! Two-factor management: /2fa/enable, disable, status, regenerate-backup-codes, trusted-devices.

use serde_json::json;

use super::devices;
use super::guard::guard;
use super::handler::{Failure, Outcome, RequestContext, SERVICE};
use crate::accounts::fields::required_text;
use crate::accounts::permissions::Operation;
use crate::clock::iso;
use crate::records::{BackupCode, TwoFactor, User};
use crate::refusals::{NO_USER, NOT_CONFIGURED, NOT_ENABLED, USER_NOT_FOUND, WRONG_PASSWORD};
use crate::secrets;

pub(crate) fn answer(cx: &mut RequestContext<'_>, path: &str) -> Outcome {
    let rest = path.strip_prefix("/2fa/").unwrap_or_default();
    let device = rest.strip_prefix("trusted-devices/").filter(|id| !id.is_empty() && !id.contains('/'));
    let handler: fn(&mut RequestContext<'_>, &str, &str) -> Outcome = match (cx.request.method.as_str(), rest, device) {
        ("POST", "enable", _) => |cx, email, _| enable(cx, email),
        ("POST", "disable", _) => |cx, email, _| disable(cx, email),
        ("GET", "status", _) => |cx, email, _| status(cx, email),
        ("POST", "regenerate-backup-codes", _) => |cx, email, _| regenerate(cx, email),
        ("GET", "trusted-devices", _) => |cx, email, _| devices::list(cx, email),
        ("DELETE", _, Some(_)) => devices::remove,
        _ => return Err(Failure::UNKNOWN_PATH),
    };
    let email = guard(cx, Operation::TwoFactor)?.email.ok_or(Failure::bad(NO_USER))?;
    handler(cx, &email, device.unwrap_or_default())
}

/// Checks the body, and its password where the route demands one; returns the user.
fn checked_user(cx: &RequestContext<'_>, email: &str) -> Result<User, Failure> {
    let sent = cx.fields()?;
    let user = cx.state.user(email).ok_or(Failure::bad(USER_NOT_FOUND))?;
    let password = required_text(sent.get("password")).unwrap_or_default();
    let is_right = (cx.steps.auth.password_hash)(&password) == user.password_hash;
    if !is_right && (cx.steps.two_factor.checks_password)(&cx.request.path) {
        return Err(Failure::bad(WRONG_PASSWORD));
    }
    Ok(user.clone())
}

fn keep(cx: &mut RequestContext<'_>, email: &str, record: Option<TwoFactor>) {
    if let Some(user) = cx.state.user_mut(email) {
        user.two_factor = record;
    }
}

/// Issues backup codes: the codes that are shown, and the hashes that are kept.
fn issue(cx: &RequestContext<'_>) -> (Vec<String>, Vec<BackupCode>) {
    let shown = (cx.steps.two_factor.backup_codes)();
    let kept = shown.iter().map(|code| BackupCode { hash: secrets::hash(code), used: false }).collect();
    (shown, kept)
}

fn enable(cx: &mut RequestContext<'_>, email: &str) -> Outcome {
    let user = checked_user(cx, email)?;
    let (shown, kept) = issue(cx);
    let secret = (cx.steps.two_factor.secret)();
    let fresh = TwoFactor { enabled: true, secret, codes: kept, enabled_at: cx.now(), last_used: None };
    let record = (cx.steps.two_factor.enabled)(user.two_factor, fresh);
    let body = json!({
        "secret": record.secret,
        "qrUrl": qr_url(email, &record.secret),
        "backupCodes": shown,
        "mensaje": "Two-factor authentication is enabled",
    });
    keep(cx, email, Some(record));
    Ok(cx.reply(200, &body))
}

/// JavaScript's `encodeURIComponent`.
fn encode_component(text: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.!~*'()".contains(&byte);
    text.bytes().map(|b| if is_plain(b) { char::from(b).to_string() } else { format!("%{b:02X}") }).collect()
}

fn qr_url(email: &str, secret: &str) -> String {
    let (issuer, user) = (encode_component(SERVICE), encode_component(email));
    format!("otpauth://totp/{issuer}:{user}?secret={secret}&issuer={issuer}&algorithm=SHA1&digits=6&period=30")
}

fn disable(cx: &mut RequestContext<'_>, email: &str) -> Outcome {
    let user = checked_user(cx, email)?;
    let record = user.two_factor.ok_or(Failure::bad(NOT_CONFIGURED))?;
    if !record.enabled {
        return Err(Failure::bad(NOT_ENABLED));
    }
    keep(cx, email, (cx.steps.two_factor.disabled)(record));
    Ok(cx.reply(200, &json!({"mensaje": "Two-factor authentication is disabled"})))
}

fn status(cx: &RequestContext<'_>, email: &str) -> Outcome {
    let user = cx.state.user(email).ok_or(Failure::bad(USER_NOT_FOUND))?;
    let Some(record) = &user.two_factor else {
        return Ok(cx.reply(200, &json!({"habilitado": false})));
    };
    let body = json!({
        "habilitado": record.enabled,
        "habilitadoDesde": iso(record.enabled_at),
        "ultimoUso": record.last_used.map(iso),
        "backupCodesDisponibles": record.codes.iter().filter(|code| !code.used).count(),
        "totalBackupCodes": record.codes.len(),
        "dispositivosConfiables": devices::listed(cx, email).len(),
        "metodosDisponibles": ["authenticator", "backup_codes"],
    });
    Ok(cx.reply(200, &body))
}

fn regenerate(cx: &mut RequestContext<'_>, email: &str) -> Outcome {
    let user = checked_user(cx, email)?;
    let record = user.two_factor.filter(|record| record.enabled).ok_or(Failure::bad(NOT_ENABLED))?;
    let (shown, kept) = issue(cx);
    keep(cx, email, Some((cx.steps.two_factor.regenerated)(record, kept, cx.now())));
    let body = json!({"backupCodes": shown, "mensaje": "These are the new backup codes"});
    Ok(cx.reply(200, &body))
}
