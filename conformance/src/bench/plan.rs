//! How a bench goes about it. Decides nothing by itself.

use std::time::Duration;

/// How to go about it.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub(crate) connections: usize,
    pub(crate) threads: usize,
    /// How long each mix is sent as fast as possible before it is measured.
    pub(crate) warm_up: Duration,
    /// How long each mix is measured.
    pub(crate) lasting: Duration,
    /// Requests a second; without it half of what the warm-up reached.
    pub(crate) rate: Option<f64>,
    pub(crate) timeout: Duration,
}
