//! The second factor of one user, and how it is enabled, disabled and renewed.

use crate::accounts::backup_code;
use crate::accounts::backup_code::BackupCode;
use crate::crypto::sealing::Sealed;
use crate::crypto::totp::TotpSecret;
use serde::{Deserialize, Serialize};

use crate::clock::Timestamp;

/// The record inside a user. Source: catalogue-service, "Two-factor record".
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TwoFactor {
    /// Whether logins ask for it.
    pub(crate) enabled: bool,
    /// What the user shares with an authenticator, sealed for their e-mail.
    pub(crate) secret: Sealed,
    /// The codes of the last issue.
    pub(crate) backup_codes: Vec<BackupCode>,
    /// When it was enabled last.
    pub(crate) enabled_at: Timestamp,
    /// When it last let somebody in; `None` until then.
    pub(crate) last_used: Option<Timestamp>,
    /// When it was disabled; `None` while it was not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) disabled_at: Option<Timestamp>,
}

impl TwoFactor {
    /// A second factor enabled now. Replaces whatever there was: enabling again keeps nothing.
    #[must_use]
    pub(crate) fn enabled(secret: Sealed, backup_codes: Vec<BackupCode>, now: Timestamp) -> Self {
        Self { enabled: true, secret, backup_codes, enabled_at: now, last_used: None, disabled_at: None }
    }

    /// Disables it; secret and codes stay in the record and open nothing.
    pub(crate) fn disable(&mut self, now: Timestamp) {
        self.enabled = false;
        self.disabled_at = Some(now);
    }

    /// Puts new codes in the place of all earlier ones.
    pub(crate) fn renew_codes(&mut self, backup_codes: Vec<BackupCode>) {
        self.backup_codes = backup_codes;
    }

    /// How many backup codes are left.
    #[must_use]
    pub(crate) fn codes_left(&self) -> usize {
        backup_code::unused(&self.backup_codes)
    }
}

/// The address that an authenticator reads from a picture.
///
/// The secret stands in it as hex, as the documents have it, although authenticators expect base32.
#[must_use]
pub(crate) fn otpauth_url(issuer: &str, email: &str, secret: &TotpSecret) -> String {
    // rule: two-factor/qr-encoding
    let issuer = encode_component(issuer);
    format!(
        // rule: two-factor/qr-shape, two-factor/qr-secret
        "otpauth://totp/{issuer}:{}?secret={}&issuer={issuer}&algorithm=SHA1&digits=6&period=30",
        encode_component(email),
        secret.hex(),
    )
}

/// A text as JavaScript's `encodeURIComponent` writes it.
fn encode_component(text: &str) -> String {
    use std::fmt::Write as _;
    text.bytes().fold(String::with_capacity(text.len()), |mut encoded, byte| {
        if byte.is_ascii_alphanumeric() || b"-_.!~*'()".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            // Writing to a String cannot fail.
            let _ = write!(encoded, "%{byte:02X}");
        }
        encoded
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounts::backup_code::CodeHasher;
    use crate::crypto::sealing::SealingKey;
    use crate::crypto::secret::Secret;
    use crate::entropy::Entropy;

    const NOW: Timestamp = Timestamp(1_000);

    fn codes(seed: u8) -> Vec<BackupCode> {
        CodeHasher::new(&Secret::from(b"s".to_vec())).issue("user_1", [seed; 40]).1
    }

    fn record() -> TwoFactor {
        let key = SealingKey::new(&Secret::from(b"s".to_vec()), "tests");
        TwoFactor::enabled(key.seal(&[0xff; 20], "ana@example.com", &Entropy::seeded(1)), codes(1), NOW)
    }

    #[test]
    fn a_record_starts_enabled_and_unused() {
        let record = record();
        assert!(record.enabled);
        assert_eq!((record.enabled_at, record.last_used, record.disabled_at), (NOW, None, None));
        assert_eq!(record.codes_left(), 8);
    }

    #[test]
    fn disabling_keeps_the_rest() {
        let mut record = record();
        record.disable(NOW.plus_ms(5));
        assert!(!record.enabled);
        assert_eq!(record.disabled_at, Some(NOW.plus_ms(5)));
        assert_eq!((record.enabled_at, record.codes_left()), (NOW, 8));
    }

    #[test]
    fn new_codes_take_the_place_of_all_earlier_ones() {
        let mut record = record();
        let old = record.backup_codes[0].code;
        record.renew_codes(codes(2));
        assert!(!backup_code::redeem(&mut record.backup_codes, old, NOW));
        assert_eq!(record.codes_left(), 8);
    }

    #[test]
    fn a_record_reads_back_as_stored() {
        let kept = serde_json::to_value(record()).expect("a value");
        assert!(!kept.to_string().contains(&"ff".repeat(20)), "{kept}");
        assert_eq!(kept["backupCodes"][0]["used"], false);
        assert!(kept.get("disabledAt").is_none());
        let read: TwoFactor = serde_json::from_value(kept).expect("as written");
        assert_eq!(read.backup_codes, record().backup_codes);
    }

    #[test]
    fn the_address_has_the_documents_shape() {
        assert_eq!(
            otpauth_url("Library Service", "ana+ñ@a.b", &TotpSecret::new([0xab; 20])),
            format!(
                "otpauth://totp/Library%20Service:ana%2B%C3%B1%40a.b?secret={}&issuer=Library%20Service&algorithm=SHA1&digits=6&period=30",
                "ab".repeat(20)
            )
        );
    }

    #[test]
    fn components_are_encoded_as_javascript_does() {
        assert_eq!(encode_component("-_.!~*'()"), "-_.!~*'()");
        assert_eq!(encode_component(" /?:@&=+$,#%"), "%20%2F%3F%3A%40%26%3D%2B%24%2C%23%25");
    }
}
