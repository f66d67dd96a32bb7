//! The key of every stored keyed hash and sealed secret. Kept in the store, sealed under the operator's secret, so that
//! another secret can take its place without touching a record. Stores nothing itself.

use anyhow::bail;

use crate::crypto::sealing::{Sealed, SealingKey};
use crate::crypto::secret::Secret;
use libros_server_system::entropy::Entropy;

pub(crate) const NAME: &str = "data";

const PURPOSE: &str = "data key";

/// The key, and its sealed form if that must be stored.
#[derive(Debug)]
pub(crate) struct DataKey {
    pub(crate) key: Secret,
    pub(crate) to_store: Option<Sealed>,
}

impl DataKey {
    /// Opens the stored key, or makes a random one for a store without any. `former` is the secret before `current`, given once to
    /// change it. Fails when the stored key was sealed under neither of them.
    pub(crate) fn open(
        stored: Option<&Sealed>,
        current: &Secret,
        former: Option<&Secret>,
        entropy: &Entropy,
    ) -> anyhow::Result<Self> {
        let sealing = SealingKey::new(current, PURPOSE);
        let sealed = |key: Secret| Self { to_store: Some(sealing.seal(key.bytes(), NAME, entropy)), key };
        let Some(stored) = stored else { return Ok(sealed(Secret::random(entropy))) };
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
                tracing::info!(
                    "the secret is being changed: once the server is ready, --former-secret-file is not needed any more"
                );
                Ok(sealed(key))
            }
            None => bail!("neither the secret given nor the one in --former-secret-file decrypts the data"),
        }
    }
}
