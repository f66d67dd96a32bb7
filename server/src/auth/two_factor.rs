//! `/2fa/enable`, `disable`, `status` and `regenerate-backup-codes`: a user's own second factor.

use serde_json::json;

use crate::accounts::two_factor::{TwoFactor, otpauth_url};
use crate::accounts::user::User;
use crate::auth::{identity::Identity, passwords::recheck_password};
use crate::crypto::{password::PasswordHash, totp::TotpSecret};
use crate::json_body::{object, text};
use crate::message::Request;
use crate::response::failure::Failure;
use crate::response::{content::Response, header_groups::SERVICE_NAME};
use libros_server_query::json;
use libros_server_system::clock::Timestamp;

/// Enables the second factor, or replaces it. Ignores the password in the body.
pub(crate) async fn enable(identity: &Identity, request: &Request) -> Result<Response, Failure> {
    let email = identity.guard_user(&request.headers).await?;
    // rule: two-factor/enable-password-unchecked
    object(&request.body)?;
    // rule: two-factor/secret-form
    let secret = TotpSecret::new(identity.context.entropy.bytes());
    let sealed = identity.keys.totp.seal(&secret.bytes, &email, &identity.context.entropy);
    let random = identity.context.entropy.bytes();
    let now = identity.context.clock.now();
    let decided = identity.transact(|tables, changes| {
        let changed = tables.users.change(&email, changes, |user| {
            let (shown, kept) = identity.keys.backup_codes.issue(&user.id, random);
            // rule: two-factor/enable-shape
            let body = json!({
                "secret": secret.hex(),
                // rule: two-factor/qr-issuer-is-realm
                "qrUrl": otpauth_url(SERVICE_NAME, &email, &secret),
                "backupCodes": shown,
                "mensaje": "Two-factor authentication is enabled: keep the backup codes safe",
            });
            // rule: two-factor/sessions-survive, devices/disable-keeps
            // rule: two-factor/enable-takes-effect, two-factor/enable-again, two-factor/enable-again-last-use
            user.two_factor_auth = Some(TwoFactor {
                enabled: true,
                secret: sealed.clone(),
                backup_codes: kept,
                enabled_at: now,
                last_used: None,
                disabled_at: None,
            });
            Response::ok(json::write(&body))
        });
        changed.ok_or(Failure::UserUnknown)
    });
    decided.await
}

pub(crate) async fn disable(identity: &Identity, request: &Request) -> Result<Response, Failure> {
    let (email, checked) = guard_with_password(identity, request).await?;
    let now = identity.context.clock.now();
    change_enabled(identity, &email, &checked, |two_factor, _| {
        // Secret and codes stay in the record and open nothing.
        // rule: two-factor/disable-takes-effect, two-factor/disabled-at
        (two_factor.enabled, two_factor.disabled_at) = (false, Some(now));
        // rule: two-factor/disable-shape
        json!({ "mensaje": "Two-factor authentication is disabled" })
    })
    .await
}

pub(crate) async fn regenerate_backup_codes(identity: &Identity, request: &Request) -> Result<Response, Failure> {
    let (email, checked) = guard_with_password(identity, request).await?;
    let random = identity.context.entropy.bytes();
    change_enabled(identity, &email, &checked, |two_factor, user_id| {
        let (shown, kept) = identity.keys.backup_codes.issue(user_id, random);
        // rule: backup-codes/regenerate-invalidates, backup-codes/regenerate-unused, two-factor/regenerate-keeps-secret
        two_factor.backup_codes = kept;
        // rule: two-factor/regenerate-shape
        json!({
            "backupCodes": shown,
            "mensaje": "The earlier backup codes no longer work: keep these safe",
        })
    })
    .await
}

pub(crate) async fn status(identity: &Identity, request: &Request) -> Result<Response, Failure> {
    let email = identity.guard_user(&request.headers).await?;
    let body = identity.read(|tables| {
        let user = tables.users.record(&email).ok_or(Failure::UserUnknown)?;
        let Some(two_factor) = &user.two_factor_auth else {
            // rule: two-factor/status-unconfigured
            return Ok(json!({ "habilitado": false }));
        };
        // rule: two-factor/status-shape, two-factor/status-disabled
        Ok::<_, Failure>(json!({
            // rule: two-factor/status-enabled
            "habilitado": two_factor.enabled,
            // rule: two-factor/status-enabled-since, two-factor/time-form
            "habilitadoDesde": two_factor.enabled_at.iso(),
            "ultimoUso": two_factor.last_used.map(Timestamp::iso),
            // rule: two-factor/status-codes-available
            "backupCodesDisponibles": two_factor.codes_left(),
            // rule: two-factor/status-codes-total
            "totalBackupCodes": two_factor.backup_codes.len(),
            // rule: two-factor/status-devices, devices/expired-listed
            "dispositivosConfiables": tables.devices.record(&email).map_or(0, |devices| devices.len()),
            // rule: two-factor/status-methods-constant
            "metodosDisponibles": ["authenticator", "backup_codes"],
        }))
    })?;
    Ok(Response::ok(json::write(&body)))
}

/// The e-mail of the credential's user, and the stored hash that matched the body's password.
async fn guard_with_password(identity: &Identity, request: &Request) -> Result<(String, PasswordHash), Failure> {
    let email = identity.guard_user(&request.headers).await?;
    let password = text(&mut object(&request.body)?, "password").map_err(|_| Failure::PasswordWrong)?;
    // rule: two-factor/disable-wrong-password, two-factor/regenerate-wrong-password
    let checked = identity.check_password(&email, password, &request.client).await?;
    Ok((email, checked))
}

/// Changes a second factor that is enabled. `how` gets it and its user's id, and returns the body of the answer.
async fn change_enabled(
    identity: &Identity,
    email: &str,
    checked: &PasswordHash,
    how: impl Fn(&mut TwoFactor, &str) -> serde_json::Value,
) -> Result<Response, Failure> {
    identity
        .transact(|tables, changes| {
            let mut user = User::clone(&*recheck_password(tables, email, checked)?);
            // rule: two-factor/disable-unconfigured, two-factor/regenerate-not-enabled
            let two_factor = user.two_factor_auth.as_mut().ok_or(Failure::TwoFactorNotConfigured)?;
            // rule: two-factor/disable-again
            if !two_factor.enabled {
                return Err(Failure::TwoFactorNotEnabled);
            }
            let body = how(two_factor, &user.id);
            tables.users.put(email.to_owned(), user, changes);
            Ok(Response::ok(json::write(&body)))
        })
        .await
}
