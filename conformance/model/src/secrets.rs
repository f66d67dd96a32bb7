//! Keyed hashes, digests and random texts. Cheap on purpose: hundreds of services are started one after another.

use hmac::{Hmac, KeyInit, Mac};
use md5::{Digest, Md5};
use sha1::Sha1;
use sha2::Sha256;

const KEY: &[u8] = b"the impostor keeps no real secret";

/// The keyed hash of a password or backup code, as hex.
pub fn hash(text: &str) -> String {
    hex::encode(hmac_sha256(KEY, text.as_bytes()))
}

pub fn hmac_sha1(key: &[u8], message: &[u8]) -> Vec<u8> {
    hmac::<Hmac<Sha1>>(key, message)
}

pub fn hmac_sha256(key: &[u8], message: &[u8]) -> Vec<u8> {
    hmac::<Hmac<Sha256>>(key, message)
}

/// HMAC accepts a key of any length, so this never fails.
fn hmac<M: Mac + KeyInit>(key: &[u8], message: &[u8]) -> Vec<u8> {
    let Ok(mac) = <M as KeyInit>::new_from_slice(key) else { return Vec::new() };
    mac.chain_update(message).finalize().into_bytes().to_vec()
}

pub fn md5(text: &str) -> String {
    hex::encode(Md5::digest(text.as_bytes()))
}

pub fn sha256(text: &str) -> String {
    hex::encode(Sha256::digest(text.as_bytes()))
}

pub fn random_hex(bytes: usize) -> String {
    let mut random = vec![0_u8; bytes];
    rand::fill(random.as_mut_slice());
    hex::encode(random)
}
