//! Sends prepared requests over many connections, at a steady rate or as fast as possible, and measures the answers.
//! Knows no mix by name.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use crate::bench::connection::place;
use crate::bench::load_rate::LoadRate;
use crate::bench::measured::Measured;
use crate::bench::mix::Prepared;
use crate::bench::plan::Plan;
use crate::bench::requests::Requests;
use crate::bench::sender::{Run, Sender};
use crate::clock;

/// How long after the end the last requests of a steady rate may still be sent.
const GRACE: Duration = Duration::from_millis(50);

pub(super) struct Load {
    prepared: Prepared,
    requests: Requests,
    /// Never empty.
    places: Vec<SocketAddr>,
    connections: usize,
    threads: usize,
    timeout: Duration,
}

impl Load {
    pub(super) fn new(prepared: &Prepared, plan: &Plan) -> io::Result<Self> {
        let Plan { connections, threads, timeout, .. } = *plan;
        let places = prepared.authorities().map(place).collect::<io::Result<_>>()?;
        let (requests, prepared) = (prepared.requests(), prepared.clone());
        Ok(Self { prepared, requests, places, connections, threads, timeout })
    }

    /// A load over the same connections that deletes books.
    pub(super) fn deleting(&self, books: Vec<u64>) -> Self {
        let prepared = self.prepared.deleting(books);
        Self { requests: prepared.requests(), prepared, places: self.places.clone(), ..*self }
    }

    /// Sends for `lasting`, or until there are no more requests.
    pub(super) fn run(&self, rate: LoadRate, lasting: Duration) -> io::Result<Measured> {
        let grace = if rate == LoadRate::AsFastAsPossible { Duration::ZERO } else { GRACE };
        let run = Run {
            prepared: &self.prepared,
            requests: &self.requests,
            places: &self.places,
            rate,
            started: clock::stopwatch(),
            until: lasting.saturating_add(grace),
            count: self.requests.count().unwrap_or(u64::MAX).min(rate.count(lasting)),
            timeout: self.timeout,
            threads: self.threads,
        };
        let own =
            |thread: usize| thread * self.connections / self.threads..(thread + 1) * self.connections / self.threads;
        let all: Vec<io::Result<Measured>> = std::thread::scope(|scope| {
            let start = |thread| {
                let run = &run;
                scope.spawn(move || Sender::new(run, thread, own(thread))?.send())
            };
            let started: Vec<_> = (0..self.threads).map(start).collect();
            started
                .into_iter()
                .map(|thread| thread.join().unwrap_or_else(|_| Err(io::Error::other("a thread broke"))))
                .collect()
        });
        let mut measured = Measured::new()?;
        for one in all {
            measured.add(one?)?;
        }
        measured.lasted = run.started.elapsed();
        Ok(measured)
    }
}
