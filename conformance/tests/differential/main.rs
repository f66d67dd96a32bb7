//! Compares the reference, over HTTP, with the impostor's model: the same list queries and the same random histories, whole
//! replies compared. They share no code, so a rule that one of them reads otherwise shows here, whatever the cases judge.
//!
//! `LIBROS_DIFFERENTIAL_QUERIES`, `LIBROS_DIFFERENTIAL_HISTORIES` and `LIBROS_SEED` set how many and which; see `just differential`.

mod compare;
mod draw;
mod histories;
#[path = "../program/mod.rs"]
mod program;
mod queries;
mod reference;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::str::FromStr;

use libros_conformance::random;

/// Few by default, for every run of the tests.
const QUERIES: u64 = 1_500;
const HISTORIES: u64 = 30;

#[derive(Debug, Default)]
struct Outcome {
    counts: BTreeMap<String, u64>,
    differences: Vec<String>,
}

impl Outcome {
    fn count(&mut self, what: impl Into<String>, many: u64) {
        *self.counts.entry(what.into()).or_default() += many;
    }

    fn add(&mut self, other: Self) {
        self.differences.extend(other.differences);
        other.counts.into_iter().for_each(|(what, many)| self.count(what, many));
    }

    /// Writes the counts past the test harness.
    fn report(&self, seed: u64) {
        let counts: Vec<_> = self.counts.iter().map(|(what, many)| format!("{many} {what}")).collect();
        _ = writeln!(std::io::stderr(), "differential, seed {seed}: {}", counts.join(", "));
        assert!(self.differences.is_empty(), "seed {seed}:\n{}", self.differences.join("\n"));
    }
}

#[test]
fn both_answer_every_list_alike() {
    let seed = seed();
    queries::run(number("LIBROS_DIFFERENTIAL_QUERIES", QUERIES), seed).report(seed);
}

#[test]
fn both_live_every_history_alike() {
    let seed = seed();
    histories::run(number("LIBROS_DIFFERENTIAL_HISTORIES", HISTORIES), seed).report(seed);
}

fn number<N: FromStr>(name: &str, otherwise: N) -> N {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

fn seed() -> u64 {
    number("LIBROS_SEED", random::seed())
}
