//! Codes of the second factor: what has the form of one, and the time-based code of a step.

use crate::secrets;

/// Whether a token has the form of a time-based code: exactly 6 digits.
pub fn is_time_based(token: &str) -> bool {
    token.len() == 6 && token.bytes().all(|b| b.is_ascii_digit())
}

/// Whether a token has the form of a backup code: exactly 10 characters of A-Z and 0-9.
pub fn is_backup(token: &str) -> bool {
    token.len() == 10 && token.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit())
}

/// RFC 4226: six digits of the keyed digest over the number of the step.
pub fn of_step(key: &[u8], step: i64, mac: fn(&[u8], &[u8]) -> Vec<u8>) -> u32 {
    let digest = mac(key, &step.to_be_bytes());
    let offset = usize::from(digest.last().copied().unwrap_or(0) & 0x0f);
    let word = digest.get(offset..offset + 4).unwrap_or(&[0; 4]);
    let number = word.iter().fold(0_u32, |number, byte| number << 8 | u32::from(*byte)) & 0x7fff_ffff;
    number % 1_000_000
}

/// Random backup codes, of two digits a byte.
pub fn new_backup_codes(count: usize, bytes: usize) -> Vec<String> {
    (0..count).map(|_| secrets::random_hex(bytes).to_uppercase()).collect()
}
