//! Limits on all clients together: connections and bytes of bodies. Dropping a permit or a charge gives it back.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bytes::{Buf, Bytes};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::message::Refusal;

/// Limits of a transport; [`Limits::default`] suits a small machine.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// The largest body of a request, in bytes.
    pub body_max: usize,
    /// Connections at a time, over all listeners.
    pub connections_max: NonZeroUsize,
    /// Bytes of bodies at a time, over all connections: requests being read or answered, replies not yet taken.
    pub bytes_max: usize,
    /// How long the head of a request may take, idle time before it included.
    pub head_within: Duration,
    /// How long the body of a request may take.
    pub body_within: Duration,
    /// How long a client may read none of the bytes sent to it.
    pub write_within: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body_max: 1 << 20,
            connections_max: NonZeroUsize::new(10_000).expect("not zero"),
            bytes_max: 256 << 20,
            head_within: Duration::from_secs(60),
            body_within: Duration::from_secs(60),
            write_within: Duration::from_secs(30),
        }
    }
}

#[derive(Debug)]
pub(super) struct Admission {
    /// Free places for connections.
    places: Arc<Semaphore>,
    bytes: AtomicUsize,
    bytes_max: usize,
}

impl Admission {
    pub(super) fn new(connections_max: usize, bytes_max: usize) -> Arc<Self> {
        let places = Arc::new(Semaphore::new(connections_max.min(Semaphore::MAX_PERMITS)));
        Arc::new(Self { places, bytes: AtomicUsize::new(0), bytes_max })
    }

    pub(super) fn connection(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.places).try_acquire_owned().ok()
    }

    pub(super) fn has_room(&self) -> bool {
        self.bytes.load(Ordering::Relaxed) <= self.bytes_max
    }

    pub(super) fn charge(self: &Arc<Self>) -> Charge {
        Charge { admission: Arc::clone(self), bytes: 0 }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BodyError {
    /// The interface answers with this.
    Refused(Refusal),
    /// All bytes of the service are in use.
    Overloaded,
}

#[derive(Debug)]
pub(super) struct Charge {
    admission: Arc<Admission>,
    bytes: usize,
}

impl Charge {
    /// Adds bytes of a request. Fails, and adds none, if they are too many.
    pub(super) fn add(&mut self, bytes: usize) -> Result<(), BodyError> {
        self.add_anyway(bytes);
        if self.admission.has_room() {
            return Ok(());
        }
        self.bytes -= bytes;
        self.admission.bytes.fetch_sub(bytes, Ordering::Relaxed);
        Err(BodyError::Overloaded)
    }

    /// Adds bytes of a finished reply, even beyond the limit: further requests are refused until its client has taken it.
    pub(super) fn add_anyway(&mut self, bytes: usize) {
        self.bytes += bytes;
        self.admission.bytes.fetch_add(bytes, Ordering::Relaxed);
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        self.admission.bytes.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// Bytes of a reply, in use until the last of them is sent.
#[derive(Debug)]
pub(super) struct Charged {
    bytes: Bytes,
    _charge: Charge,
}

impl Charged {
    pub(super) fn new(bytes: Bytes, mut charge: Charge) -> Self {
        charge.add_anyway(bytes.len());
        Self { bytes, _charge: charge }
    }
}

impl Buf for Charged {
    fn remaining(&self) -> usize {
        self.bytes.remaining()
    }

    fn chunk(&self) -> &[u8] {
        self.bytes.chunk()
    }

    fn advance(&mut self, count: usize) {
        self.bytes.advance(count);
    }
}
