//! Stores books on the reference, gives them to the model, asks both the same list queries, and compares every header and every byte.

use libros_conformance::generate::histories::{Service as _, StepRequest, Stocked};
use libros_conformance::generate::inputs::dice;
use libros_conformance::generate::queries::{Domain, queries, sample_books};
use libros_conformance::http::chain::on_threads;
use libros_conformance::http::exchange::Received;
use libros_conformance_model::list::have_order;
use libros_conformance_model::list::steps::ListSteps;
use percent_encoding::percent_decode_str;
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::{Config, TestRng, TestRunner};
use serde_json::Value;

use super::Outcome;
use super::compare::Comparison;
use super::draw::drawn;
use super::reference::{PROFILE, Reference};

/// Queries per collection of books.
const OF_A_COLLECTION: u64 = 20_000;
const THREADS: u64 = 4;
/// A thread stops after this many differences.
const DIFFERENCES_MAX: usize = 3;

/// Characters that may be raw in a query, besides letters, digits and its delimiters.
const RAW: &[u8] = b"-._~!$'()*,;:@/?";

pub(crate) fn run(queries: u64, seed: u64) -> Outcome {
    let reference = &Reference::start();
    let mut outcome = Outcome::default();
    for number in 0..queries.div_ceil(OF_A_COLLECTION) {
        let books = &stocked(reference, seed, number);
        let many = OF_A_COLLECTION.min(queries - number * OF_A_COLLECTION).div_ceil(THREADS);
        let of_threads = on_threads(THREADS as usize, |thread| {
            asked(reference, books, many, dice(seed, &format!("collection {number}, thread {thread}")))
        });
        of_threads.into_iter().for_each(|own| outcome.add(own));
        outcome.count("collections", 1);
        if !outcome.differences.is_empty() {
            break;
        }
    }
    outcome
}

/// Stores books on the reference, and returns them as stored.
fn stocked(reference: &Reference, seed: u64, number: u64) -> Vec<Value> {
    reference.control.reset().unwrap();
    let send = |it: StepRequest| reference.send(&it.header("X-API-Key", &PROFILE.credentials.admin_key)).unwrap();
    // Every fourth collection keeps the initial books.
    if !number.is_multiple_of(4) {
        (1..=5).for_each(|id| drop(send(StepRequest::new("DELETE", format!("/libros/{id}")))));
    }
    for book in sample_books(&mut dice(seed, &format!("collection {number}"))) {
        send(StepRequest::new("POST", "/libros").json(book.to_string()));
    }
    let list = send(StepRequest::new("GET", "/libros?limit=100"));
    list.json().unwrap()["datos"].as_array().unwrap().clone()
}

/// Asks both this many queries.
fn asked(reference: &Reference, books: &[Value], many: u64, mut dice: TestRng) -> Outcome {
    let (usual, nonsense) = (queries(Domain::Open, &mut dice), drawn("nonsense"));
    let mut runner = TestRunner::new_with_rng(Config { failure_persistence: None, ..Config::default() }, dice);
    let model = Stocked::new(books.to_vec());
    let mut outcome = Outcome::default();
    // The last query whose answer had a tag, and the tag.
    let mut known: Option<(String, String)> = None;
    while outcome.counts.get("queries").is_none_or(|asked| *asked < many) && outcome.differences.len() < DIFFERENCES_MAX
    {
        let drawn = runner.rng().next_u32();
        let usual = usual.new_tree(&mut runner).unwrap().current().to_string();
        let nonsense = nonsense.new_tree(&mut runner).unwrap().current();
        let query = match drawn % 8 {
            0 => nonsense,
            1 => format!("{usual}&{nonsense}"),
            2..=4 => respelled(&usual, runner.rng()),
            _ => usual,
        };
        let again = known.take().filter(|_| (drawn / 8).is_multiple_of(8));
        let (query, tag) = again.map_or((query, None), |(query, tag)| (query, Some(tag)));
        let get =
            StepRequest::new("GET", format!("/libros?{query}")).header("X-API-Key", &PROFILE.credentials.test_key);
        let get = tag.into_iter().fold(get, |get, tag| get.header("If-None-Match", tag));
        let [got, want] = [reference.send(&get).unwrap(), model.reply(&get)];
        outcome.count("queries", 1);
        outcome.count("answers of 304", u64::from(got.status == 304));
        outcome
            .count("answers without books", u64::from(got.header("x-total-count").is_some_and(|total| total == "0")));
        let found = Comparison::default().replies(&get, &got, &want);
        // The bytes must be equal, too: the model has the books of the reference.
        if found.is_ok() && got.body == want.body {
            known = got.header("etag").map(|tag| (query, tag));
        } else if is_order_all(&got, &want) && !have_order(books, &query, &ListSteps::default()) {
            outcome.count("answers whose order nothing decides", 1);
        } else {
            let transcript = reference.transcript([&get; 2], [&got, &want]);
            let curl = reference.sent(&get).curl();
            outcome.differences.push(format!("{query}: {found:?}, or bytes of the body\n{curl}\n{transcript}"));
        }
    }
    outcome
}

/// Whether two replies can differ only in the order of books: equal pages of the same length, or one is unchanged.
fn is_order_all(left: &Received, right: &Received) -> bool {
    let (Some(of_left), Some(of_right)) = (left.json(), right.json()) else {
        return [left, right].iter().any(|reply| reply.status == 304);
    };
    let shown = |list: &Value| list["datos"].as_array().map(Vec::len);
    of_left["metadata"] == of_right["metadata"] && shown(of_left) == shown(of_right)
}

/// The same query in another spelling: needless percent-encoding, raw characters.
fn respelled(query: &str, dice: &mut TestRng) -> String {
    let mut spelled = |byte: u8| match dice.next_u32() % 8 {
        0 => format!("%{byte:02x}"),
        2.. if byte == b' ' => "+".to_owned(),
        2.. if byte.is_ascii_alphanumeric() || RAW.contains(&byte) => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    let respelled = query.split_inclusive(['&', '=', '+']).map(|piece| {
        let text = piece.trim_end_matches(['&', '=', '+']);
        percent_decode_str(text).map(&mut spelled).collect::<String>() + &piece[text.len()..]
    });
    respelled.collect()
}
