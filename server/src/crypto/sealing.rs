//! Encrypts secrets that must be read again, such as those shared with authenticators.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

use super::secret::Secret;
use libros_server_system::entropy::Entropy;

super::hides_in_debug!(Sealed, SealingKey);

/// Prefix of a sealed text: the cipher, and the version of the form.
const PREFIX: &str = "xchacha20poly1305:";

/// Bytes of the nonce, which precedes the encrypted bytes.
const NONCE_BYTES: usize = 24;

/// A secret as it is stored.
#[derive(Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(transparent)]
pub(crate) struct Sealed(String);

pub(crate) struct SealingKey(Zeroizing<[u8; 32]>);

impl SealingKey {
    pub(crate) fn new(secret: &Secret, purpose: &str) -> Self {
        Self(Zeroizing::new(secret.derive(purpose)))
    }

    /// Seals bytes for one owner. They cannot be opened for another.
    pub(crate) fn seal(&self, clear: &[u8], owner: &str, entropy: &Entropy) -> Sealed {
        let nonce = entropy.bytes::<NONCE_BYTES>();
        let payload = Payload { msg: clear, aad: owner.as_bytes() };
        let encrypted = self.cipher().encrypt(&XNonce::from(nonce), payload).expect("a few bytes are never too many");
        Sealed(format!("{PREFIX}{}", STANDARD_NO_PAD.encode([&nonce[..], &encrypted].concat())))
    }

    /// Opens bytes sealed for this owner; `None` if they are damaged, or were sealed under another key or for another owner.
    pub(crate) fn open(&self, sealed: &Sealed, owner: &str) -> Option<Zeroizing<Vec<u8>>> {
        let bytes = STANDARD_NO_PAD.decode(sealed.0.strip_prefix(PREFIX)?).ok()?;
        let (nonce, encrypted) = bytes.split_first_chunk::<NONCE_BYTES>()?;
        let payload = Payload { msg: encrypted, aad: owner.as_bytes() };
        self.cipher().decrypt(&XNonce::from(*nonce), payload).ok().map(Zeroizing::new)
    }

    fn cipher(&self) -> XChaCha20Poly1305 {
        XChaCha20Poly1305::new((&*self.0).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(secret: &[u8]) -> SealingKey {
        SealingKey::new(&Secret::from(secret.to_vec()), "tests")
    }

    #[test]
    fn what_is_sealed_opens_under_its_key_and_for_its_owner_alone() {
        let entropy = Entropy::seeded(1);
        let sealed = key(b"one").seal(b"clear", "ana@example.com", &entropy);
        assert_eq!(key(b"one").open(&sealed, "ana@example.com").expect("opens").as_slice(), b"clear");
        assert!(key(b"two").open(&sealed, "ana@example.com").is_none());
        assert!(key(b"one").open(&sealed, "eva@example.com").is_none());
        assert!(sealed != key(b"one").seal(b"clear", "ana@example.com", &entropy), "no two are sealed alike");
    }
}
