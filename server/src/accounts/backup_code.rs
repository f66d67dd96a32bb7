//! Backup codes: eight at a time, each valid for one login. Only their keyed hashes are stored.

use serde::{Deserialize, Serialize};
use subtle::{Choice, ConstantTimeEq};
use zeroize::Zeroizing;

use crate::crypto::fingerprint::Fingerprint;
use crate::crypto::secret::{Secret, keyed_hash};
use libros_server_system::clock::Timestamp;

crate::crypto::hides_in_debug!(CodeHasher);

/// Codes in one issue.
// rule: backup-codes/count
pub(crate) const ISSUED: usize = 8;

pub(crate) const CODE_CHARS: usize = 10;

/// Random bytes of a code: two hex digits each.
const CODE_BYTES: usize = CODE_CHARS / 2;

/// A code as it is stored. Source: catalogue-service, "Two-factor record".
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BackupCode {
    pub(crate) code: Fingerprint,
    pub(crate) used: bool,
    pub(crate) used_at: Option<Timestamp>,
}

/// Hashes codes under a key of the server: brute force would find 40 random bits without one.
pub(crate) struct CodeHasher(Zeroizing<[u8; 32]>);

impl CodeHasher {
    pub(crate) fn new(secret: &Secret) -> Self {
        Self(Zeroizing::new(secret.derive("backup codes")))
    }

    /// The hash of `code` for the user `user_id`; the same code of two users has two hashes.
    pub(crate) fn hash(&self, user_id: &str, code: &str) -> Fingerprint {
        // rule: backup-codes/stored-hashed
        Fingerprint(keyed_hash(&*self.0, &[user_id.as_bytes(), code.as_bytes()]))
    }

    /// Makes new codes for the user from `random`; returns them, to be shown once, and their hashes.
    pub(crate) fn issue(&self, user_id: &str, random: [u8; ISSUED * CODE_BYTES]) -> (Vec<String>, Vec<BackupCode>) {
        // rule: backup-codes/form
        let shown: Vec<String> = random.chunks_exact(CODE_BYTES).map(hex::encode_upper).collect();
        let kept = |code: &String| BackupCode { code: self.hash(user_id, code), used: false, used_at: None };
        let kept = shown.iter().map(kept).collect();
        (shown, kept)
    }
}

/// Whether a text has the form of a backup code: ten characters of A-Z and 0-9.
pub(crate) fn has_form(text: &str) -> bool {
    // rule: backup-codes/ten-digits, backup-codes/lower-case
    text.len() == CODE_CHARS && text.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
}

/// Uses up the code with this hash; returns `false` if no unused code has it. Compares every code, so its time reveals nothing.
pub(crate) fn redeem(codes: &mut [BackupCode], hash: Fingerprint, now: Timestamp) -> bool {
    let mut is_found = false;
    for code in codes {
        // rule: backup-codes/single-use
        let fits = code.code.ct_eq(&hash) & Choice::from(u8::from(!code.used && !is_found));
        // rule: backup-codes/others-stay
        if bool::from(fits) {
            // rule: backup-codes/used-at
            (code.used, code.used_at) = (true, Some(now));
            is_found = true;
        }
    }
    is_found
}
