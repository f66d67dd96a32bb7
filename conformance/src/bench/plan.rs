//! How a bench goes about it. Decides nothing by itself.

use std::time::Duration;

use crate::bench::load_rate::LoadRate;

/// How to go about it.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub(crate) connections: usize,
    /// No more than connections.
    pub(crate) threads: usize,
    /// How long each mix is sent as fast as possible before it is measured.
    pub(crate) warm_up: Duration,
    /// How long each mix is measured.
    pub(crate) lasting: Duration,
    /// Without it half of what the warm-up reached.
    pub(crate) rate: Option<LoadRate>,
    pub(crate) timeout: Duration,
}
