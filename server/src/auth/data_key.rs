//! The key of every stored keyed hash and sealed secret. Kept in the store, sealed under the operator's secret, so that
//! another secret can take its place without touching a record. Stores nothing itself.

use anyhow::bail;

use crate::crypto::sealing::{Sealed, SealingKey};
use crate::crypto::secret::Secret;
use libros_server_system::entropy::Entropy;

pub(crate) const NAME: &str = "data";

const PURPOSE: &str = "data key";

#[derive(Debug, Clone)]
pub(crate) struct OperatorSecrets {
    pub(crate) current: Secret,
    /// The one before it, given once to change it.
    pub(crate) former: Option<Secret>,
}

/// The key, and how it is to be stored from now on; `None` where it is stored so already.
#[derive(Debug)]
pub(crate) struct DataKey {
    pub(crate) key: Secret,
    pub(crate) to_store: Option<Sealed>,
}

impl DataKey {
    /// The key that a store holds, or the one it gets: a random one for an empty store. Where an earlier version hashed under the
    /// operator's secret itself, that stays the key. Fails when the stored key was sealed under none of the secrets given.
    pub(crate) fn open(
        stored: Option<&Sealed>,
        has_users: bool,
        secrets: &OperatorSecrets,
        entropy: &Entropy,
    ) -> anyhow::Result<Self> {
        let OperatorSecrets { current, former } = secrets;
        let sealing = SealingKey::new(current, PURPOSE);
        let sealed = |key: Secret| Self { to_store: Some(sealing.seal(key.bytes(), NAME, entropy)), key };
        let Some(stored) = stored else {
            let key = if has_users { former.as_ref().unwrap_or(current).clone() } else { Secret::random(entropy) };
            return Ok(sealed(key));
        };
        let opened = |sealing: &SealingKey| sealing.open(stored, NAME).map(|bytes| Secret::from(bytes.to_vec()));
        if let Some(key) = opened(&sealing) {
            return Ok(Self { key, to_store: None });
        }
        let Some(former) = former else {
            bail!(
                "the data was written under another secret than this one (of --secret-file, else of LIBROS_SECRET, else of the \
                 file `secret` beside the data). Give that one with --secret-file; to change it, give the new one with \
                 --secret-file and that one with --former-secret-file"
            );
        };
        match opened(&SealingKey::new(former, PURPOSE)) {
            Some(key) => {
                tracing::info!("the secret was changed: --former-secret-file is not needed any more");
                Ok(sealed(key))
            }
            None => bail!("the data was written under neither the secret given nor the one in --former-secret-file"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secrets(current: &str, former: Option<&str>) -> OperatorSecrets {
        let secret = |text: &str| Secret::from(text.as_bytes().to_vec());
        OperatorSecrets { current: secret(current), former: former.map(secret) }
    }

    fn open(stored: Option<&Sealed>, has_users: bool, secrets: &OperatorSecrets) -> anyhow::Result<DataKey> {
        DataKey::open(stored, has_users, secrets, &Entropy::system())
    }

    #[test]
    fn the_secret_of_an_earlier_version_stays_the_key() {
        for secrets in [secrets("one", None), secrets("two", Some("one"))] {
            let migrated = open(None, true, &secrets).expect("migrated");
            let stored = migrated.to_store.expect("to be stored");
            let key = open(Some(&stored), true, &secrets).expect("opens").key;
            assert_eq!((migrated.key.bytes(), key.bytes()), (&b"one"[..], &b"one"[..]));
        }
    }
}
