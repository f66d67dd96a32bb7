//! Secrets from which keys are derived. The operator's, given or made once and kept beside the data, seals the data key; the data key
//! keys every stored hash.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;

use anyhow::{Context, ensure};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use zeroize::Zeroizing;

use libros_server_system::entropy::Entropy;

super::hides_in_debug!(Secret);

pub(crate) const FILE_NAME: &str = "secret";

/// Fewest bytes taken from an operator: 128 bits.
const MIN_BYTES: usize = 16;

/// The secret. Never shown, never logged, wiped from memory when dropped.
#[derive(Clone)]
pub struct Secret(Zeroizing<Vec<u8>>);

impl From<Vec<u8>> for Secret {
    fn from(bytes: Vec<u8>) -> Self {
        Self(Zeroizing::new(bytes))
    }
}

impl Secret {
    /// A secret that the operator gave; trailing line ends do not count. Fails when fewer than 16 bytes are left.
    fn given(bytes: &[u8]) -> anyhow::Result<Self> {
        let end = bytes.iter().rposition(|byte| !matches!(byte, b'\n' | b'\r')).map_or(0, |last| last + 1);
        ensure!(
            end >= MIN_BYTES,
            "the secret has {end} bytes, but needs at least {MIN_BYTES}: make one with `openssl rand -hex 32`"
        );
        Ok(Self::from(bytes[..end].to_vec()))
    }

    /// The secret in a file of the operator's. Fails when the file cannot be read or holds fewer than 16 bytes.
    pub(crate) fn from_file(path: &Path) -> anyhow::Result<Self> {
        let bytes = fs::read(path).map(Zeroizing::new);
        let bytes = bytes.with_context(|| format!("the secret file {} cannot be read", path.display()))?;
        Self::given(&bytes).with_context(|| format!("secret file {}", path.display()))
    }

    /// A new secret: 256 random bits as 64 hex digits.
    pub fn random(entropy: &Entropy) -> Self {
        Self::from(entropy.hex::<32>().into_bytes())
    }

    /// The secret in LIBROS_SECRET, unchecked. No option takes it, since other users can see a command line.
    pub(crate) fn in_environment() -> Option<Self> {
        // rule: login/secret-configurable
        Some(Self::from(std::env::var_os("LIBROS_SECRET")?.into_encoded_bytes()))
    }

    /// The secret that the operator chose: the file wins over the environment. Fails when it cannot be read or has fewer than 16 bytes.
    pub(crate) fn chosen(file: Option<&Path>, given: Option<&Self>) -> anyhow::Result<Option<Self>> {
        match (file, given) {
            (Some(file), _) => Self::from_file(file).map(Some),
            (None, Some(given)) => Self::given(&given.0).map(Some).context("the variable LIBROS_SECRET"),
            (None, None) => Ok(None),
        }
    }

    /// Reads the secret in `folder`, if there is one. Fails if its file exists and cannot be read.
    pub(crate) fn kept_in(folder: &Path) -> anyhow::Result<Option<Self>> {
        let path = folder.join(FILE_NAME);
        let about = fs::metadata(&path);
        if about.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
            return Ok(None);
        }
        if about.is_ok_and(|about| about.permissions().mode() & 0o077 != 0) {
            tracing::warn!("{} can be read by others than its owner: chmod 600 it", path.display());
        }
        Self::from_file(&path).map(Some)
    }

    /// Writes the secret to a file in `folder` that only its owner may read. Fails if that cannot be made.
    pub(crate) fn keep_in(&self, folder: &Path) -> anyhow::Result<()> {
        let path = folder.join(FILE_NAME);
        self.write(folder, &path).with_context(|| format!("the secret cannot be kept in {}", path.display()))?;
        tracing::info!("the secret is kept in {}", path.display());
        Ok(())
    }

    /// Writes the whole file before it names it, so that a crash leaves all of it or nothing.
    fn write(&self, folder: &Path, path: &Path) -> io::Result<()> {
        let unfinished = folder.join(format!("{FILE_NAME}.new"));
        let _ = fs::remove_file(&unfinished);
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&unfinished)?;
        file.write_all(&self.0)?;
        file.sync_all()?;
        fs::rename(&unfinished, path)?;
        File::open(folder)?.sync_all()
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// A key for one purpose; a key reveals nothing about those of other purposes, or the secret.
    pub(crate) fn derive(&self, purpose: &str) -> [u8; 32] {
        keyed_hash(&self.0, &[purpose.as_bytes()])
    }
}

/// HMAC-SHA256 of `parts` under `key`; the boundaries between parts count.
pub(crate) fn keyed_hash(key: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes a key of any length");
    for part in parts {
        mac.update(&(part.len() as u64).to_be_bytes());
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kept_secret_comes_back_and_only_its_owner_may_read_it() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(Secret::kept_in(folder.path()).expect("none yet").is_none());
        let made = Secret::random(&Entropy::system());
        made.keep_in(folder.path()).expect("made");
        let read = Secret::kept_in(folder.path()).expect("read").expect("there");
        assert_eq!(made.0, read.0);
        assert_eq!(made.0.len(), 64);
        let mode = fs::metadata(folder.path().join(FILE_NAME)).expect("there").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[test]
    fn a_given_secret_loses_its_line_end_and_must_be_long_enough() {
        assert_eq!(Secret::given(b"0123456789abcdef\r\n").expect("long enough").0.len(), 16);
        for short in ["", "\n", "0123456789abcde", "0123456789abcde\n"] {
            assert!(Secret::given(short.as_bytes()).is_err(), "{short:?}");
        }
    }

    #[test]
    fn keys_differ_by_purpose_and_by_secret() {
        let (a, b) = (Secret::from(b"a".to_vec()), Secret::from(b"b".to_vec()));
        assert_eq!(a.derive("x"), a.derive("x"));
        assert_ne!(a.derive("x"), a.derive("y"));
        assert_ne!(a.derive("x"), b.derive("x"));
        assert_ne!(keyed_hash(b"k", &[b"ab", b"c"]), keyed_hash(b"k", &[b"a", b"bc"]), "where a part ends counts");
        assert_eq!(format!("{a:?}"), "Secret(..)");
    }
}
