//! What clients may cost: connections, bytes, time. Decides nothing but the numbers.

use std::time::Duration;

/// Limits of a transport; [`Limits::default`] suits a small machine.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// The largest body of a request, in bytes.
    pub body_max: usize,
    /// Connections at a time, over all listeners.
    pub connections_max: usize,
    /// Bytes of bodies at a time, over all connections: requests being read or answered, replies not yet taken.
    pub bytes_max: usize,
    /// How long the head of a request may take, idle time before it included.
    pub head_within: Duration,
    /// How long the body of a request may take.
    pub body_within: Duration,
    /// How long a client may take none of the bytes sent to it.
    pub write_within: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body_max: 1 << 20,
            connections_max: 10_000,
            bytes_max: 256 << 20,
            head_within: Duration::from_secs(60),
            body_within: Duration::from_secs(60),
            write_within: Duration::from_secs(30),
        }
    }
}
