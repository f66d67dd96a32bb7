//! Runs three replicas, from the journal to the driver, on simulated threads, time, sockets and databases. A seed determines all of it.
//!
//! They must answer as one server would. All must write again within ten seconds of the last fault, or 45 if they may have to read
//! everything. A failure names its seed.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use tokio::runtime::Builder;
use tokio::time::sleep;

use self::clients::{Clients, REPLICAS, replica};
use self::database::{Database, NODES};
use self::dice::Dice;
use self::history::{Answer, Answered, Written, check};
use self::network::{Link, Network};
use self::scheduler::{Process, Scheduler};
use super::defect::Defect;
use super::encoding::decoded;
use super::threads::locked;
use crate::repository::State as _;
use libros_server_system::{entropy::Entropy, processors};

mod clients;
mod database;
mod dice;
mod history;
mod network;
mod protocol;
mod scheduler;
mod session;

/// How long faults come, and how soon after the last one all replicas must write.
const FAULTS_FOR: Duration = Duration::from_secs(10);
const GOES_ON_WITHIN: Duration = Duration::from_secs(10);
/// For a replica that may have to read everything: the database takes longer to answer.
const READS_ALL_WITHIN: Duration = Duration::from_secs(45);

/// The longest wait before the last connections fall silent, and the longest wait for a turn then.
const LAST_FAULT_MS: usize = 2_000;

/// Seeds of a plain run; `LIBROS_SIMULATION_SEEDS` asks for more of them, `LIBROS_SIMULATION_FROM` for others.
const SEEDS: u64 = 150;

/// The faults: a name, and what happens to a replica and a node.
const FAULTS: [(&str, fn(&mut Run, usize, usize)); 17] = [
    ("healed", |run, at, _| run.heal(at)),
    ("all go on", |run, _, _| run.processes.iter().for_each(|process| process.set_stopped(false))),
    ("silent", |run, at, node| run.links[at][node].silence(true, true)),
    ("silent one way", |run, at, node| run.links[at][node].silence(true, false)),
    ("silent the other way", |run, at, node| run.links[at][node].silence(false, true)),
    ("slow", |run, at, node| run.links[at][node].slow(true)),
    ("reset", |run, at, node| run.links[at][node].reset()),
    ("half open", |run, at, node| run.links[at][node].forget()),
    ("down", |run, _, node| run.database.set_down(node, true)),
    ("killed", |run, at, _| {
        run.processes[at].kill();
        run.clients.serves[at].store(false, Ordering::Relaxed);
        run.processes[at] = run.start(at);
    }),
    ("stopped", |run, at, _| run.processes[at].set_stopped(true)),
    ("clock jumps", |run, at, _| {
        run.walls_ms[at].store(run.dice.below(120_000) as i64 - 60_000, Ordering::Relaxed);
    }),
    ("answers lost", |run, _, _| run.database.swallowed.store(100, Ordering::Relaxed)),
    ("folded", |run, _, _| run.database.forget_entries()),
    ("replaced", |run, at, _| {
        run.database.fail_over();
        // A replica that reconnects finds the new leader, while others still ask the old one.
        if run.dice.below(2) == 0 {
            run.links[at].iter().for_each(|link| link.reset());
        }
    }),
    ("rejoined", |run, _, _| run.database.rejoin()),
    ("commits alone", |run, _, _| {
        if run.dice.below(2) == 0 {
            run.database.fail_over();
        }
        run.database.release();
    }),
];
/// A replica may have to read everything after it.
const FORGETS_LOG: &str = "folded";
const NEED_STANDBY: [&str; 3] = ["replaced", "rejoined", "commits alone"];

struct Run {
    dice: Dice,
    scheduler: Arc<Scheduler>,
    database: Arc<Database>,
    clients: Arc<Clients>,
    links: [[Arc<Link>; NODES]; REPLICAS],
    walls_ms: [Arc<AtomicI64>; REPLICAS],
    processes: Vec<Arc<Process>>,
    /// How often each fault comes. A seed leaves most faults out, so that the others follow each other more often.
    shares: [usize; FAULTS.len()],
    /// Only the first replicas meet faults of their own.
    victims: usize,
    pause_ms: usize,
}

impl Run {
    fn new(seed: u64, defect: Option<Defect>) -> Self {
        let (entropy, dice) = (Entropy::seeded(seed), Dice(Entropy::seeded(seed ^ 0xd1ce)));
        let url =
            if dice.below(4) > 0 { "postgres://libros@node0,node1/libros" } else { "postgres://libros@node0/libros" };
        let scheduler = Scheduler::start(defect);
        let clients = Clients {
            dice: dice.clone(),
            entropy,
            begun: scheduler.begun,
            url,
            serves: Default::default(),
            writes_of_ten: [(); REPLICAS].map(|()| [0, 6, 9][dice.below(3)]),
            is_calm: AtomicBool::new(false),
            seen: Mutex::default(),
        };
        let mut run = Self {
            database: Database::new(dice.clone(), scheduler.begun),
            scheduler,
            clients: Arc::new(clients),
            links: Default::default(),
            walls_ms: Default::default(),
            processes: Vec::new(),
            shares: FAULTS.map(|_| dice.below(9).saturating_sub(5)),
            victims: 1 + dice.below(REPLICAS),
            pause_ms: [200, 600, 1_500][dice.below(3)],
            dice,
        };
        // Healing comes at least now and then.
        run.shares[0] += 1;
        let has_standby = run.has_standby();
        for ((fault, _), share) in FAULTS.iter().zip(&mut run.shares) {
            *share *= usize::from(has_standby || !NEED_STANDBY.contains(fault));
        }
        run.processes = (0..REPLICAS).map(|at| run.start(at)).collect();
        run
    }

    fn start(&self, at: usize) -> Arc<Process> {
        let (database, dice) = (Arc::clone(&self.database), self.dice.clone());
        let network = Arc::new(Network { links: self.links[at].clone(), database, dice });
        let process = self.scheduler.process(network, Arc::clone(&self.walls_ms[at]));
        let (clients, own) = (Arc::clone(&self.clients), Arc::clone(&process));
        process.spawn(move || replica(&clients, at, &own));
        process
    }

    fn has_standby(&self) -> bool {
        self.clients.url.contains(',')
    }

    /// Causes or ends a random fault; returns a line for the record.
    fn fault(&mut self) -> String {
        let node = self.dice.below(if self.has_standby() { NODES } else { 1 });
        let at = self.dice.below(self.victims);
        let tickets = FAULTS.iter().zip(&self.shares).flat_map(|(fault, share)| std::iter::repeat_n(fault, *share));
        let drawn = self.dice.below(self.shares.iter().sum());
        let (what, happen) = tickets.into_iter().nth(drawn).expect("below the sum");
        happen(self, at, node);
        format!("{:?}: replica {at}, node {node}: {what}", self.clients.begun.elapsed())
    }

    fn heal(&self, at: usize) {
        for (node, link) in self.links[at].iter().enumerate() {
            link.silence(false, false);
            link.slow(false);
            if self.database.is_down(node) {
                self.database.set_down(node, false);
            }
        }
        self.walls_ms[at].store(0, Ordering::Relaxed);
        self.processes[at].set_stopped(false);
    }

    async fn end(&self) {
        self.processes.iter().for_each(|process| process.kill());
        while self.scheduler.running.load(Ordering::Relaxed) > 0 {
            sleep(Duration::from_millis(1)).await;
        }
    }

    async fn play(mut self) -> Played {
        let mut faults = Vec::new();
        while self.clients.begun.elapsed() < FAULTS_FOR {
            sleep(self.dice.up_to_ms(self.pause_ms)).await;
            faults.push(self.fault());
        }
        self.database.swallowed.store(0, Ordering::Relaxed);
        self.database.rejoin();
        (0..REPLICAS).for_each(|at| self.heal(at));
        self.clients.is_calm.store(true, Ordering::Relaxed);
        // All write again. Then one connection falls silent for ever, if possible while its replica has the turn.
        sleep(self.dice.up_to_ms(LAST_FAULT_MS)).await;
        for _ in 0..LAST_FAULT_MS {
            if self.database.is_head_held() {
                break;
            }
            sleep(Duration::from_millis(1)).await;
        }
        self.links[self.dice.below(REPLICAS)].iter().for_each(|link| link.forget());
        let healed_at = self.clients.begun.elapsed();
        let may_forget = FAULTS.iter().zip(&self.shares).any(|((fault, _), share)| *fault == FORGETS_LOG && *share > 0);
        let mut late = Vec::new();
        for (at, serves) in self.clients.serves.iter().enumerate() {
            let reads_log = serves.load(Ordering::Relaxed) && !may_forget;
            let within = if reads_log { GOES_ON_WITHIN } else { READS_ALL_WITHIN };
            let last = healed_at + within;
            let mut began_at = self.clients.first_write_since(healed_at, at);
            while began_at.is_none() && self.clients.begun.elapsed() <= last {
                sleep(Duration::from_millis(100)).await;
                began_at = self.clients.first_write_since(healed_at, at);
            }
            // The wait for the replicas before may have been longer than this replica has.
            if began_at.is_none_or(|began_at| began_at > last) {
                late.push(at);
            }
        }
        self.end().await;
        let mut truth = Written::default();
        for changes in self.database.log() {
            for change in decoded(&changes).expect("as written") {
                truth.take_in(&change).expect("a number");
            }
        }
        let history = std::mem::take(&mut locked(&self.clients.seen).answered);
        Played { faults, history, truth: truth.0, late, panics: locked(&self.scheduler.panics).clone() }
    }
}

#[derive(Debug)]
#[expect(dead_code, reason = "the faults are shown where a seed fails")]
struct Played {
    faults: Vec<String>,
    history: Vec<Answered>,
    truth: Vec<u64>,
    /// Replicas that did not write again in time.
    late: Vec<usize>,
    panics: Vec<String>,
}

/// The result of `play` on a runtime whose time moves only while every task waits.
fn simulated<T>(play: impl AsyncFnOnce() -> T) -> T {
    let runtime = Builder::new_current_thread().enable_time().start_paused(true).build().expect("a runtime");
    runtime.block_on(play())
}

impl Played {
    fn of(seed: u64, defect: Option<Defect>) -> Self {
        simulated(async || Run::new(seed, defect).play().await)
    }

    fn check(&self) -> Result<(), String> {
        if let Some(panic) = self.panics.first() {
            return Err(format!("a thread panicked: {panic}"));
        }
        check(&self.history, &self.truth)?;
        if self.late.is_empty() { Ok(()) } else { Err(format!("replicas {:?} do not write again", self.late)) }
    }
}

/// Plays histories on all processors, until `look` breaks.
fn each_seed(seeds: Range<u64>, defect: Option<Defect>, look: impl Fn(u64, &Played) -> ControlFlow<()> + Sync) {
    let next = AtomicU64::new(seeds.start);
    let play = || loop {
        let seed = next.fetch_add(1, Ordering::Relaxed);
        if seed >= seeds.end || look(seed, &Played::of(seed, defect)).is_break() {
            return next.store(seeds.end, Ordering::Relaxed);
        }
    };
    thread::scope(|scope| {
        for _ in 0..processors().get() {
            scope.spawn(play);
        }
    });
}

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[test]
fn three_replicas_answer_as_one_server_and_go_on_after_each_fault() {
    let (from, seeds) = (setting("LIBROS_SIMULATION_FROM", 1), setting("LIBROS_SIMULATION_SEEDS", SEEDS));
    let (wrote, failed) = (AtomicUsize::new(0), AtomicUsize::new(0));
    each_seed(from..from + seeds, None, |seed, played| {
        if let Err(why) = played.check() {
            panic!("LIBROS_SIMULATION_FROM={seed}: {why}\n{played:#?}");
        }
        let count = |is: fn(&Answer) -> bool| played.history.iter().filter(|answered| is(&answered.answer)).count();
        wrote.fetch_add(count(|answer| matches!(answer, Answer::Wrote { .. })), Ordering::Relaxed);
        failed.fetch_add(count(|answer| matches!(answer, Answer::NotWritten(_))), Ordering::Relaxed);
        ControlFlow::Continue(())
    });
    let (wrote, failed) = (wrote.into_inner(), failed.into_inner());
    assert!(
        wrote > 20 * seeds as usize && failed > 0,
        "{wrote} writes and {failed} failures are too few to prove much"
    );
}

#[test]
fn a_seed_repeats_itself() {
    let shown = |seed| format!("{:?}", Played::of(seed, None));
    assert_eq!(shown(7), shown(7));
    assert_ne!(shown(7), shown(8));
}

#[test]
fn a_replica_starts_on_a_link_that_takes_longer_than_its_patience() {
    simulated(async || {
        let run = Run::new(1, None);
        let entry = |key: usize| ("token".to_owned(), format!(r#"[["p","books","{key}","{key}"]]"#));
        for node in &mut locked(&run.database.state).nodes {
            (node.data.has_tables, node.data.log) = (true, (0..1_500).map(entry).collect());
        }
        run.links.iter().flatten().for_each(|link| link.slow(true));
        while run.clients.first_write_since(Duration::ZERO, 0).is_none() {
            assert!(run.clients.begun.elapsed() < Duration::from_secs(300), "it never starts");
            sleep(Duration::from_millis(100)).await;
        }
        assert!(run.clients.begun.elapsed() > READS_ALL_WITHIN, "it started too soon to prove anything");
        run.end().await;
    });
}

#[test]
fn replicas_that_read_entries_lost_in_a_failover_go_on_with_the_rest() {
    let shown = AtomicUsize::new(0);
    each_seed(1..50, Some(Defect::ReliesOnLoneLeader), |seed, played| {
        assert!(played.late.is_empty() && played.panics.is_empty(), "{seed}: {played:#?}");
        shown.fetch_add(usize::from(played.check().is_err()), Ordering::Relaxed);
        ControlFlow::Continue(())
    });
    assert_ne!(shown.into_inner(), 0);
}

#[test]
fn each_defect_that_is_put_back_is_found() {
    for defect in [
        Defect::ReadsWithoutLease,
        Defect::UsesNewLeaderAtOnce,
        Defect::ReliesOnLoneLeader,
        Defect::SkipsProof,
        Defect::ForgetsDoubt,
        Defect::WaitsForEver,
        Defect::KeepsTurn,
        Defect::GivesBackOverSilence,
    ] {
        let is_found = AtomicBool::new(false);
        each_seed(1..101, Some(defect), |_, played| {
            if played.check().is_ok() {
                return ControlFlow::Continue(());
            }
            is_found.store(true, Ordering::Relaxed);
            ControlFlow::Break(())
        });
        assert!(is_found.into_inner(), "{defect:?} is not found in a hundred histories");
    }
}
