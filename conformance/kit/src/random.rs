//! The only file of the kit that uses randomness: names that no earlier run has used, and fresh seeds.
//!
//! Decides nothing else that a case sends: generated cases draw from the run's seed, so that a seed replays them.

use rand::Rng as _;

pub fn seed() -> u64 {
    // Short enough to be typed again by hand.
    rand::rng().next_u64() % 1_000_000_000
}

/// Eight lowercase hex digits that distinguish the names of this run.
pub fn nonce() -> String {
    format!("{:08x}", rand::rng().next_u32())
}
