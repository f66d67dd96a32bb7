//! What handlers are given from outside: time and randomness. Decides nothing.

mod shared_clock;

use crate::clock::Clock;
use crate::entropy::Entropy;

pub(crate) use shared_clock::SharedClock;

/// Time and randomness; clones share both.
#[derive(Debug, Clone)]
pub(crate) struct Context {
    pub(crate) clock: Clock,
    pub(crate) entropy: Entropy,
}
