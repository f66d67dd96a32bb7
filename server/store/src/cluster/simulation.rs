//! Replicas over a log that goes wrong, on one thread, as a seed says: what they answer must be what one server would answer.
//!
//! The state is the list of all writes, and each write answers its place in it: so every history of answers is checked exactly,
//! against the log as it is in the end. A seed that fails is named, and repeats itself.

use std::collections::BTreeSet;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use super::encoding::decoded;
use super::log::Log as _;
use super::memory::{Dice, MemoryLog, Weather};
use super::replica::Replica;
use crate::interface::{Sharing, Store as _};
use crate::journal::Journal;
use crate::record::{Change, Kind};
use crate::repository::{Repository, State};
use crate::writer::Writer;
use libros_server_system::entropy::Entropy;

const REPLICAS: usize = 3;
const STEPS: usize = 400;

/// Seeds of a plain run; `LIBROS_SIMULATION_SEEDS` asks for more of them, `LIBROS_SIMULATION_FROM` for others.
const SEEDS: u64 = 100;

/// The writes, in the order in which they took place.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Written(Vec<u64>);

impl State for Written {
    fn take_in(&mut self, change: &Change) -> Result<bool, String> {
        match change {
            Change::Put { doc, .. } => self.0.push(doc.parse().map_err(|_| format!("{doc} is no number"))?),
            Change::Clear { kind: Kind::BOOKS } => self.0.clear(),
            _ => return Ok(false),
        }
        Ok(true)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Answer {
    /// A write, and how many had taken place before it.
    Wrote {
        number: u64,
        before: usize,
    },
    /// A write was refused because the collection already held this many.
    Full(usize),
    Read(Vec<u64>),
    NotWritten(u64),
    NotRead,
}

type Pending = Pin<Box<dyn Future<Output = Answer>>>;

struct Request {
    began: usize,
    replica: usize,
    pending: Pending,
}

struct Server {
    log: MemoryLog,
    journal: Journal,
    writer: Writer<Replica<MemoryLog>>,
    repository: Arc<Repository<Written>>,
}

impl Server {
    fn start(log: MemoryLog, entropy: &Entropy) -> anyhow::Result<Self> {
        let (store, mut loaded) = Replica::over(log.clone(), Sharing::Replicas, entropy)?;
        let mut written = Written::default();
        for row in loaded.take(Kind::BOOKS).unwrap_or_default() {
            written.0.push(row.doc.parse()?);
        }
        let (journal, writer) = Journal::without_thread(store);
        let repository = Arc::new(Repository::new(written, journal.clone()));
        journal.follow(vec![repository.clone()]);
        Ok(Self { log, journal, writer, repository })
    }

    fn write(&self, number: u64, most: usize) -> Pending {
        let (journal, repository) = (self.journal.clone(), Arc::clone(&self.repository));
        Box::pin(async move {
            if journal.catch_up(true).await.is_err() {
                return Answer::NotWritten(number);
            }
            let decided = repository.transact(|written, changes| {
                let before = written.0.len();
                if before >= most {
                    return Answer::Full(before);
                }
                written.0.push(number);
                changes.put(Kind::BOOKS, number.to_string(), number.to_string());
                Answer::Wrote { number, before }
            });
            decided.await.unwrap_or(Answer::NotWritten(number))
        })
    }

    fn read(&self) -> Pending {
        let (journal, repository) = (self.journal.clone(), Arc::clone(&self.repository));
        Box::pin(async move {
            match journal.catch_up(false).await {
                Ok(()) => Answer::Read(repository.published().0.clone()),
                Err(_) => Answer::NotRead,
            }
        })
    }
}

/// What was answered, and when: steps of the run.
#[derive(Debug)]
struct Answered {
    began: usize,
    ended: usize,
    answer: Answer,
}

struct Run {
    dice: Dice,
    entropy: Entropy,
    log: MemoryLog,
    servers: Vec<Server>,
    requests: Vec<Request>,
    history: Vec<Answered>,
    now: usize,
    numbers: u64,
}

impl Run {
    fn new(seed: u64, weather: Weather) -> Self {
        let (log, entropy) = (MemoryLog::new(seed ^ 0xf0e1, weather), Entropy::seeded(seed));
        let server = |_| Server::start(log.connect(), &entropy).expect("nothing is cut yet");
        let servers = (0..REPLICAS).map(server).collect();
        let dice = Dice::new(seed ^ 0xd1ce);
        Self { dice, entropy, log, servers, requests: Vec::new(), history: Vec::new(), now: 0, numbers: 0 }
    }

    fn step(&mut self) {
        self.now += 1;
        let at = self.dice.below(REPLICAS);
        match self.dice.below(100) {
            0..30 => self.begin(at),
            30..85 => _ = self.servers[at].writer.step(),
            85..88 => self.servers[at].log.cut(true),
            88..94 => self.servers[at].log.cut(false),
            94..96 => self.crash(at),
            // What others know of stays in the log no longer.
            _ => _ = self.servers[at].log.fold(self.log.entries().len() as u64 / 2),
        }
        self.poll();
    }

    fn begin(&mut self, at: usize) {
        let pending = if self.dice.below(10) < 6 {
            self.numbers += 1;
            let most = if self.dice.below(5) == 0 { self.numbers as usize / 2 } else { usize::MAX };
            self.servers[at].write(self.numbers, most)
        } else {
            self.servers[at].read()
        };
        self.requests.push(Request { began: self.now, replica: at, pending });
    }

    /// Stops a replica without notice and starts it again; the requests to it get no answer.
    fn crash(&mut self, at: usize) {
        let log = self.log.connect();
        if let Ok(server) = Server::start(log, &self.entropy) {
            self.requests.retain(|request| request.replica != at);
            self.servers[at] = server;
        }
    }

    fn poll(&mut self) {
        let mut context = Context::from_waker(Waker::noop());
        let now = self.now;
        let history = &mut self.history;
        self.requests.retain_mut(|Request { began, pending, .. }| match pending.as_mut().poll(&mut context) {
            Poll::Ready(answer) => {
                history.push(Answered { began: *began, ended: now, answer });
                false
            }
            Poll::Pending => true,
        });
    }

    /// Finishes everything under way, and returns the log.
    fn finish(&mut self) -> Vec<u64> {
        self.log.clear_up();
        for server in &self.servers {
            server.log.cut(false);
        }
        for _ in 0..200 {
            self.now += 1;
            for server in &mut self.servers {
                _ = server.writer.step();
            }
            self.poll();
        }
        assert!(self.requests.is_empty(), "a request is never answered");
        let mut truth = Written::default();
        for entry in self.log.entries() {
            for change in decoded(&entry.changes).expect("as written") {
                truth.take_in(&change).expect("a number");
            }
        }
        for server in &self.servers {
            assert_eq!(**server.repository.published(), truth, "a replica knows something else");
        }
        truth.0
    }
}

/// Whether answers are those of one server whose writes took place in the order of `truth`.
fn check(history: &[Answered], truth: &[u64]) -> Result<(), String> {
    let distinct: BTreeSet<&u64> = truth.iter().collect();
    if distinct.len() != truth.len() {
        return Err("a write took place twice".to_owned());
    }
    // How many writes had taken place, at least, when an answer came.
    let mut seen: Vec<(usize, usize)> = Vec::new();
    for Answered { answer, ended, .. } in history {
        match answer {
            Answer::Wrote { number, before } if truth.get(*before) != Some(number) => {
                return Err(format!("write {number} is confirmed at place {before}, and is not there"));
            }
            Answer::Read(read) if !truth.starts_with(read) => {
                return Err(format!("{read:?} was read, which was never so"));
            }
            Answer::Full(found) if *found > truth.len() => {
                return Err(format!("a refusal rests on {found} writes, which there never were"));
            }
            Answer::Wrote { before, .. } => seen.push((*ended, before + 1)),
            Answer::Read(read) => seen.push((*ended, read.len())),
            Answer::Full(found) => seen.push((*ended, *found)),
            Answer::NotWritten(_) | Answer::NotRead => {}
        }
    }
    for Answered { answer, began, ended } in history {
        let knows = match answer {
            Answer::Wrote { before: count, .. } | Answer::Full(count) => *count,
            Answer::Read(read) => read.len(),
            Answer::NotWritten(_) | Answer::NotRead => continue,
        };
        let known = seen.iter().filter(|(at, _)| at < began).map(|(_, count)| *count).max().unwrap_or(0);
        if knows < known {
            return Err(format!(
                "{answer:?} from step {began} to {ended} does not know of {known} writes answered before"
            ));
        }
    }
    Ok(())
}

/// What was answered, what was written, and how many turns were taken.
fn run(seed: u64, weather: Weather) -> (Vec<Answered>, Vec<u64>, usize) {
    let mut run = Run::new(seed, weather);
    for _ in 0..STEPS {
        run.step();
    }
    let truth = run.finish();
    (run.history, truth, run.log.turns_taken())
}

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[test]
fn three_replicas_answer_as_one_server_whatever_the_log_does() {
    let (from, seeds) = (setting("LIBROS_SIMULATION_FROM", 1), setting("LIBROS_SIMULATION_SEEDS", SEEDS));
    let (mut wrote, mut failed, mut turns) = (0, 0, 0);
    for seed in from..from + seeds {
        let (history, truth, taken) = run(seed, Weather::FOUL);
        if let Err(why) = check(&history, &truth) {
            panic!("LIBROS_SIMULATION_FROM={seed}: {why}");
        }
        turns += taken;
        wrote += history.iter().filter(|answered| matches!(answered.answer, Answer::Wrote { .. })).count();
        failed += history.iter().filter(|answered| matches!(answered.answer, Answer::NotWritten(_))).count();
    }
    assert!(
        wrote > 20 * seeds as usize && failed > 0 && turns > 5 * seeds as usize,
        "{wrote} writes, {failed} failures and {turns} turns are too few to prove much"
    );
}

#[test]
fn a_seed_repeats_itself() {
    let shown = |seed| format!("{:?}", run(seed, Weather::FOUL));
    assert_eq!(shown(7), shown(7));
    assert_ne!(shown(7), shown(8));
}

#[test]
fn on_a_log_that_works_nothing_fails() {
    for seed in 1..20 {
        let mut run = Run::new(seed, Weather::FAIR);
        for _ in 0..STEPS {
            run.now += 1;
            let at = run.dice.below(REPLICAS);
            if run.dice.below(10) < 4 {
                run.begin(at);
            } else {
                _ = run.servers[at].writer.step();
            }
            run.poll();
        }
        let truth = run.finish();
        check(&run.history, &truth).expect("as one server");
        let fails = |answered: &&Answered| matches!(answered.answer, Answer::NotWritten(_) | Answer::NotRead);
        assert_eq!(run.history.iter().filter(fails).count(), 0, "seed {seed}");
    }
}

#[test]
fn the_check_finds_what_is_wrong() {
    let answered = |began, ended, answer| Answered { began, ended, answer };
    let wrote = |number, before| Answer::Wrote { number, before };
    for (history, truth) in [
        (vec![answered(1, 2, wrote(7, 0))], vec![]),
        (vec![answered(1, 2, wrote(7, 0)), answered(3, 4, Answer::Read(vec![]))], vec![7]),
        (vec![answered(1, 2, Answer::Read(vec![8]))], vec![7]),
        (vec![answered(1, 2, wrote(7, 1)), answered(3, 4, wrote(8, 0))], vec![8, 7]),
        (vec![], vec![7, 7]),
    ] {
        assert!(check(&history, &truth).is_err(), "{history:?}");
    }
}

#[test]
fn a_replica_that_was_away_for_too_long_reads_everything_again() {
    let (log, entropy) = (MemoryLog::new(1, Weather::FAIR), Entropy::seeded(1));
    let put = |key: &str| Change::Put { kind: Kind::BOOKS, key: key.to_owned(), doc: key.into() };
    let join = || Replica::over(log.connect(), Sharing::Replicas, &entropy).expect("nothing is cut").0;
    let (mut one, mut other) = (join(), join());
    for key in ["1", "2", "3"] {
        one.commit(&[put(key)]).expect("alone");
    }
    log.connect().fold(2).expect("nothing is cut");
    let news = other.news().expect("nothing is cut");
    assert!(news.contains(&Change::Clear { kind: Kind::BOOKS }), "{news:?}");
    assert_eq!(news.iter().filter(|change| matches!(change, Change::Put { .. })).count(), 3);
    other.commit(&[put("4")]).expect("it knows everything by now");
    assert_eq!(one.news().expect("nothing is cut"), [put("4")]);
}
