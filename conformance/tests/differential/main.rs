//! Reference and impostor, side by side over HTTP: the same lists asked for, the same random histories played, whole replies
//! compared. They share no code, so what one of them reads otherwise shows here, whatever the cases of the suite ask.
//!
//! `LIBROS_DIFFERENTIAL_QUERIES`, `LIBROS_DIFFERENTIAL_HISTORIES` and `LIBROS_SEED` say how many and which; `just differential`.

mod bodies;
mod compare;
mod demo;
mod draw;
mod histories;
mod memory;
mod pair;
mod pairing;
mod play;
mod queries;
mod request_headers;
mod spelling;
mod step;
mod ways;

use std::io::Write as _;
use std::str::FromStr;

use libros_conformance::random;

/// How many of each are tried when nothing is said: a glance, for every run of the tests.
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

/// Tells a line, beside what the test harness tells.
fn say(line: &str) {
    _ = writeln!(std::io::stderr(), "{line}");
}
