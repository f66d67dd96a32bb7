//! The random numbers of a simulation. Uses no others.

use std::time::Duration;

use libros_server_system::entropy::Entropy;

/// Numbers that repeat themselves from the same seed.
#[derive(Clone)]
pub(super) struct Dice(pub(super) Entropy);

impl Dice {
    pub(super) fn below(&self, end: usize) -> usize {
        u32::from_le_bytes(self.0.bytes()) as usize % end
    }

    pub(super) fn up_to_ms(&self, most: usize) -> Duration {
        Duration::from_millis(self.below(most) as u64)
    }
}
