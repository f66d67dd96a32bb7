//! The settings of a bench.

use std::time::Duration;

use crate::bench::load_rate::LoadRate;

#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub(crate) connections: usize,
    /// At most as many as connections.
    pub(crate) threads: usize,
    /// How long requests are sent as fast as possible before the measurement.
    pub(crate) warm_up: Duration,
    pub(crate) lasting: Duration,
    /// `None`: half of the rate that the warm-up reached.
    pub(crate) rate: Option<LoadRate>,
    pub(crate) timeout: Duration,
}
