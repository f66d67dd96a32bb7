//! The suite judges the reference with a real catalogue in it, without a control listener, and leaves each of its books unchanged.

mod program;

use std::path::Path;
use std::time::Duration;

use libros_conformance::chapters::cases;
use libros_conformance::context::session::Session;
use libros_conformance::contract::rule::Contract;
use libros_conformance::implementation::profile::{Interface, Target};
use libros_conformance::implementation::reference;
use libros_conformance::runner::outcome::{CaseOutcome, Verdict};
use libros_conformance::runner::run::{Plan, run};
use libros_conformance::runner::select::Selection;
use serde_json::Value;

use crate::program::PROGRAM;

const WAIT: Duration = Duration::from_secs(60);

fn newest_book(target: &Target) -> Value {
    let url = format!("{}/libros?limit=1&sort=-id", target.address(Interface::Catalogue).unwrap().url());
    let client = reqwest::blocking::Client::builder().no_proxy().timeout(WAIT).build().unwrap();
    client.get(url).header("X-API-Key", &target.credentials.test_key).send().unwrap().json().unwrap()
}

#[test]
fn a_strangers_target_is_judged_and_left_as_it_was() {
    let books = concat!(env!("CARGO_MANIFEST_DIR"), "/../fixtures/books/classics.jsonl");
    let program = Path::new(PROGRAM);
    let launched = reference::start_with(program, &["--ephemeral", "--books", books], WAIT).unwrap();
    let mut target = reference::target(&launched.urls).unwrap();
    target.control = None;
    let before = newest_book(&target);
    let session = Session::new(target.clone(), None, 1, 16, WAIT);
    let all = cases::all();
    let selected = Selection::default().select(&all, Contract::built_in()).unwrap();
    let plan = Plan { jobs: 4, keeps_traffic: true, ..Plan::default() };
    let outcome = run(&session, &selected, &plan);
    let fine = [Verdict::Pass, Verdict::Noted, Verdict::Skipped];
    let bad = outcome.cases.iter().filter(|case| !fine.contains(&case.verdict));
    let bad: Vec<_> = bad.map(|case| (&case.id, &case.message)).collect();
    assert!(bad.is_empty(), "{bad:#?}");
    assert!(outcome.count(Verdict::Skipped) > 0 && outcome.count(Verdict::Pass) > 100);
    let after = newest_book(&target);
    let left = after["datos"][0]["id"].as_u64().unwrap();
    let makers: Vec<_> = outcome.cases.iter().filter(|case| made(case, left)).map(|case| case.id.as_str()).collect();
    assert_eq!(after, before, "books were left behind, or taken away; book {left} was made by {makers:?}");
}

fn made(case: &CaseOutcome, id: u64) -> bool {
    let answers = case.exchanges.iter().filter_map(|exchange| exchange.received.as_ref().ok());
    answers.filter(|answer| answer.status == 201).any(|answer| answer.json().is_some_and(|book| book["id"] == id))
}
