//! What handlers are given from outside: time and randomness. Decides nothing.

use crate::clock::Clock;
use crate::entropy::Entropy;

/// Time and randomness; clones share both.
#[derive(Debug, Clone)]
pub struct Context {
    /// The service's now.
    pub clock: Clock,
    /// Random bytes.
    pub entropy: Entropy,
}
