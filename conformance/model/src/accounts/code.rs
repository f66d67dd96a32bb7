//! Codes of the second factor: the time-based code of a step, and random ones.

use crate::secrets;

/// RFC 4226: six digits of the keyed digest over the number of the step.
pub fn of_step(key: &[u8], step: i64, mac: fn(&[u8], &[u8]) -> Vec<u8>) -> u32 {
    let digest = mac(key, &step.to_be_bytes());
    let offset = usize::from(digest.last().copied().unwrap_or(0) & 0x0f);
    let word = digest.get(offset..offset + 4).unwrap_or(&[0; 4]);
    let number = word.iter().fold(0_u32, |number, byte| number << 8 | u32::from(*byte)) & 0x7fff_ffff;
    number % 1_000_000
}

/// Random backup codes; each byte gives two digits.
pub fn new_backup_codes(count: usize, bytes: usize) -> Vec<String> {
    (0..count).map(|_| secrets::random_hex(bytes).to_uppercase()).collect()
}
