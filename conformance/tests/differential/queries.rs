//! Stores the same books on both services, sends the same list queries, and compares every header and every byte.

use std::fmt::{self, Display, Formatter};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use libros_conformance::clock;
use libros_conformance::generate::inputs::dice;
use libros_conformance::generate::queries::{Domain, queries, sample_books};
use libros_conformance::http::exchange::{Exchange, Received};
use libros_conformance::implementation::profile::Interface;
use libros_conformance_model::list::have_order;
use libros_conformance_model::list::steps::ListSteps;
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::{Config, TestRng, TestRunner};
use serde_json::Value;

use super::compare::Comparison;
use super::pair::{Ask, Caller, Services};
use super::pairing::Pairing;

/// Queries per collection of books.
const OF_A_COLLECTION: u64 = 20_000;
const THREADS: u64 = 4;
/// Stops after this many differences.
const TOLD_MAX: usize = 10;

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
    let services = Services::start();
    let outcome = Mutex::new(Outcome::default());
    for number in 0..queries.div_ceil(OF_A_COLLECTION) {
        let books = stocked(&services, seed, number);
        let left = AtomicU64::new(OF_A_COLLECTION.min(queries - number * OF_A_COLLECTION));
        let enough = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for thread in 0..THREADS {
                let run = Run { services: &services, books: &books, left: &left, enough: &enough, outcome: &outcome };
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

/// Stores the books on both services, with times equal to the millisecond, and returns them as stored.
fn stocked(services: &Services, seed: u64, number: u64) -> Vec<Value> {
    services.reset();
    let mut callers = [services.caller(), services.caller()];
    let key = &services.credentials().admin_key;
    let ask = |method, path: &str| Ask::new(Interface::Catalogue, method, path).header("X-API-Key", key);
    // Every fourth collection keeps the initial books.
    if !number.is_multiple_of(4) {
        for id in 1..=5 {
            both(&mut callers, &ask("DELETE", &format!("/libros/{id}")));
        }
    }
    for book in sample_books(&mut dice(seed, &format!("collection {number}"))) {
        let create = ask("POST", "/libros").json(book.to_string());
        loop {
            let bodies = both(&mut callers, &create).map(|exchange| exchange.received.unwrap().json().unwrap().clone());
            if bodies[0] == bodies[1] {
                break;
            }
            // Created in different milliseconds: the times would differ in filters, order and tags. Tries again.
            both(&mut callers, &ask("DELETE", &format!("/libros/{}", bodies[0]["id"])));
        }
    }
    let lists =
        both(&mut callers, &ask("GET", "/libros?limit=100")).map(|exchange| exchange.received.unwrap().body.clone());
    assert_eq!(lists[0], lists[1], "the collections are not the same");
    let list: Value = serde_json::from_slice(&lists[0]).unwrap();
    list["datos"].as_array().unwrap().clone()
}

/// Sends to both at the same moment, early in a millisecond: slow programs would otherwise never create within the same
/// one.
fn both(callers: &mut [Caller<'_>; 2], ask: &Ask) -> [Exchange; 2] {
    let before = clock::unix_ms();
    let at_the_next = |side, caller: &mut Caller<'_>| {
        while clock::unix_ms() <= before + 1 {
            std::hint::spin_loop();
        }
        caller.ask(side, ask)
    };
    let [left, right] = callers;
    std::thread::scope(|scope| {
        let other = scope.spawn(|| at_the_next(1, right));
        [at_the_next(0, left), other.join().unwrap()]
    })
}

/// The state of one thread.
struct Run<'a> {
    services: &'a Services,
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
        let mut caller = self.services.caller();
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
            known = self.compare(&mut caller, &query, tag.as_deref(), &mut own).map(|tag| (query, tag));
            if self.enough.load(Ordering::Relaxed) {
                break;
            }
        }
        self.add(&own);
    }

    /// Sends to both; returns the tag.
    fn compare(&self, caller: &mut Caller<'_>, query: &str, tag: Option<&str>, own: &mut Outcome) -> Option<String> {
        let key = &self.services.credentials().test_key;
        let mut ask = Ask::new(Interface::Catalogue, "GET", format!("/libros?{query}")).header("X-API-Key", key);
        if let Some(tag) = tag {
            ask = ask.header("If-None-Match", tag);
        }
        let exchanges = [0, 1].map(|side| caller.ask(side, &ask));
        own.compared += 1;
        match self.judged(query, &exchanges, own) {
            Ok(tag) => tag,
            Err(what) => {
                let curls =
                    exchanges.each_ref().map(|exchange| format!("{}\n{}", exchange.sent.curl(), exchange.transcript()));
                let mut outcome = self.outcome.lock().unwrap();
                outcome.differences.push(format!("\n{what}\nreference: {}\nimpostor: {}", curls[0], curls[1]));
                if outcome.differences.len() >= TOLD_MAX {
                    self.enough.store(true, Ordering::Relaxed);
                }
                None
            }
        }
    }

    fn judged(&self, query: &str, exchanges: &[Exchange; 2], own: &mut Outcome) -> Result<Option<String>, String> {
        let [left, right] =
            exchanges.each_ref().map(|exchange| exchange.received.as_ref().map_err(ToString::to_string));
        let (left, right) = (left?, right?);
        own.not_modified += u64::from(left.status == 304);
        own.without_books += u64::from(left.header("x-total-count").is_some_and(|total| total == "0"));
        let compared = Comparison { pairing: &mut Pairing::default(), is_head: false }.replies(left, right);
        match compared {
            // The bytes must be equal, too: the times are the same to the millisecond.
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
