//! Journal, writer and repository under many thousand schedules: the same three files, compiled once more over threads, locks and channels
//! of which `shuttle` decides who goes on at each step. `LIBROS_SCHEDULES` says how many of each play; the default is 3,000.
//!
//! Claims about every schedule, with a commit that fails and a stop at any moment:
//! - The published state is never ahead of the durable one, and never goes back.
//! - A confirmed change is durable, published, and rests on nothing that failed. So is the state that a refusal was decided on.
//! - A failed commit leaves no trace: neither on disk, nor in what anyone saw, nor for those who come after.
//! - Confirmations come in the order of decisions; whatever was on its way when the journal stops is written or refused.
//! - What may happen once happens once, also when two ask for it and a third makes the commit fail.
//!
//! Weaker orders of memory than sequential are not played: the one atomic number is written under the lock of its readers.

// The names that the files know their neighbours by.
use super::{followers, group, interface, order, record};

#[expect(clippy::duplicate_mod, dead_code, unreachable_pub, reason = "the file itself is played, not a copy of it")]
#[path = "../journal.rs"]
mod journal;
#[expect(clippy::duplicate_mod, dead_code, unreachable_pub, reason = "the file itself is played, not a copy of it")]
#[path = "../repository.rs"]
mod repository;
mod sync;
#[expect(clippy::duplicate_mod, reason = "the file itself is played, not a copy of it")]
#[cfg_attr(feature = "postgres", expect(dead_code, reason = "only the simulation of replicas goes step by step"))]
#[path = "../writer.rs"]
mod writer;

mod books;
mod codes;

use std::env;

use shuttle::scheduler::{PctScheduler, RandomScheduler, Scheduler};
use shuttle::{Config, Runner};

use self::interface::Store;
use self::record::{Change, Changes, Kind};
use self::repository::State;

/// The number that no disk stores.
const BAD: u32 = 13;

/// A disk that keeps numbers in the order in which they were stored; clones share it.
#[derive(Clone, Default)]
struct Disk {
    stored: std::sync::Arc<sync::Mutex<Vec<u32>>>,
    /// Confirms what it does not store: the checks must notice.
    lies: bool,
}

impl Disk {
    fn stored(&self) -> Vec<u32> {
        self.stored.lock().expect("no panic").clone()
    }
}

impl State for Vec<u32> {
    fn take_in(&mut self, _: &Change) -> Result<bool, String> {
        unreachable!("no other process writes")
    }
}

impl Store for Disk {
    fn commit(&mut self, changes: &[Change]) -> anyhow::Result<()> {
        let number = |change: &Change| match change {
            Change::Put { doc, .. } => doc.parse::<u32>().expect("a number"),
            Change::Remove { .. } | Change::Clear { .. } => unreachable!("nobody removes anything"),
        };
        let numbers: Vec<u32> = changes.iter().map(number).collect();
        anyhow::ensure!(!numbers.contains(&BAD), "set to fail");
        // The time a disk takes, in which others go on.
        shuttle::thread::yield_now();
        if !self.lies {
            self.stored.lock().expect("no panic").extend(numbers);
        }
        Ok(())
    }
}

fn note(number: u32, changes: &mut Changes) {
    changes.put(Kind::BOOKS, number.to_string(), number.to_string());
}

/// Plays `LIBROS_SCHEDULES` schedules, half of them drawn anew at each step, half with few changes of who goes first.
fn play(scene: fn()) {
    let schedules = env::var("LIBROS_SCHEDULES").map_or(3_000, |count| count.parse().expect("a number of schedules"));
    run(RandomScheduler::new(schedules / 2), scene);
    run(PctScheduler::new(3, schedules / 2), scene);
}

fn run(scheduler: impl Scheduler + 'static, scene: fn()) {
    let mut config = Config::new();
    // It warns of the orders of memory it does not play.
    config.silence_warnings = true;
    // Enough for a log line of a build without optimisation.
    config.stack_size = 1 << 18;
    Runner::new(scheduler, config).run(scene);
}
