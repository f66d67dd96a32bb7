//! The keys of second factors: one hashes backup codes, the other seals the secrets of authenticators. Stores nothing.

use crate::accounts::backup_code::CodeHasher;
use crate::crypto::sealing::{Sealed, SealingKey};
use crate::crypto::secret::Secret;
use crate::crypto::totp::TotpSecret;

#[derive(Debug)]
pub(crate) struct AccountKeys {
    pub(crate) backup_codes: CodeHasher,
    /// Seals a secret for the e-mail of its user.
    pub(crate) totp: SealingKey,
}

impl AccountKeys {
    pub(crate) fn new(data_key: &Secret) -> Self {
        Self { backup_codes: CodeHasher::new(data_key), totp: SealingKey::new(data_key, "one-time secrets") }
    }

    /// Opens the stored secret of a user; logs an error and returns `None` if it is damaged.
    pub(crate) fn totp_secret(&self, email: &str, sealed: &Sealed) -> Option<TotpSecret> {
        let bytes = self.totp.open(sealed, email).and_then(|bytes| bytes.as_slice().try_into().ok());
        if bytes.is_none() {
            tracing::error!(email, "the stored TOTP secret cannot be read: only backup codes of this user work");
        }
        bytes.map(TotpSecret::new)
    }
}
