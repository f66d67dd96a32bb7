//! How much of the limits is in use: connections and bytes of bodies, each given back when what held them is dropped.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::{Buf, Bytes};

/// Connections and bytes in use, and their limits.
#[derive(Debug)]
pub(super) struct Admission {
    connections: AtomicUsize,
    connections_max: usize,
    bytes: AtomicUsize,
    bytes_max: usize,
}

impl Admission {
    pub(super) fn new(connections_max: usize, bytes_max: usize) -> Arc<Self> {
        Arc::new(Self { connections: AtomicUsize::new(0), connections_max, bytes: AtomicUsize::new(0), bytes_max })
    }

    /// A place for one connection; `None` when all are taken.
    pub(super) fn connection(self: &Arc<Self>) -> Option<Place> {
        let place = Place(Arc::clone(self));
        // A refused one takes its place for an instant, which lets in too few at worst.
        let before = self.connections.fetch_add(1, Ordering::Relaxed);
        (before < self.connections_max).then_some(place)
    }

    /// Whether no more bytes are in use than may be.
    pub(super) fn has_room(&self) -> bool {
        self.bytes.load(Ordering::Relaxed) <= self.bytes_max
    }

    pub(super) fn charge(self: &Arc<Self>) -> Charge {
        Charge { admission: Arc::clone(self), bytes: 0 }
    }
}

#[derive(Debug)]
pub(super) struct Place(Arc<Admission>);

impl Drop for Place {
    fn drop(&mut self) {
        self.0.connections.fetch_sub(1, Ordering::Relaxed);
    }
}

/// There are as many bytes in use as may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Overloaded;

#[derive(Debug)]
pub(super) struct Charge {
    admission: Arc<Admission>,
    bytes: usize,
}

impl Charge {
    /// Adds bytes of a request, or none of them when they are too many.
    pub(super) fn add(&mut self, bytes: usize) -> Result<(), Overloaded> {
        self.add_anyway(bytes);
        if self.admission.has_room() {
            return Ok(());
        }
        self.bytes -= bytes;
        self.admission.bytes.fetch_sub(bytes, Ordering::Relaxed);
        Err(Overloaded)
    }

    /// Adds bytes of a reply, which is there already: those who ask next wait for it to be taken.
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
