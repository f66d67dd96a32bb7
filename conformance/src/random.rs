//! The only file that rolls dice: names that no earlier run has used, and seeds for a run that was given none.
//!
//! Never decides what a case asks: generated cases draw from the run's seed alone, so that a seed replays them.

use rand::Rng as _;

/// A fresh seed, for a run that was given none.
pub fn seed() -> u64 {
    // Small enough to be typed again by hand.
    rand::rng().next_u64() % 1_000_000_000
}

/// Eight lowercase hex digits that tell one run's names from every other run's.
pub fn nonce() -> String {
    format!("{:08x}", rand::rng().next_u32())
}
