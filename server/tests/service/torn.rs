//! Runs the server on a disk that fails in bursts, cuts writes short and loses power at any operation. After the next start every confirmed
//! write is there, no refused one, and the log is empty. The disk is the preloaded `torn/disk.c`. The power fails `LIBROS_TORN_ROUNDS`
//! times, by default ten; `LIBROS_TORN_SEED` says when. If the first is set, every operation of the disk fails once in each way, and not a
//! sample of them.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use crate::crash::clerk::{self, Clerk};
use crate::crash::{Writer as _, random_below};
use crate::process::{Folder, Server, setting};
use crate::wire::{create, ids, send};

const DISK: &str = "torn/disk.c";

/// Long enough for most disks to lose power.
const RUN: Duration = Duration::from_millis(1_500);
/// The power fails within this many operations; a start takes about forty.
const OPERATIONS: u64 = 1_500;

/// How many operations are tried: about as many as a first start and the writes after it make.
const POINTS: u64 = 96;
/// The error of an operation (`errno` of Linux: no room, an error, an interruption; 0 cuts a write short), and how many fail in a row.
const FAILURES: [(u8, u64); 6] = [(28, 1), (28, 1_000), (5, 1), (5, 1_000), (4, 3), (0, 1)];
const POINT_WRITES: usize = 8;

/// Compiles a C source beside the tests to a library to preload.
pub(crate) fn library(source: &str, folder: &Path) -> PathBuf {
    let library = folder.join("preloaded.so");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/service").join(source);
    let built =
        Command::new("cc").args(["-O1", "-shared", "-fPIC", "-o"]).arg(&library).arg(source).arg("-ldl").status();
    assert!(built.expect("a C compiler, as SQLite needs one").success());
    library
}

/// The settings of the disk for a round: most lose power early or late, some fail in bursts, some do both.
fn variables(seed: u64) -> Vec<(&'static str, String)> {
    let random =
        |step: u64, below: u64| seed.wrapping_mul(6_364_136_223_846_793_005).rotate_left(step as u32 * 13) % below;
    let crash_at = match random(1, 4) {
        0 => 1 + random(2, 60),
        1 => 0,
        _ => 1 + random(2, OPERATIONS),
    };
    let failing = if random(3, 2) == 0 { 0 } else { 50 + random(4, 500) };
    vec![
        ("TORN_CRASH_AT", crash_at.to_string()),
        ("TORN_FAILING", failing.to_string()),
        ("TORN_SEED", seed.to_string()),
    ]
}

/// Writes until the power fails, or for a while.
fn write(mut server: Server, clerks: &mut [Clerk]) {
    let address = server.catalogue();
    let end = Instant::now() + RUN;
    thread::scope(|scope| {
        for clerk in clerks {
            scope.spawn(move || while clerk.write(&address).is_some() {});
        }
        while Instant::now() < end && !server.is_over() {
            thread::sleep(Duration::from_millis(10));
        }
        server.kill();
    });
}

#[test]
fn the_names_of_new_folders_survive_a_power_failure() {
    let tools = tempfile::tempdir().expect("a folder");
    let (library, synced, mut folder) = (library(DISK, tools.path()), tools.path().join("synced"), Folder::new());
    folder.0.push("below");
    let variables = [("TORN_SYNCED", synced.display().to_string())];
    Server::preloaded(&folder, &library, &variables, Stdio::null()).expect("nothing fails").kill();
    let synced = fs::read_to_string(synced).expect("a list");
    for parent in folder.0.ancestors().skip(1).take(2).map(|parent| parent.canonicalize().expect("there")) {
        assert!(synced.lines().any(|folder| parent == Path::new(folder)), "{}: {synced}", parent.display());
    }
}

#[test]
fn a_write_whose_sync_failed_is_not_in_force_after_a_kill() {
    let tools = tempfile::tempdir().expect("a folder");
    let (library, failing) = (library(DISK, tools.path()), tools.path().join("failing"));
    for is_last in [true, false] {
        let folder = Folder::new();
        let variables = [("TORN_UNSYNCED", failing.display().to_string())];
        let server = Server::preloaded(&folder, &library, &variables, Stdio::null()).expect("nothing fails yet");
        assert_eq!(create(&server, "kept"), 6);
        fs::write(&failing, "").expect("written");
        assert_eq!(send(&server, "POST /libros", r#"{"titulo":"refused","autor":"x"}"#).status, 500);
        // The next commit is refused, too. It finds the part of the first one that reached the disk.
        assert!(is_last || send(&server, "DELETE /libros/2", "").status == 500);
        server.kill();
        fs::remove_file(&failing).expect("there");
        let server = Server::over(&folder);
        assert_eq!(ids(&server), [1, 2, 3, 4, 5, 6]);
        assert_eq!(send(&server, "GET /libros/6", "").json()["titulo"], "kept");
        assert_eq!(create(&server, "next"), 7);
        assert_eq!(server.stopped().1, "", "nothing to complain of");
    }
}

#[test]
fn at_each_operation_of_the_disk_that_fails_the_server_serves_or_says_why_not_and_keeps_what_it_confirmed() {
    let all = env::var("LIBROS_TORN_ROUNDS").is_ok();
    let tools = tempfile::tempdir().expect("a folder");
    let (library, log) = (library(DISK, tools.path()), tools.path().join("log"));
    let (mut unready, mut answered) = (0, 0);
    // A sample: each failure at every thirteenth operation, at others than its neighbours.
    let failures =
        |point: u64| FAILURES.into_iter().enumerate().filter(move |(at, _)| all || point % 13 == 2 * *at as u64);
    for (point, (_, (error, times))) in (1..=POINTS).flat_map(|point| failures(point).map(move |how| (point, how))) {
        let (folder, mut clerk) = (Folder::new(), Clerk::new("point", true));
        let variables =
            [("TORN_POINT", point.to_string()), ("TORN_TIMES", times.to_string()), ("TORN_ERROR", error.to_string())];
        let errors = fs::File::create(&log).expect("a file");
        if let Some(server) = Server::preloaded(&folder, &library, &variables, errors) {
            let address = server.catalogue();
            answered += (0..POINT_WRITES).map_while(|_| clerk.write(&address)).count();
            server.kill();
        } else {
            unready += 1;
            let said = fs::read_to_string(&log).expect("a text");
            assert!(said.contains("libros-server: "), "operation {point} with {error}: {said}");
        }
        let server = Server::over(&folder);
        clerk.check(&server.catalogue());
        clerk::check_nothing_else(&[clerk], &clerk::found(&server.catalogue()));
        assert_eq!(server.stopped().1, "", "nothing to complain of after operation {point} with {error}");
    }
    eprintln!(
        "of {POINTS} operations one failed, each time: {unready} starts said why not, {answered} writes were answered"
    );
}

#[test]
fn an_unreadable_store_counts_as_empty_also_where_the_power_fails_at_an_operation_of_the_next_start() {
    let tools = tempfile::tempdir().expect("a folder");
    let (library, stored) = (library(DISK, tools.path()), Folder::new());
    Server::over(&stored).kill();
    let is_cut_short = |point: u64| {
        let folder = Folder::new();
        fs::create_dir(&folder.0).expect("made");
        for name in ["libros.db-confirmed", "secret"] {
            fs::copy(stored.0.join(name), folder.0.join(name)).expect("copied");
        }
        fs::write(folder.0.join("libros.db"), "[]").expect("written");
        let variables = [("TORN_CRASH_AT", point.to_string()), ("TORN_SEED", point.to_string())];
        let is_cut_short = Server::preloaded(&folder, &library, &variables, Stdio::null()).is_none();
        assert_eq!(ids(&Server::over(&folder)), [0_u64; 0], "after operation {point}");
        is_cut_short
    };
    let step = if env::var("LIBROS_TORN_ROUNDS").is_ok() { 1 } else { 4 };
    assert!((1..).step_by(step).take_while(|point| is_cut_short(*point)).count() > 15);
}

#[test]
fn whatever_was_confirmed_is_there_after_a_disk_that_fails_tears_and_loses_power() {
    let (rounds, seed) = (setting("LIBROS_TORN_ROUNDS", 10), setting("LIBROS_TORN_SEED", random_below(1 << 40)));
    eprintln!("LIBROS_TORN_SEED={seed}");
    let tools = tempfile::tempdir().expect("a folder");
    let library = library(DISK, tools.path());
    let (mut ready, mut confirmed) = (0, 0);
    // A new folder every ten rounds, so that first starts meet the failing disk, too.
    for decade in 0..rounds.div_ceil(10) {
        let folder = Folder::new();
        let mut clerks: Vec<Clerk> = (0..6).map(|name| Clerk::new(&format!("{decade}-{name}"), true)).collect();
        for round in 0..10.min(rounds - decade * 10) {
            let seed = seed + decade * 10 + round;
            if let Some(server) = Server::preloaded(&folder, &library, &variables(seed), Stdio::null()) {
                ready += 1;
                write(server, &mut clerks);
            }
            let server = Server::over(&folder);
            clerks.iter_mut().for_each(|clerk| clerk.check(&server.catalogue()));
            clerk::check_nothing_else(&clerks, &clerk::found(&server.catalogue()));
            assert_eq!(server.stopped().1, "", "nothing to complain of, seed {seed}");
            let strange: Vec<_> = folder.names().into_iter().filter(|name| name.contains("unreadable")).collect();
            assert_eq!(strange, [""; 0], "seed {seed}");
        }
        confirmed += clerks.iter().map(|clerk| clerk.confirmed).sum::<u64>();
    }
    assert!(confirmed > 10 * rounds, "{confirmed} writes");
    eprintln!("{rounds} rounds, {ready} of them came up, {confirmed} confirmed writes, none lost");
}
