//! `POST /auth/verify-2fa`: a code, or a backup code, turns a waiting login into tokens.

use serde_json::json;

use crate::accounts::pending_login::{FAILURES_MAX, PendingLogin};
use crate::accounts::{account_keys::AccountKeys, backup_code, tables::Tables, trusted_device, user::User};
use crate::auth::{identity::Identity, login::issue_tokens};
use crate::crypto::{fingerprint::Fingerprint, totp};
use crate::json_body::{object, text};
use crate::message::Request;
use crate::response::{content::Response, failure::Failure};
use libros_server_query::{is_truthy, json};
use libros_server_store::Changes;
use libros_server_system::clock::Timestamp;

pub(crate) async fn verify(identity: &Identity, request: &Request) -> Result<Response, Failure> {
    let mut fields = object(&request.body)?;
    // rule: verification/missing-session
    let session = Fingerprint::of(text(&mut fields, "sessionId")?.as_bytes());
    // A token that is missing or not a string counts as empty, which has no known form.
    // rule: verification/missing-token, verification/missing-token-counts, codes/token-spelling
    let token = text(&mut fields, "token").unwrap_or_default();
    // rule: verification/trust-default, verification/trust-other-type
    let trust_device = fields.get("trustDevice").is_some_and(is_truthy);
    let now = identity.context.clock.now();
    let random = identity.context.entropy.bytes();
    let decided = identity.transact(|tables, changes| {
        let (method, waiting) = check(tables, &session, &token, &identity.keys, now, changes)?;
        // rule: pending/success-removes
        tables.pending.remove(&session, changes);
        // rule: devices/plain-verification-keeps
        if trust_device {
            // rule: devices/registered, devices/device-of-login, devices/all-stay
            tables.devices.change_or_start(&waiting.email, changes, |devices| {
                trusted_device::remember(devices, &waiting.device_id, &waiting.contexto.user_agent, now);
            });
        }
        // rule: verification/session-token, verification/session-life, verification/jwt-token
        let user = tables.users.record(&waiting.email).cloned().ok_or(Failure::UserUnknown)?;
        let tokens = issue_tokens(tables, &user, random, now, changes);
        // rule: verification/shape
        Ok(Response::ok(json::write(&json!({
            "verificado": true,
            "tokens": tokens,
            "metodo2FA": method,
            // rule: verification/new-device-true, verification/new-device-false
            "esDispositivoNuevo": !trust_device,
        }))))
    });
    decided.await
}

/// Makes the checks in their order. A failed code counts in the pending login and in the lockout.
/// All of it runs under the lock, so that codes sent at once get no fourth attempt and spend a backup code only once. A time-based code may
/// be used again: `codes/replay` leaves that open.
fn check(
    tables: &mut Tables,
    session: &Fingerprint,
    token: &str,
    keys: &AccountKeys,
    now: Timestamp,
    changes: &mut Changes,
) -> Result<(&'static str, PendingLogin), Failure> {
    // rule: verification/unknown-session
    let waiting = PendingLogin::clone(tables.pending.record(session).ok_or(Failure::PendingUnknown)?);
    // rule: pending/expires, pending/edge, pending/expired-removed
    if waiting.is_over(now) {
        tables.pending.remove(session, changes);
        return Err(Failure::PendingExpired);
    }
    // rule: pending/attempts-end
    if waiting.intentos >= FAILURES_MAX {
        tables.pending.remove(session, changes);
        return Err(Failure::TooManyAttempts);
    }
    let user = tables.users.record(&waiting.email).ok_or(Failure::UserUnknown)?;
    if !user.is_active {
        return Err(Failure::UserInactive);
    }
    // rule: pending/disabled-meanwhile
    if user.two_factor().is_none() {
        return Err(Failure::TwoFactorNotEnabled);
    }
    // rule: lockout/three-failures, lockout/backup-refused
    if tables.attempts.record(&waiting.email).is_some_and(|attempts| attempts.is_blocked(now)) {
        // rule: lockout/refused-not-counted, backup-codes/refused-stays-unused
        return Err(Failure::TooManyAttempts);
    }
    let mut user = User::clone(user);
    let method = accept(&mut user, token, keys, now);
    if method.is_some() {
        tables.users.put(waiting.email.clone(), user, changes);
    }
    // rule: lockout/per-email, lockout/across-sessions
    tables.attempts.change_or_start(&waiting.email, changes, |attempts| {
        // rule: lockout/backup-failures-count, codes/other-forms-count
        attempts.note(method.is_some(), now);
    });
    if method.is_none() {
        // rule: pending/attempts-counted, pending/failure-keeps
        tables.pending.change(session, changes, |pending| pending.intentos += 1);
    }
    // rule: verification/invalid-code
    Ok((method.ok_or(Failure::CodeWrong)?, waiting))
}

/// Checks a token against the user's second factor; returns the method of a right one, as the answer names it. Uses up a backup code.
fn accept(user: &mut User, token: &str, keys: &AccountKeys, now: Timestamp) -> Option<&'static str> {
    let two_factor = user.two_factor_auth.as_mut()?;
    let method = if totp::has_form(token) {
        let now_s = u64::try_from(now.seconds()).ok()?;
        let is_right = keys.totp_secret(&user.email, &two_factor.secret)?.is_right(token, now_s);
        // rule: verification/method-totp
        is_right.then_some("totp")
    } else if backup_code::has_form(token) {
        let hash = keys.backup_codes.hash(&user.id, token);
        // rule: verification/method-backup
        backup_code::redeem(&mut two_factor.backup_codes, hash, now).then_some("backup")
    } else {
        // rule: codes/other-forms
        None
    };
    if method.is_some() {
        // rule: two-factor/status-last-use
        two_factor.last_used = Some(now);
    }
    method
}
