//! Stores books on the reference, gives them to the model, asks both the same list queries, and compares every header and every byte.

use std::fmt::{self, Display, Formatter};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use libros_conformance::generate::histories::{Ask, Service as _, Stocked};
use libros_conformance::generate::inputs::dice;
use libros_conformance::generate::queries::{Domain, queries, sample_books};
use libros_conformance::http::exchange::Received;
use libros_conformance_model::list::have_order;
use libros_conformance_model::list::steps::ListSteps;
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::{Config, TestRng, TestRunner};
use serde_json::Value;

use super::compare::Comparison;
use super::draw::PROFILE;
use super::pairing::Pairing;
use super::reference::{Caller, Reference};

/// Queries per collection of books.
const OF_A_COLLECTION: u64 = 20_000;
const THREADS: u64 = 4;
/// Stops after this many differences.
const DIFFERENCES_MAX: usize = 10;

/// The results of all comparisons.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    compared: u64,
    not_modified: u64,
    without_books: u64,
    undecided: u64,
    collections: u64,
    pub(crate) differences: Vec<String>,
}

impl Display for Outcome {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { compared, not_modified, without_books, undecided, collections, differences } = self;
        write!(
            f,
            "{compared} queries of {collections} collections compared ({not_modified} answered 304, {without_books} found nothing, \
             {undecided} compared but for an order nobody decides): {} differences",
            differences.len()
        )
    }
}

pub(crate) fn run(queries: u64, seed: u64) -> Outcome {
    let reference = Reference::start();
    let outcome = Mutex::new(Outcome::default());
    for number in 0..queries.div_ceil(OF_A_COLLECTION) {
        let books = stocked(&reference, seed, number);
        let left = AtomicU64::new(OF_A_COLLECTION.min(queries - number * OF_A_COLLECTION));
        let enough = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for thread in 0..THREADS {
                let run = Run { reference: &reference, books: &books, left: &left, enough: &enough, outcome: &outcome };
                scope.spawn(move || run.ask(dice(seed, &format!("collection {number}, thread {thread}"))));
            }
        });
        outcome.lock().unwrap().collections += 1;
        if enough.into_inner() {
            break;
        }
    }
    outcome.into_inner().unwrap()
}

/// Stores books on the reference, and returns them as stored.
fn stocked(reference: &Reference, seed: u64, number: u64) -> Vec<Value> {
    reference.reset();
    let caller = reference.caller();
    let send = |ask: Ask| caller.send(&ask.header("X-API-Key", &PROFILE.credentials.admin_key)).unwrap();
    // Every fourth collection keeps the initial books.
    if !number.is_multiple_of(4) {
        for id in 1..=5 {
            send(Ask::new("DELETE", format!("/libros/{id}")));
        }
    }
    for book in sample_books(&mut dice(seed, &format!("collection {number}"))) {
        send(Ask::new("POST", "/libros").json(book.to_string()));
    }
    let list = send(Ask::new("GET", "/libros?limit=100"));
    serde_json::from_slice::<Value>(&list.body).unwrap()["datos"].as_array().unwrap().clone()
}

/// The state of one thread.
struct Run<'a> {
    reference: &'a Reference,
    books: &'a [Value],
    left: &'a AtomicU64,
    enough: &'a AtomicBool,
    outcome: &'a Mutex<Outcome>,
}

impl Run<'_> {
    fn ask(&self, mut dice: TestRng) {
        let questions = queries(Domain::Open, &mut dice);
        let nonsense = super::spelling::nonsense();
        let config = Config { failure_persistence: None, ..Config::default() };
        let mut runner = TestRunner::new_with_rng(config, dice.clone());
        let caller = self.reference.caller();
        let model = Stocked::new(self.books.to_vec());
        let mut own = Outcome::default();
        // The last query whose answer had a tag, and the tag.
        let mut known: Option<(String, String)> = None;
        while self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok() {
            let drawn = runner.rng().next_u32();
            let asked = questions.new_tree(&mut runner).unwrap().current().to_string();
            let query = match drawn % 8 {
                0 => nonsense.new_tree(&mut runner).unwrap().current(),
                1 => format!("{asked}&{}", nonsense.new_tree(&mut runner).unwrap().current()),
                2..=4 => super::spelling::respelled(&asked, runner.rng()),
                _ => asked,
            };
            let again = known.take().filter(|_| (drawn / 8).is_multiple_of(8));
            let (query, tag) = again.map_or((query, None), |(query, tag)| (query, Some(tag)));
            known = self.compare((&caller, &model), &query, tag.as_deref(), &mut own).map(|tag| (query, tag));
            if self.enough.load(Ordering::Relaxed) {
                break;
            }
        }
        self.add(&own);
    }

    /// Asks both; returns the tag.
    fn compare(
        &self,
        sides: (&Caller<'_>, &Stocked),
        query: &str,
        tag: Option<&str>,
        own: &mut Outcome,
    ) -> Option<String> {
        let mut ask = Ask::new("GET", format!("/libros?{query}")).header("X-API-Key", &PROFILE.credentials.test_key);
        if let Some(tag) = tag {
            ask = ask.header("If-None-Match", tag);
        }
        let replies = [sides.0.send(&ask).unwrap(), sides.1.reply(&ask)];
        own.compared += 1;
        match self.judged(query, &replies, own) {
            Ok(tag) => tag,
            Err(what) => {
                let [left, right] = replies.each_ref().map(|reply| self.reference.transcript(&ask, reply));
                let curl = self.reference.sent(&ask).curl();
                let mut outcome = self.outcome.lock().unwrap();
                outcome.differences.push(format!("\n{what}\n{curl}\nreference: {left}\nmodel: {right}"));
                if outcome.differences.len() >= DIFFERENCES_MAX {
                    self.enough.store(true, Ordering::Relaxed);
                }
                None
            }
        }
    }

    fn judged(&self, query: &str, [left, right]: &[Received; 2], own: &mut Outcome) -> Result<Option<String>, String> {
        own.not_modified += u64::from(left.status == 304);
        own.without_books += u64::from(left.header("x-total-count").is_some_and(|total| total == "0"));
        let compared = Comparison { pairing: &mut Pairing::default(), is_head: false }.replies(left, right);
        match compared {
            // The bytes must be equal, too: the model has the books of the reference.
            Ok(()) if left.body == right.body => Ok(left.header("etag")),
            _ if is_order_all(left, right) && !have_order(self.books, query, &ListSteps::default()) => {
                own.undecided += 1;
                Ok(None)
            }
            Ok(()) => Err(format!("{query}: the bytes of the bodies differ")),
            Err(difference) => Err(format!("{query}: {difference:?}")),
        }
    }

    fn add(&self, own: &Outcome) {
        let mut outcome = self.outcome.lock().unwrap();
        outcome.compared += own.compared;
        outcome.not_modified += own.not_modified;
        outcome.without_books += own.without_books;
        outcome.undecided += own.undecided;
    }
}

/// Whether two replies can differ only in the order of books: equal pages of the same length, or one is unchanged.
fn is_order_all(left: &Received, right: &Received) -> bool {
    let (Some(of_left), Some(of_right)) = (left.json(), right.json()) else {
        return [left, right].iter().any(|reply| reply.status == 304);
    };
    let shown = |list: &Value| list["datos"].as_array().map(Vec::len);
    of_left["metadata"] == of_right["metadata"] && shown(of_left) == shown(of_right)
}
