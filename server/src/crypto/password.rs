//! Passwords: Argon2id with a salt for each user and a key of the server. Slow on purpose; `auth::passwords` has the threads for it.

use std::fmt;
use std::str::FromStr;

use argon2::{
    Algorithm, Argon2, KeyId, Params, ParamsBuilder, PasswordHasher, PasswordVerifier, Version, password_hash,
};
use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

use crate::crypto::secret::Secret;

super::hides_in_debug!(PasswordHash, PasswordKeeper);

/// A password's hash: a PHC text with algorithm, cost, key id, salt and hash.
#[derive(Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(transparent)]
pub(crate) struct PasswordHash(String);

/// The cost of one hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cost {
    /// Memory, in KiB: at least 8 for each lane.
    pub memory_kib: u32,
    /// Passes over it: at least 1.
    pub passes: u32,
    /// Lanes: 1 to 2^24 - 1.
    pub lanes: u32,
}

impl Default for Cost {
    /// The least that OWASP recommends for Argon2id: 19 MiB, 2 passes, 1 lane.
    fn default() -> Self {
        Self { memory_kib: 19 * 1024, passes: 2, lanes: 1 }
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{},{}", self.memory_kib, self.passes, self.lanes)
    }
}

impl FromStr for Cost {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const BAD: &str = "give memory in KiB (at least 8 a lane), passes and lanes, as in `19456,2,1`";
        let numbers: Result<Vec<u32>, _> = text.split(',').map(|number| number.trim().parse()).collect();
        let Ok(&[memory_kib, passes, lanes]) = numbers.as_deref() else { return Err(BAD) };
        Params::new(memory_kib, passes, lanes, None).map_err(|_| BAD)?;
        Ok(Self { memory_kib, passes, lanes })
    }
}

/// Hashes and checks passwords under one key. Costs tens of milliseconds a call, by design.
pub(crate) struct PasswordKeeper {
    key: Zeroizing<[u8; 32]>,
    params: Params,
}

/// Hashing failed, or a stored hash cannot be read; the cause names neither password nor hash.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a password could not be hashed or compared: {0}")]
pub(crate) struct HashingFailed(String);

impl PasswordKeeper {
    /// A keeper whose key is derived from the server's secret; new hashes cost `cost`. Fails when Argon2 does not take the cost.
    pub(crate) fn new(secret: &Secret, cost: Cost) -> Result<Self, HashingFailed> {
        let key_id = KeyId::new(&secret.derive("password key id")[..KeyId::MAX_LEN]).map_err(failed)?;
        let params = ParamsBuilder::new()
            .m_cost(cost.memory_kib)
            .t_cost(cost.passes)
            .p_cost(cost.lanes)
            .keyid(key_id)
            .build()
            .map_err(failed)?;
        Ok(Self { key: Zeroizing::new(secret.derive("password key")), params })
    }

    /// The hash of `password` under a salt that no other user has. Fails when there is no memory for it.
    pub(crate) fn hash(&self, password: &str, salt: [u8; 16]) -> Result<PasswordHash, HashingFailed> {
        // rule: login/password-hashed
        self.argon2()?
            .hash_password_with_salt(password.as_bytes(), &salt)
            .map(|hash| PasswordHash(hash.to_string()))
            .map_err(failed)
    }

    /// Whether `hash` is that of `password`, at the cost that it names, in constant time. Fails for an unreadable hash, and without memory.
    pub(crate) fn is_right(&self, password: &str, hash: &PasswordHash) -> Result<bool, HashingFailed> {
        // rule: login/password-exact
        match self.argon2()?.verify_password(password.as_bytes(), hash.0.as_str()) {
            Ok(()) => Ok(true),
            Err(password_hash::Error::PasswordInvalid) => Ok(false),
            Err(error) => Err(failed(error)),
        }
    }

    fn argon2(&self) -> Result<Argon2<'_>, HashingFailed> {
        let params = self.params.clone();
        Argon2::new_with_secret(self.key.as_slice(), Algorithm::Argon2id, Version::V0x13, params).map_err(failed)
    }
}

fn failed(error: impl fmt::Display) -> HashingFailed {
    HashingFailed(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHEAP: Cost = Cost { memory_kib: 8, passes: 1, lanes: 1 };

    fn keeper(secret: &str, cost: Cost) -> PasswordKeeper {
        PasswordKeeper::new(&Secret::from(secret.as_bytes().to_vec()), cost).expect("a possible cost")
    }

    #[test]
    fn another_key_recognises_nothing() {
        let (ours, theirs) = (keeper("s", CHEAP), keeper("t", CHEAP));
        let hash = ours.hash("p", [1; 16]).expect("hashed");
        assert_ne!(ours.hash("p", [2; 16]).as_ref(), Ok(&hash), "another salt gives another hash");
        assert_eq!(theirs.is_right("p", &hash), Ok(false));
        assert!(ours.is_right("p", &PasswordHash("$argon2id$".to_owned())).is_err(), "a damaged hash is an error");
    }

    #[test]
    fn the_hash_is_argon2id_at_the_cost_asked_for_which_it_outlives() {
        let hash = keeper("s", Cost::default()).hash("p", [1; 16]).expect("hashed");
        assert!(hash.0.starts_with("$argon2id$v=19$m=19456,t=2,p=1,keyid="), "{}", hash.0);
        assert_eq!(keeper("s", CHEAP).is_right("p", &hash), Ok(true));
    }

    #[test]
    fn costs_are_read_and_written_the_same() {
        assert_eq!("19456,2,1".parse(), Ok(Cost::default()));
        assert_eq!(Cost::default().to_string(), "19456,2,1");
        for bad in ["", "1", "7,1,1", "8,0,1", "8,1,0", "8,1,1,1", "a,b,c", "8,1,2", "-8,1,1"] {
            assert!(bad.parse::<Cost>().is_err(), "{bad}");
        }
    }
}
