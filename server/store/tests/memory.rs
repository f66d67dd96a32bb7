//! The store in a folder while SQLite has too little memory, from none on until all succeeds: a start or a write is done or says why not,
//! what was confirmed is there afterwards and nothing else, and once there is memory again all goes on.
//!
//! The limit is one of the process: this test is a program of its own. `LIBROS_MEMORY_STEP` sets the steps, which grow without it.

use std::path::Path;
use std::{env, fs};

use libros_server_store::{Change, Kind, Loaded, Row, Rows, SqliteStore, Store as _};
use rusqlite::{Connection, Statement};

const KINDS: [Kind; 4] = [Kind::BOOKS, Kind::USERS, Kind::CLIENTS, Kind::SESSIONS];

/// What SQLite may take in all.
const LIMIT: usize = 8 << 20;

/// Takes all memory of SQLite but about `room` bytes, for as long as the statements are there.
fn all_but(room: usize, ballast: &Connection) -> Vec<Statement<'_>> {
    // A statement keeps its text.
    let take = |bytes: usize| ballast.prepare(&format!("SELECT 1 -- {}", "x".repeat(bytes)));
    let left = take(room).expect("there is as much");
    let mut taken = Vec::new();
    for bytes in (5..22).rev().map(|power| 1 << power) {
        while let Ok(statement) = take(bytes) {
            taken.push(statement);
        }
    }
    drop(left);
    taken
}

fn put(key: usize, doc: &str) -> Change {
    Change::Put { kind: Kind::BOOKS, key: key.to_string(), doc: doc.into() }
}

/// The commits of a round: a small one, a long one, one of a new kind, and one with enough changes to move the log into the state.
fn commits(round: usize) -> Vec<Vec<Change>> {
    let many = (0..1_100).map(|key| put(key, &format!("{round}"))).collect();
    vec![
        vec![put(2_000 + round, "small")],
        vec![put(3_000 + round, &"long ".repeat(10_000)), Change::Remove { kind: Kind::BOOKS, key: "3".to_owned() }],
        vec![Change::Put { kind: KINDS[round % 3], key: round.to_string(), doc: "new".into() }],
        vec![
            Change::Clear { kind: KINDS[1 + round % 2] },
            Change::Remove { kind: Kind::BOOKS, key: "none".to_owned() },
        ],
        many,
        vec![Change::Remove { kind: Kind::BOOKS, key: (3_000 + round).to_string() }],
    ]
}

fn all(mut loaded: Loaded) -> Vec<Option<Vec<Row>>> {
    KINDS.into_iter().map(|kind| loaded.take(kind)).collect()
}

/// A start with little memory, and one with enough; whether the first succeeds, too.
fn starts(folder: &Path, room: usize, ballast: &Connection, expected: &Rows) -> bool {
    let taken = all_but(room, ballast);
    let opened = SqliteStore::open(folder).map(|(store, loaded)| (drop(store), loaded).1);
    drop(taken);
    let is_open = opened.is_ok();
    for loaded in [opened.ok(), Some(SqliteStore::open(folder).expect("there is memory").1)].into_iter().flatten() {
        assert!(all(loaded) == all(expected.clone().into_loaded()), "with {room} bytes other records are there");
    }
    let names = fs::read_dir(folder).expect("there").map(|entry| entry.expect("an entry").file_name());
    let strange: Vec<_> = names.filter(|name| name.to_string_lossy().contains("unreadable")).collect();
    assert!(strange.is_empty(), "with {room} bytes a store counts as damaged: {strange:?}");
    is_open
}

#[test]
fn however_little_memory_there_is_what_was_confirmed_is_kept_what_was_refused_is_not_and_all_goes_on() {
    let step = env::var("LIBROS_MEMORY_STEP").ok().map(|step| step.parse().expect("a number of bytes"));
    let ballast = Connection::open_in_memory().expect("there is memory");
    ballast.pragma_update(None, "hard_heap_limit", LIMIT as i64).expect("a limit");
    let folder = tempfile::tempdir().expect("a folder");
    let (mut expected, mut room, mut refused) = (Rows::default(), 0, 0);
    for round in 0.. {
        let mut is_enough = starts(tempfile::tempdir().expect("a folder").path(), room, &ballast, &Rows::default());
        is_enough &= starts(folder.path(), room, &ballast, &expected);
        let (mut store, _) = SqliteStore::open(folder.path()).expect("there is memory");
        let taken = all_but(room, &ballast);
        for changes in commits(round) {
            if store.commit(&changes).is_ok() {
                changes.into_iter().for_each(|change| expected.apply(change));
            } else {
                (is_enough, refused) = (false, refused + 1);
            }
            store.maintain(true);
        }
        drop(taken);
        let last = put(4_000 + round, "with memory");
        store.commit(std::slice::from_ref(&last)).expect("there is memory again");
        expected.apply(last);
        if is_enough {
            break;
        }
        room += step.unwrap_or(400 + room / 9);
    }
    assert!(starts(folder.path(), LIMIT / 4, &ballast, &expected));
    assert!(refused > 20, "{refused} refused writes are too few to prove much");
    eprintln!("with {room} bytes all succeeds; {refused} writes were refused before");
}
