//! Randomness: the only file that uses a random number generator.

use std::sync::{Arc, Mutex, PoisonError};

use rand::rngs::{StdRng, SysRng};
use rand::{Rng, SeedableRng, TryRng};

/// A source of random bytes; clones share it.
#[derive(Debug, Clone)]
pub struct Entropy {
    /// `None` for the operating system's generator.
    seeded: Option<Arc<Mutex<StdRng>>>,
}

impl Entropy {
    /// The operating system's generator: for everything that must not be guessed.
    pub fn system() -> Self {
        Self { seeded: None }
    }

    /// A generator that repeats itself from the same seed: for tests.
    pub fn seeded(seed: u64) -> Self {
        Self { seeded: Some(Arc::new(Mutex::new(StdRng::seed_from_u64(seed)))) }
    }

    /// `N` random bytes. Panics when the operating system gives none: a secret must not be made of anything else.
    pub fn bytes<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        if let Some(generator) = &self.seeded {
            generator.lock().unwrap_or_else(PoisonError::into_inner).fill_bytes(&mut bytes);
        } else if let Err(error) = SysRng.try_fill_bytes(&mut bytes) {
            panic!("the operating system gives no random bytes: {error}");
        }
        bytes
    }

    /// `N` random bytes as `2 * N` lower-case hex digits.
    pub fn hex<const N: usize>(&self) -> String {
        hex::encode(self.bytes::<N>())
    }
}
