//! Compares the reference, over HTTP, with the impostor's model: the same list queries and the same random histories, whole
//! replies compared. They share no code, so a rule that one of them reads otherwise shows here, whatever the cases judge.
//!
//! `LIBROS_DIFFERENTIAL_QUERIES`, `LIBROS_DIFFERENTIAL_HISTORIES` and `LIBROS_SEED` set how many and which; see `just
//! differential`.

mod compare;
mod demo;
mod draw;
mod headers;
mod histories;
mod pairing;
mod queries;
mod reference;
mod spelling;
mod vocabulary;

use std::io::Write as _;
use std::str::FromStr;

use libros_conformance::random;

/// Few by default, for every run of the tests.
const QUERIES: u64 = 1_500;
const HISTORIES: u64 = 30;

#[test]
fn both_answer_every_list_alike() {
    let (queries, seed) = (number("LIBROS_DIFFERENTIAL_QUERIES", QUERIES), seed());
    let outcome = queries::run(queries, seed);
    say(&format!("differential, seed {seed}: {outcome}"));
    assert!(outcome.differences.is_empty(), "seed {seed}:\n{}", outcome.differences.join("\n"));
}

#[test]
fn both_live_every_history_alike() {
    let (histories, seed) = (number("LIBROS_DIFFERENTIAL_HISTORIES", HISTORIES), seed());
    let outcome = histories::run(histories, seed);
    say(&format!("differential, seed {seed}: {outcome}"));
    assert!(outcome.differences.is_empty(), "seed {seed}:\n{}", outcome.differences.join("\n"));
}

fn number<N: FromStr>(name: &str, otherwise: N) -> N {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

fn seed() -> u64 {
    number("LIBROS_SEED", random::seed())
}

/// Writes a line past the test harness.
fn say(line: &str) {
    _ = writeln!(std::io::stderr(), "{line}");
}
