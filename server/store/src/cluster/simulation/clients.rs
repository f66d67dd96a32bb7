//! Runs a replica with its journal, and clients that write and read there.

use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use tokio::time::{Instant, timeout};

use super::dice::Dice;
use super::history::{Answer, Answered, CODES, Written};
use super::scheduler::Process;
use crate::cluster::join_replicas;
use crate::cluster::threads::{self, locked};
use crate::interface::Sharing;
use crate::journal::Journal;
use crate::record::Kind;
use crate::repository::Repository;
use libros_server_system::{clock::Clock, entropy::Entropy};

pub(super) const REPLICAS: usize = 3;

type Pending = Pin<Box<dyn Future<Output = Answer> + Send>>;

pub(super) struct Request {
    began: usize,
    began_at: Duration,
    pending: Pending,
}

pub(super) struct Clients {
    pub(super) dice: Dice,
    pub(super) entropy: Entropy,
    pub(super) begun: Instant,
    pub(super) url: &'static str,
    pub(super) serves: [AtomicBool; REPLICAS],
    /// How many of ten requests write, at each replica. A replica that seldom writes may read for long without a commit.
    pub(super) writes_of_ten: [usize; REPLICAS],
    /// Whether the last fault is over. From then on no write is refused.
    pub(super) is_calm: AtomicBool,
    pub(super) seen: Mutex<Seen>,
}

#[derive(Default)]
pub(super) struct Seen {
    /// Requests and answers so far.
    steps: usize,
    writes: u64,
    pub(super) answered: Vec<Answered>,
}

/// Runs a replica, and asks it, until it is killed.
pub(super) fn replica(clients: &Clients, at: usize, process: &Process) {
    let clock = Clock::default();
    let (store, mut loaded) = loop {
        match join_replicas(clients.url, Sharing::Replicas, &clients.entropy, &clock) {
            Ok(joined) => break joined,
            Err(_) => threads::sleep(Duration::from_millis(200)),
        }
    };
    clients.serves[at].store(true, Ordering::Relaxed);
    let rows = loaded.take(Kind::BOOKS).unwrap_or_default().into_iter();
    let written = Written(rows.map(|row| row.doc.parse().expect("a number")).collect());
    let (journal, mut writer) = Journal::without_thread(store);
    let repository = Arc::new(Repository::new(written, journal.clone()));
    journal.follow(vec![repository.clone()]);
    let now = || clients.begun.elapsed();
    let (mut requests, mut asks_at, mut looks_at, mut asked) = (Vec::new(), now(), now(), 0);
    loop {
        while writer.step(false) || clients.poll(at, &mut requests) {
            looks_at = now() + writer.patience();
        }
        if threads::wait(async {
            timeout(asks_at.min(looks_at).saturating_sub(now()), process.active.notified()).await
        })
        .is_ok()
        {
            continue;
        }
        if looks_at <= now() {
            writer.step(true);
            looks_at = now() + writer.patience();
        }
        if asks_at <= now() {
            asks_at = now() + clients.dice.up_to_ms(400);
            if requests.len() < 4 {
                asked += 1;
                requests.push(clients.ask(at, &journal, &repository, asked));
            }
        }
    }
}

fn write(journal: Journal, repository: Arc<Repository<Written>>, number: u64, most: usize) -> Pending {
    Box::pin(async move {
        if journal.catch_up(true).await.is_err() {
            return Answer::NotWritten(number);
        }
        let decided = repository.transact(|written, changes| {
            let before = written.0.len();
            if before >= most {
                return Answer::Full(before);
            }
            if written.0.contains(&number) {
                return Answer::Taken(number, before);
            }
            written.0.push(number);
            changes.put(Kind::BOOKS, number.to_string(), number.to_string());
            Answer::Wrote { number, before }
        });
        decided.await.unwrap_or(Answer::NotWritten(number))
    })
}

impl Clients {
    fn ask(&self, at: usize, journal: &Journal, repository: &Arc<Repository<Written>>, asked: usize) -> Request {
        let (seen, dice) = (&mut *locked(&self.seen), &self.dice);
        let (journal, repository) = (journal.clone(), Arc::clone(repository));
        seen.steps += 1;
        // Once all is calm, each replica must write in time, but random requests might only read.
        let is_free = self.is_calm.load(Ordering::Relaxed);
        let writes = if is_free { asked.is_multiple_of(2) } else { dice.below(10) < self.writes_of_ten[at] };
        let pending = if writes {
            seen.writes += 1;
            let most = if dice.below(5) == 0 && !is_free { seen.writes as usize / 2 } else { usize::MAX };
            // Some numbers come several times, as codes that count once.
            let number = if dice.below(4) == 0 && !is_free { CODES + seen.writes / 4 } else { seen.writes };
            write(journal, repository, number, most)
        } else {
            Box::pin(async move {
                match journal.catch_up(false).await {
                    Ok(()) => Answer::Read(repository.published().0.clone()),
                    Err(_) => Answer::NotRead,
                }
            })
        };
        Request { began: seen.steps, began_at: self.begun.elapsed(), pending }
    }

    /// When the first write since then began that a replica has confirmed.
    pub(super) fn first_write_since(&self, since: Duration, at: usize) -> Option<Duration> {
        let seen = locked(&self.seen);
        let writes = seen.answered.iter().filter(|answered| {
            answered.replica == at && answered.began_at >= since && matches!(answered.answer, Answer::Wrote { .. })
        });
        writes.map(|answered| answered.began_at).min()
    }

    /// Whether a request was answered.
    fn poll(&self, replica: usize, requests: &mut Vec<Request>) -> bool {
        let mut context = Context::from_waker(Waker::noop());
        let before = requests.len();
        requests.retain_mut(|Request { began, began_at, pending }| {
            let Poll::Ready(answer) = pending.as_mut().poll(&mut context) else { return true };
            let seen = &mut *locked(&self.seen);
            seen.steps += 1;
            let (began, began_at) = (*began, *began_at);
            seen.answered.push(Answered { replica, began, ended: seen.steps, began_at, answer });
            false
        });
        requests.len() < before
    }
}
