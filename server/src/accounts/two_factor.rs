//! The second factor of one user, and how it is enabled, disabled and renewed.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::{Deserialize, Serialize};

use crate::accounts::backup_code::BackupCode;
use crate::crypto::{sealing::Sealed, totp::TotpSecret};
use libros_server_system::clock::Timestamp;

/// The record inside a user. Source: catalogue-service, "Two-factor record".
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TwoFactor {
    pub(crate) enabled: bool,
    /// The secret shared with an authenticator, sealed for the user's e-mail.
    pub(crate) secret: Sealed,
    pub(crate) backup_codes: Vec<BackupCode>,
    pub(crate) enabled_at: Timestamp,
    /// When it last completed a login; `None` before the first time.
    pub(crate) last_used: Option<Timestamp>,
    /// When it was disabled; `None` if it never was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) disabled_at: Option<Timestamp>,
}

impl TwoFactor {
    pub(crate) fn codes_left(&self) -> usize {
        self.backup_codes.iter().filter(|code| !code.used).count()
    }
}

/// The characters that JavaScript's `encodeURIComponent` escapes.
const COMPONENT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'!')
    .remove(b'~')
    .remove(b'*')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')');

/// The URI that an authenticator reads from a QR code, with the secret in hex, as the documents say, though authenticators expect base32.
pub(crate) fn otpauth_url(issuer: &str, email: &str, secret: &TotpSecret) -> String {
    // rule: two-factor/qr-encoding
    let issuer = utf8_percent_encode(issuer, COMPONENT);
    format!(
        // rule: two-factor/qr-shape, two-factor/qr-secret
        "otpauth://totp/{issuer}:{}?secret={}&issuer={issuer}&algorithm=SHA1&digits=6&period=30",
        utf8_percent_encode(email, COMPONENT),
        secret.hex(),
    )
}
