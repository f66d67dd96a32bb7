//! Time-based one-time codes (RFC 6238 over RFC 4226, HMAC-SHA1). The caller passes the time.

use sha1::block_api::compress;
use subtle::{Choice, ConstantTimeEq};
use zeroize::Zeroize;

super::hides_in_debug!(TotpSecret);

// rule: codes/step
pub(crate) const STEP_S: u64 = 30;

pub(crate) const DIGITS: usize = 6;

/// One more than the largest code.
// rule: codes/digits
const CODES: u32 = 1_000_000;

pub(crate) const SECRET_BYTES: usize = 20;

/// SHA-1's state before the first block (FIPS 180-4, 5.3.1).
const START: [u32; 5] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0];

/// Bytes that SHA-1 takes at a time.
const BLOCK: usize = 64;

/// The secret shared with an authenticator, and HMAC's states after its key: a code then costs two compressions of SHA-1, not four.
#[derive(Clone)]
pub struct TotpSecret {
    pub(crate) bytes: [u8; SECRET_BYTES],
    inner: [u32; 5],
    outer: [u32; 5],
}

impl TotpSecret {
    /// The secret of these 20 bytes.
    pub fn new(bytes: [u8; SECRET_BYTES]) -> Self {
        Self {
            bytes,
            // rule: codes/key
            inner: keyed_state(&bytes, 0x36),
            outer: keyed_state(&bytes, 0x5c),
        }
    }

    /// The secret as its user sees it, once: 40 lower-case hex digits.
    pub(crate) fn hex(&self) -> String {
        hex::encode(self.bytes)
    }

    /// The codes of several steps. Every block is laid out before the first is hashed, and every inner hash done before
    /// the first outer one: neighbours do not wait for each other, and the processor works on both.
    fn codes_at<const N: usize>(&self, steps: [u64; N]) -> [u32; N] {
        // rule: codes/algorithm
        let inner = each_after([self.inner; N], &steps.map(counter_block));
        each_after([self.outer; N], &inner.map(digest_block)).map(truncate)
    }

    /// Whether `code` belongs to the step at `now_s` (seconds since 1970), to the one before or to the one after.
    ///
    /// Only six ASCII digits match. It takes the same time whichever step matches, or none.
    pub fn is_right(&self, code: &str, now_s: u64) -> bool {
        let Some(code) = code.parse::<u32>().ok().filter(|_| has_form(code)) else { return false };
        let now = now_s / STEP_S;
        // rule: codes/previous-step, codes/next-step, codes/too-old, codes/too-early, codes/replay
        let steps = [now.saturating_sub(1), now, now.saturating_add(1)];
        let mut right = Choice::from(0);
        for of_step in self.codes_at(steps) {
            right |= of_step.ct_eq(&code);
        }
        right.into()
    }
}

impl Drop for TotpSecret {
    fn drop(&mut self) {
        self.bytes.zeroize();
        self.inner.zeroize();
        self.outer.zeroize();
    }
}

/// Whether a text has the form of a code: exactly six ASCII digits.
pub(crate) fn has_form(text: &str) -> bool {
    // rule: codes/other-lengths, codes/token-spaces
    text.len() == DIGITS && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// SHA-1's state after HMAC's first block: the key, padded and mixed with `pad`.
fn keyed_state(key: &[u8; SECRET_BYTES], pad: u8) -> [u32; 5] {
    let mut block = [pad; BLOCK];
    for (byte, key) in block.iter_mut().zip(key) {
        *byte ^= key;
    }
    let mut state = START;
    compress(&mut state, &[block]);
    block.zeroize();
    state
}

/// Compresses one block into each state.
fn each_after<const N: usize>(mut states: [[u32; 5]; N], blocks: &[[u8; BLOCK]; N]) -> [[u32; 5]; N] {
    for (state, block) in states.iter_mut().zip(blocks) {
        compress(state, std::slice::from_ref(block));
    }
    states
}

/// The last block of a message that is a counter, the key's block standing before it.
fn counter_block(counter: u64) -> [u8; BLOCK] {
    block(u128::from(counter) << 64 | END << 56, 0, 8)
}

/// The last block of a message that is a digest, the key's block standing before it.
fn digest_block(digest: [u32; 5]) -> [u8; BLOCK] {
    let [a, b, c, d, e] = digest.map(u128::from);
    block(a << 96 | b << 64 | c << 32 | d, e << 96 | END << 88, SECRET_BYTES)
}

/// The byte that ends a message in SHA-1's padding.
const END: u128 = 0x80;

/// A block of 32 bytes, zeros, and the length in bits of `len` bytes and the block before it. Writes wide pieces, as SHA-1 reads them:
/// narrow ones would have to be gathered first.
fn block(first: u128, second: u128, len: usize) -> [u8; BLOCK] {
    let mut block = [0; BLOCK];
    block[..16].copy_from_slice(&first.to_be_bytes());
    block[16..32].copy_from_slice(&second.to_be_bytes());
    block[48..].copy_from_slice(&((BLOCK + len) as u128 * 8).to_be_bytes());
    block
}

/// RFC 4226, 5.3: 31 bits from where the last four bits point to, as six digits.
fn truncate(digest: [u32; 5]) -> u32 {
    let at = usize::try_from(digest[4] & 0xf).unwrap_or_default();
    // The four bytes lie within two neighbouring words, of which the first is never the last of all.
    let (word, bits) = (at / 4, at % 4 * 8);
    let wide = u64::from(digest[word]) << 32 | u64::from(digest[word + 1]);
    let four = (wide >> (32 - bits)) & 0x7fff_ffff;
    u32::try_from(four).unwrap_or_default() % CODES
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use totp_rs::{Algorithm, Builder};

    use super::*;

    impl TotpSecret {
        fn code_at(&self, step: u64) -> u32 {
            self.codes_at([step])[0]
        }
    }

    #[test]
    fn the_first_and_the_last_step_of_time_do_not_overflow() {
        let secret = TotpSecret::new(*b"12345678901234567890");
        assert!(secret.is_right("755224", 0));
        assert!(!secret.is_right("755225", u64::MAX));
    }

    proptest! {
        /// The crate `totp-rs` shares no code with this file but SHA-1 itself.
        #[test]
        fn codes_and_verdicts_are_those_of_totp_rs(bytes in any::<[u8; SECRET_BYTES]>(), now_s in 60_u64..=20_000_000_000, off_s in -95_i64..=95) {
            let theirs = Builder::new()
                .with_algorithm(Algorithm::SHA1)
                .with_skew(1)
                .with_secret(bytes.to_vec())
                .build_noncompliant();
            let ours = TotpSecret::new(bytes);
            let token = theirs.generate(now_s.saturating_add_signed(off_s)).to_string();
            prop_assert_eq!(ours.is_right(&token, now_s), theirs.check(&token, now_s).is_some());
            prop_assert_eq!(format!("{:06}", ours.code_at(now_s / STEP_S)), theirs.generate(now_s).to_string());
        }
    }
}
