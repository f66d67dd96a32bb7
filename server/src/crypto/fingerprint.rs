//! The stored form of a secret that the server only has to recognise: a 32-byte hash, never the secret.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use hex::{FromHex, FromHexError};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// A 32-byte hash of a secret. Comparing two takes the same time wherever they differ.
#[derive(Clone, Copy, Deserialize, Serialize)]
#[serde(transparent)]
pub(crate) struct Fingerprint(#[serde(with = "hex")] pub(crate) [u8; 32]);

impl Fingerprint {
    /// The SHA-256 of a secret of 128 random bits or more. Not for passwords or short codes, which brute force would find.
    pub(crate) fn of(secret: &[u8]) -> Self {
        Self(Sha256::digest(secret).into())
    }

    fn words(&self) -> [u64; 4] {
        let (words, _) = self.0.as_chunks();
        std::array::from_fn(|at| u64::from_ne_bytes(words[at]))
    }
}

impl FromStr for Fingerprint {
    type Err = FromHexError;

    fn from_str(text: &str) -> Result<Self, FromHexError> {
        FromHex::from_hex(text).map(Self)
    }
}

/// 64 lower-case hex digits: the key under which a record is stored.
impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl ConstantTimeEq for Fingerprint {
    fn ct_eq(&self, other: &Self) -> subtle::Choice {
        let [a, b, c, d] = self.words();
        let [e, f, g, h] = other.words();
        // One comparison of all bytes: an early end would reveal how many agree.
        ((a ^ e) | (b ^ f) | (c ^ g) | (d ^ h)).ct_eq(&0)
    }
}

impl PartialEq for Fingerprint {
    fn eq(&self, other: &Self) -> bool {
        self.ct_eq(other).into()
    }
}

impl Eq for Fingerprint {}

impl Hash for Fingerprint {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // A part is enough: every bit of a hash depends on the whole secret.
        state.write_u64(self.words()[0]);
    }
}

impl fmt::Debug for Fingerprint {
    /// Shows only the beginning: enough to distinguish hashes in a log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fingerprint({}..)", hex::encode(&self.0[..4]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_sha_256_of_the_secret_of_which_debug_shows_a_beginning() {
        let abc = Fingerprint::of(b"abc");
        assert_eq!(abc.to_string(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(format!("{abc:?}"), "Fingerprint(ba7816bf..)");
    }
}
