//! Requests prepared for a target, and over how many connections to send them.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use crate::bench::connection::place;
use crate::bench::mix::Prepared;
use crate::bench::plan::Plan;

pub(super) struct Load {
    pub(super) prepared: Prepared,
    /// Never empty.
    pub(super) places: Vec<SocketAddr>,
    pub(super) connections: usize,
    pub(super) threads: usize,
    pub(super) timeout: Duration,
}

impl Load {
    pub(super) fn new(prepared: &Prepared, plan: &Plan) -> io::Result<Self> {
        let places = prepared.authorities().map(place).collect::<io::Result<_>>()?;
        let (connections, threads, timeout) = (usize::from(plan.connections), plan.threads(), plan.timeout());
        Ok(Self { prepared: prepared.clone(), places, connections, threads, timeout })
    }

    /// A load over the same connections that deletes books.
    pub(super) fn deleting(&self, books: Vec<u64>) -> Self {
        Self { prepared: self.prepared.deleting(books), places: self.places.clone(), ..*self }
    }
}
