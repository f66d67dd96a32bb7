//! `/2fa/enable`, `disable`, `status` and `regenerate-backup-codes`: a user's own second factor.

use http::HeaderMap;
use serde_json::json;

use super::record::{TwoFactor, otpauth_url};
use super::totp::TotpSecret;
use crate::auth::fields::Fields;
use crate::auth::login::still_as_checked;
use crate::auth::password::PasswordHash;
use crate::auth::{Identity, Principal};
use crate::catalogue::{Answer, Failure, SERVICE_NAME};
use crate::clock::Timestamp;
use crate::json;
use crate::message::Request;

impl Identity {
    /// The e-mail of the user whose credential the request carries.
    ///
    /// # Errors
    /// The 401 of the credential, and a credential that names no user.
    pub(super) fn guard_user(&self, headers: &HeaderMap) -> Result<String, Failure> {
        // rule: two-factor/credential-required, permissions/two-factor-any
        match self.guard(headers, &[])? {
            Principal::User { email } => Ok(email),
            // rule: two-factor/api-key-refused
            Principal::Client { .. } => Err(Failure::PrincipalWithoutUser),
        }
    }

    /// Enables the second factor, or replaces it. The password of the body is not looked at.
    ///
    /// # Errors
    /// A credential of no user, a body that is no JSON object.
    pub(super) async fn enable_two_factor(&self, request: &Request) -> Result<Answer, Failure> {
        let email = self.guard_user(&request.headers)?;
        // rule: two-factor/enable-password-unchecked
        Fields::read(&request.body)?;
        // rule: two-factor/secret-form
        let secret = TotpSecret::new(self.context().entropy.bytes());
        let random = self.context().entropy.bytes();
        let now = self.context().clock.now();
        self.transact(|state, changes| {
            state
                .users
                .change(&email, changes, |user| {
                    let (shown, kept) = self.backup_codes().issue(&user.id, random);
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
                    user.two_factor_auth = Some(TwoFactor::enabled(secret, kept, now));
                    Answer::ok(json::write(&body))
                })
                .ok_or(Failure::UserUnknown)
        })
        .await
    }

    /// Disables the second factor.
    ///
    /// # Errors
    /// A wrong password, a second factor that is not enabled.
    pub(super) async fn disable_two_factor(&self, request: &Request) -> Result<Answer, Failure> {
        let (email, checked) = self.guard_with_password(request).await?;
        let now = self.context().clock.now();
        self.change_enabled(&email, &checked, |two_factor, _| {
            // rule: two-factor/disable-takes-effect, two-factor/disabled-at
            two_factor.disable(now);
            // rule: two-factor/disable-shape
            json!({ "mensaje": "Two-factor authentication is disabled" })
        })
        .await
    }

    /// Issues new backup codes in the place of all earlier ones.
    ///
    /// # Errors
    /// A wrong password, a second factor that is not enabled.
    pub(super) async fn regenerate_backup_codes(&self, request: &Request) -> Result<Answer, Failure> {
        let (email, checked) = self.guard_with_password(request).await?;
        let random = self.context().entropy.bytes();
        self.change_enabled(&email, &checked, |two_factor, user_id| {
            let (shown, kept) = self.backup_codes().issue(user_id, random);
            // rule: backup-codes/regenerate-invalidates, backup-codes/regenerate-unused, two-factor/regenerate-keeps-secret
            two_factor.renew_codes(kept);
            // rule: two-factor/regenerate-shape
            json!({
                "backupCodes": shown,
                "mensaje": "The earlier backup codes no longer work: keep these safe",
            })
        })
        .await
    }

    /// Tells how the user's second factor stands.
    ///
    /// # Errors
    /// A credential of no user.
    pub(super) fn two_factor_status(&self, headers: &HeaderMap) -> Result<Answer, Failure> {
        let email = self.guard_user(headers)?;
        let body = self.read(|state| {
            let user = state.users.record(&email).ok_or(Failure::UserUnknown)?;
            let Some(two_factor) = &user.two_factor_auth else {
                // rule: two-factor/status-unconfigured
                return Ok(json!({ "habilitado": false }));
            };
            // rule: two-factor/status-shape, two-factor/status-disabled
            Ok::<_, Failure>(json!({
                // rule: two-factor/status-enabled
                "habilitado": two_factor.enabled,
                // rule: two-factor/status-enabled-since
                "habilitadoDesde": two_factor.enabled_at.iso(),
                "ultimoUso": two_factor.last_used.map(Timestamp::iso),
                // rule: two-factor/status-codes-available
                "backupCodesDisponibles": two_factor.codes_left(),
                // rule: two-factor/status-codes-total
                "totalBackupCodes": two_factor.backup_codes.len(),
                // rule: two-factor/status-devices, devices/expired-listed
                "dispositivosConfiables": state.devices.record(&email).map_or(0, Vec::len),
                // rule: two-factor/status-methods-constant
                "metodosDisponibles": ["authenticator", "backup_codes"],
            }))
        })?;
        Ok(Answer::ok(json::write(&body)))
    }

    /// The e-mail behind the credential, and the hash that the password of the body was held against.
    async fn guard_with_password(&self, request: &Request) -> Result<(String, PasswordHash), Failure> {
        let email = self.guard_user(&request.headers)?;
        let mut fields = Fields::read(&request.body)?;
        // rule: two-factor/disable-wrong-password, two-factor/regenerate-wrong-password
        let password = fields.text("password").ok_or(Failure::PasswordWrong)?;
        let checked = self.check_password(&email, password).await?;
        Ok((email, checked))
    }

    /// Changes a second factor that is enabled, given the id of its user, and answers what `how` says.
    async fn change_enabled(
        &self,
        email: &str,
        checked: &PasswordHash,
        how: impl FnOnce(&mut TwoFactor, &str) -> serde_json::Value,
    ) -> Result<Answer, Failure> {
        self.transact(|state, changes| {
            let user = still_as_checked(state, email, checked)?;
            // rule: two-factor/disable-unconfigured, two-factor/regenerate-not-enabled
            let two_factor = user.two_factor_auth.as_ref().ok_or(Failure::TwoFactorNotConfigured)?;
            // rule: two-factor/disable-again
            if !two_factor.enabled {
                return Err(Failure::TwoFactorNotEnabled);
            }
            state
                .users
                .change(&email.to_owned(), changes, |user| {
                    let two_factor = user.two_factor_auth.as_mut()?;
                    Some(Answer::ok(json::write(&how(two_factor, &user.id))))
                })
                .flatten()
                .ok_or(Failure::UserUnknown)
        })
        .await
    }
}
