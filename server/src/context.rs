//! What handlers are given from outside: time, chance and the way to the disk. Decides nothing.

use crate::clock::Clock;
use crate::entropy::Entropy;
use crate::store::Journal;

/// Time, chance and the journal; clones share all three.
#[derive(Debug, Clone)]
pub struct Context {
    /// The service's now.
    pub clock: Clock,
    /// Random bytes.
    pub entropy: Entropy,
    /// Where changes become durable.
    pub journal: Journal,
}
