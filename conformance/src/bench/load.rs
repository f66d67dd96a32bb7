//! Sends prepared requests over many connections, at a steady rate or as fast as possible, and measures. Knows no mix by name.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use hdrhistogram::Histogram;
use tokio::runtime::Builder;
use tokio::sync::Semaphore;
use tokio::task::LocalSet;

use crate::bench::connection::Connection;
use crate::bench::load_rate::{LoadRate, release};
use crate::bench::mix::Prepared;
use crate::bench::plan::Plan;
use crate::clock;

/// Longest latency told apart, in microseconds; three digits of each are kept.
const LATENCY_US_MAX: u64 = 600_000_000;
/// How long a connection that could not be opened waits for its next try.
const RETRY: Duration = Duration::from_millis(20);
/// How much later than the end the last requests may still be sent.
const GRACE: Duration = Duration::from_millis(50);

/// Requests, and the connections to send them over.
pub(super) struct Load {
    prepared: Arc<Prepared>,
    connections: usize,
    threads: usize,
    timeout: Duration,
}

/// What came of a load.
pub(super) struct Measured {
    /// Requests answered as the mix wants.
    pub(super) answers: u64,
    pub(super) errors: BTreeMap<String, u64>,
    /// Requests that were due and could not be sent before the end: each counts with the time it had waited by then.
    pub(super) unsent: u64,
    pub(super) latencies: Histogram<u64>,
    pub(super) lasted: Duration,
    pub(super) created: Vec<u64>,
}

impl Measured {
    fn new() -> io::Result<Self> {
        let latencies = Histogram::new_with_bounds(1, LATENCY_US_MAX, 3).map_err(io::Error::other)?;
        let (errors, created, lasted) = (BTreeMap::new(), Vec::new(), Duration::ZERO);
        Ok(Self { answers: 0, errors, unsent: 0, latencies, lasted, created })
    }

    /// Answers a second.
    pub(super) fn per_second(&self) -> f64 {
        self.answers as f64 / self.lasted.as_secs_f64().max(1e-9)
    }

    fn record(&mut self, latency: Duration) {
        self.latencies.saturating_record(u64::try_from(latency.as_micros()).unwrap_or(u64::MAX).max(1));
    }

    /// Counts one request: how long it took, and the id of a book it created or what was wrong.
    fn take(&mut self, latency: Duration, answered: Result<Option<u64>, String>) {
        self.record(latency);
        match answered {
            Ok(created) => {
                self.answers += 1;
                self.created.extend(created);
            }
            Err(error) => *self.errors.entry(error).or_default() += 1,
        }
    }

    fn add(&mut self, other: Self) -> io::Result<()> {
        self.answers += other.answers;
        for (error, count) in other.errors {
            *self.errors.entry(error).or_default() += count;
        }
        self.created.extend(other.created);
        self.latencies.add(other.latencies).map_err(io::Error::other)
    }
}

/// A load under way, shared by its threads.
struct Run {
    prepared: Arc<Prepared>,
    rate: LoadRate,
    started: Instant,
    lasting: Duration,
    /// How many requests there are at all.
    count: u64,
    next: AtomicU64,
    due: Arc<Semaphore>,
    timeout: Duration,
}

impl Load {
    pub(super) fn new(prepared: &Prepared, plan: &Plan) -> Self {
        let Plan { connections, threads, timeout, .. } = *plan;
        Self { prepared: Arc::new(prepared.clone()), connections, threads, timeout }
    }

    /// The same connections, deleting books.
    pub(super) fn deleting(&self, books: Vec<u64>) -> Self {
        Self { prepared: Arc::new(self.prepared.deleting(books)), ..*self }
    }

    /// Sends for so long, or until there is nothing left to send.
    pub(super) fn run(&self, rate: LoadRate, lasting: Duration) -> io::Result<Measured> {
        let count = self.prepared.count().unwrap_or(u64::MAX).min(rate.count(lasting));
        let (started, due) = (clock::stopwatch(), Arc::new(Semaphore::new(0)));
        let next = AtomicU64::new(0);
        let (prepared, timeout) = (Arc::clone(&self.prepared), self.timeout);
        let run = Arc::new(Run { prepared, rate, started, lasting, count, next, due, timeout });
        let stop = Arc::new(AtomicBool::new(false));
        release(&run.due, rate, count, self.connections, started, &stop);
        let threads = self.threads.clamp(1, self.connections);
        let own = |thread: usize| self.connections / threads + usize::from(thread < self.connections % threads);
        let all: Vec<io::Result<Measured>> = std::thread::scope(|scope| {
            let run = &run;
            let started: Vec<_> = (0..threads).map(|thread| scope.spawn(move || work(run, own(thread)))).collect();
            started
                .into_iter()
                .map(|thread| thread.join().unwrap_or_else(|_| Err(io::Error::other("a thread broke"))))
                .collect()
        });
        stop.store(true, Ordering::Relaxed);
        let mut measured = Measured::new()?;
        for one in all {
            measured.add(one?)?;
        }
        measured.lasted = started.elapsed();
        run.count_unsent(&mut measured);
        Ok(measured)
    }
}

/// One thread's connections, each a task of its event loop.
fn work(run: &Arc<Run>, connections: usize) -> io::Result<Measured> {
    let runtime = Builder::new_current_thread().enable_io().enable_time().build()?;
    let measured = Rc::new(RefCell::new(Measured::new()?));
    let tasks = LocalSet::new();
    for number in 0..connections {
        tasks.spawn_local(connection(Arc::clone(run), number, Rc::clone(&measured)));
    }
    runtime.block_on(tasks);
    Rc::into_inner(measured).map(RefCell::into_inner).ok_or_else(|| io::Error::other("a connection never ended"))
}

/// Sends what is due over the connection of that number, opened again where it broke.
async fn connection(run: Arc<Run>, own: usize, measured: Rc<RefCell<Measured>>) {
    let mut open = None;
    while let Some((number, request)) = run.next(own).await {
        let due = run.rate.due(number).unwrap_or_else(|| run.started.elapsed());
        let answered = tokio::time::timeout(run.timeout, exchange(&mut open, &run.prepared, own, &request)).await;
        let answered = answered.unwrap_or_else(|_| Err("no answer in time".to_owned()));
        let is_broken = answered.is_err() && open.is_none();
        measured.borrow_mut().take(run.started.elapsed().saturating_sub(due), answered);
        if is_broken {
            tokio::time::sleep(RETRY).await;
        }
    }
}

/// One request and its answer: the id of a book it created, or what was wrong. A connection that breaks midway is not kept.
async fn exchange(
    open: &mut Option<Connection>,
    prepared: &Prepared,
    own: usize,
    request: &[u8],
) -> Result<Option<u64>, String> {
    let mut connection = match open.take() {
        Some(connection) => connection,
        None => Connection::open(prepared.authority(own)).await.map_err(|error| error.to_string())?,
    };
    let answer = connection.exchange(request).await.map_err(|error| error.to_string())?;
    let seen = prepared.look_at(answer.status, || connection.body(&answer));
    if answer.may_stay {
        *open = Some(connection);
    }
    seen
}

impl Run {
    /// The next request, once it is due, for that connection; `None` when the time is over or nothing is left.
    async fn next(&self, connection: usize) -> Option<(u64, Vec<u8>)> {
        if self.rate != LoadRate::AsFastAsPossible {
            self.due.acquire().await.ok()?.forget();
        }
        if self.started.elapsed() >= self.lasting.saturating_add(GRACE) {
            return None;
        }
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        if number >= self.count { None } else { Some((number, self.prepared.request(number, connection)?)) }
    }

    /// Counts what was due and never sent, each with the time it had waited when the run ended.
    fn count_unsent(&self, measured: &mut Measured) {
        for number in self.next.load(Ordering::Relaxed)..self.count {
            let Some(due) = self.rate.due(number) else { return };
            measured.unsent += 1;
            measured.record(measured.lasted.saturating_sub(due));
        }
    }
}
