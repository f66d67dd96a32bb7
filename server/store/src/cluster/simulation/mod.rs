//! Three replicas as they run (journal, log, driver and all), over simulated threads, time, sockets and database, as a seed says.
//!
//! What they answer must be what one server would answer, and ten seconds after the last fault all of them write again. A seed
//! that fails is named, and repeats itself.

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
use self::scheduler::{Process, Scheduler, locked};
use super::defect::Defect;
use super::encoding::decoded;
use crate::repository::State as _;
use libros_server_system::entropy::Entropy;

mod clients;
mod database;
mod dice;
mod history;
mod network;
mod protocol;
mod scheduler;
mod session;

/// How long faults come, and how soon after the last of them all replicas write.
const FAULTS: Duration = Duration::from_secs(10);
const GOES_ON_WITHIN: Duration = Duration::from_secs(10);
/// The same of a replica that may have to read everything then: it waits longer for what the database has to sort.
const READS_ALL_WITHIN: Duration = Duration::from_secs(45);

/// Seeds of a plain run; `LIBROS_SIMULATION_SEEDS` asks for more of them, `LIBROS_SIMULATION_FROM` for others.
const SEEDS: u64 = 400;

struct Run {
    dice: Dice,
    scheduler: Arc<Scheduler>,
    database: Arc<Database>,
    clients: Arc<Clients>,
    links: [[Arc<Link>; NODES]; REPLICAS],
    walls_ms: [Arc<AtomicI64>; REPLICAS],
    processes: Vec<Arc<Process>>,
    /// Whether the log is folded, so that a replica may have to read everything again.
    folds: bool,
}

impl Run {
    fn new(seed: u64, defect: Option<Defect>) -> Self {
        let (entropy, dice) = (Entropy::seeded(seed), Dice(Entropy::seeded(seed ^ 0xd1ce)));
        let url =
            if dice.below(2) == 0 { "postgres://libros@node0,node1/libros" } else { "postgres://libros@node0/libros" };
        let scheduler = Scheduler::start(defect);
        let clients = Clients {
            dice: dice.clone(),
            entropy,
            begun: scheduler.begun,
            url,
            serves: Default::default(),
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
            folds: dice.below(4) == 0,
            dice,
        };
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

    /// Makes something go wrong, or right again; says what.
    fn fault(&mut self) -> String {
        let (at, node) = (self.dice.below(REPLICAS), self.dice.below(if self.has_standby() { NODES } else { 1 }));
        let (link, length_ms) = (&self.links[at][node], self.dice.below(120_000) as i64 - 60_000);
        let what = match self.dice.below(24) {
            0 | 1 => (link.silence(true, true), "silent").1,
            2 => (link.silence(true, false), "silent one way").1,
            3 => (link.silence(false, true), "silent the other way").1,
            4 => (link.slow(true), "slow").1,
            5 | 6 => (link.reset(), "reset").1,
            7..10 => (link.forget(), "half open").1,
            10 => (self.database.stop(node, true), "down").1,
            11 | 12 if self.has_standby() => (self.database.fail_over(), "replaced").1,
            13 if self.has_standby() => (self.database.rejoin(), "rejoined").1,
            14 => {
                self.processes[at].kill();
                self.clients.serves[at].store(false, Ordering::Relaxed);
                self.processes[at] = self.start(at);
                "killed"
            }
            15 => (self.processes[at].stop(true), "stopped").1,
            16 => (self.walls_ms[at].store(length_ms, Ordering::Relaxed), "clock jumps").1,
            17 => (self.database.swallowed.store(100, Ordering::Relaxed), "answers lost").1,
            18 => (self.processes.iter().for_each(|process| process.stop(false)), "all go on").1,
            19 if self.folds => (self.database.forget_entries(), "folded").1,
            20 | 21 if self.has_standby() => (self.database.release(), "commits alone").1,
            _ => (self.heal(at), "healed").1,
        };
        format!("{:?}: replica {at}, node {node}: {what}", self.clients.begun.elapsed())
    }

    fn heal(&self, at: usize) {
        for (node, link) in self.links[at].iter().enumerate() {
            link.silence(false, false);
            link.slow(false);
            if self.database.is_down(node) {
                self.database.stop(node, false);
            }
        }
        self.walls_ms[at].store(0, Ordering::Relaxed);
        self.processes[at].stop(false);
    }

    async fn play(mut self) -> Played {
        let mut faults = Vec::new();
        while self.clients.begun.elapsed() < FAULTS {
            sleep(self.dice.up_to_ms(1000)).await;
            faults.push(self.fault());
        }
        self.database.swallowed.store(0, Ordering::Relaxed);
        self.database.rejoin();
        (0..REPLICAS).for_each(|at| self.heal(at));
        self.clients.is_calm.store(true, Ordering::Relaxed);
        let healed_at = self.clients.begun.elapsed();
        let mut late = Vec::new();
        for (at, serves) in self.clients.serves.iter().enumerate() {
            let reads_log = serves.load(Ordering::Relaxed) && !self.folds;
            let within = if reads_log { GOES_ON_WITHIN } else { READS_ALL_WITHIN };
            while !self.clients.writes_since(healed_at, at) && !late.contains(&at) {
                sleep(Duration::from_millis(100)).await;
                if self.clients.begun.elapsed() > healed_at + within {
                    late.push(at);
                }
            }
        }
        self.processes.iter().for_each(|process| process.kill());
        while self.scheduler.running.load(Ordering::Relaxed) > 0 {
            sleep(Duration::from_millis(1)).await;
        }
        let mut truth = Written::default();
        for changes in self.database.log() {
            for change in decoded(&changes).expect("as written") {
                truth.take_in(&change).expect("a number");
            }
        }
        let history = std::mem::take(&mut locked(&self.clients.seen).2);
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

impl Played {
    fn of(seed: u64, defect: Option<Defect>) -> Self {
        let runtime = Builder::new_current_thread().enable_time().start_paused(true).build().expect("a runtime");
        runtime.block_on(async { Run::new(seed, defect).play().await })
    }

    fn check(&self) -> Result<(), String> {
        if let Some(panic) = self.panics.first() {
            return Err(format!("a thread panicked: {panic}"));
        }
        check(&self.history, &self.truth)?;
        if self.late.is_empty() { Ok(()) } else { Err(format!("replicas {:?} do not write again", self.late)) }
    }
}

/// Plays histories on all processors, until `look` breaks off.
fn each_seed(seeds: Range<u64>, defect: Option<Defect>, look: impl Fn(u64, &Played) -> ControlFlow<()> + Sync) {
    let next = AtomicU64::new(seeds.start);
    let play = || loop {
        let seed = next.fetch_add(1, Ordering::Relaxed);
        if seed >= seeds.end || look(seed, &Played::of(seed, defect)).is_break() {
            return next.store(seeds.end, Ordering::Relaxed);
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
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
fn replicas_that_were_shown_what_a_failover_has_lost_go_on_with_what_is_there() {
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
    // Histories before these are known not to find it, and would only take time.
    for (defect, from) in [
        (Defect::ReadsWithoutLease, 590),
        (Defect::UsesNewLeaderAtOnce, 700),
        (Defect::ReliesOnLoneLeader, 1),
        (Defect::SkipsProof, 1),
        (Defect::ForgetsDoubt, 1),
        (Defect::WaitsForEver, 1),
        (Defect::KeepsTurn, 1),
        (Defect::GivesBackOverSilence, 1),
    ] {
        let is_found = AtomicBool::new(false);
        each_seed(from..1001, Some(defect), |_, played| {
            if played.check().is_ok() {
                return ControlFlow::Continue(());
            }
            is_found.store(true, Ordering::Relaxed);
            ControlFlow::Break(())
        });
        assert!(is_found.into_inner(), "{defect:?} is not found in a thousand histories");
    }
}
