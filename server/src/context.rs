//! What handlers are given from outside: time and randomness. Decides nothing.

mod shared_clock;

use libros_server_system::{clock::Clock, entropy::Entropy};

pub(crate) use shared_clock::SharedClock;

#[derive(Debug, Clone)]
pub(crate) struct Context {
    pub(crate) clock: Clock,
    pub(crate) entropy: Entropy,
}
