//! The keys of second factors: what backup codes are hashed under, and what the secrets shared with authenticators are sealed under.

use crate::accounts::backup_code::CodeHasher;
use crate::crypto::sealing::{Sealed, SealingKey};
use crate::crypto::secret::Secret;
use crate::crypto::totp::TotpSecret;
use libros_server_system::entropy::Entropy;

/// Both keys, drawn from the data key.
#[derive(Debug)]
pub(crate) struct AccountKeys {
    pub(crate) backup_codes: CodeHasher,
    totp: SealingKey,
}

impl AccountKeys {
    pub(crate) fn new(data_key: &Secret) -> Self {
        Self { backup_codes: CodeHasher::new(data_key), totp: SealingKey::new(data_key, "one-time secrets") }
    }

    /// A user's secret as it is stored.
    pub(crate) fn seal_totp_secret(&self, email: &str, secret: &TotpSecret, entropy: &Entropy) -> Sealed {
        self.totp.seal(secret.bytes(), email, entropy)
    }

    /// The secret that is stored for a user; `None`, and the log says so, where it is damaged.
    pub(crate) fn totp_secret(&self, email: &str, sealed: &Sealed) -> Option<TotpSecret> {
        let secret =
            self.totp.open(sealed, email).and_then(|bytes| bytes.as_slice().try_into().ok()).map(TotpSecret::new);
        if secret.is_none() {
            tracing::error!(email, "the stored one-time secret cannot be read: no code of this user is right");
        }
        secret
    }

    /// The sealed form of a secret that an earlier version stored in clear; `None` for any other.
    pub(crate) fn seal_if_clear(&self, email: &str, stored: &Sealed, entropy: &Entropy) -> Option<Sealed> {
        let clear = TotpSecret::try_from(stored.clear()?.to_owned()).ok()?;
        Some(self.seal_totp_secret(email, &clear, entropy))
    }
}
