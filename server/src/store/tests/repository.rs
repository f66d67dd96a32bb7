//! The state in two versions: what is published, what falls with a failed commit, what waits.

use std::sync::Arc;

use super::super::interface::{NotDurable, Store};
use super::super::journal::Journal;
use super::super::record::{Change, Changes, Kind};
use super::super::repository::{Decided, Repository, State};

impl State for Vec<u32> {
    fn take_in(&mut self, change: &Change) -> Result<bool, String> {
        let Change::Put { doc, .. } = change else { return Ok(false) };
        self.push(doc.parse().map_err(|_| format!("{doc} is no number"))?);
        Ok(true)
    }
}

/// Fails to store the number 13.
struct Superstitious;

impl Store for Superstitious {
    fn commit(&mut self, changes: &[Change]) -> anyhow::Result<()> {
        let is_bad = |change: &Change| matches!(change, Change::Put { doc, .. } if **doc == *"13");
        anyhow::ensure!(!changes.iter().any(is_bad), "told to fail");
        Ok(())
    }
}

fn put(number: u32) -> impl FnOnce(&mut Vec<u32>, &mut Changes) -> Vec<u32> {
    move |state, changes| {
        state.push(number);
        changes.put(Kind::BOOKS, number.to_string(), number.to_string());
        state.clone()
    }
}

#[test]
fn what_is_confirmed_is_published_and_what_failed_is_not() {
    let (journal, _thread) = Journal::start(Superstitious).expect("a thread");
    let repository = Arc::new(Repository::new(Vec::new(), journal));
    for (number, expected) in [(1, Ok(vec![1])), (13, Err(NotDurable::Failed)), (2, Ok(vec![1, 2]))] {
        assert_eq!(repository.decide(put(number)).wait(), expected, "{number}");
    }
    assert_eq!(**repository.published(), [1, 2]);
}

#[test]
fn a_decision_without_changes_leaves_no_trace_and_waits_for_nobody() {
    let (journal, _thread) = Journal::start(Superstitious).expect("a thread");
    let repository = Arc::new(Repository::new(vec![1], journal));
    let decided = repository.decide(|state, _| {
        state.push(2);
        state.len()
    });
    assert!(decided.confirmation.is_none());
    assert_eq!(decided.outcome, 2);
    assert_eq!(repository.decide(|state, _| state.len()).wait(), Ok(1));
}

#[test]
fn whatever_was_decided_on_a_failed_decision_falls_with_it() {
    let (journal, _thread) = Journal::start(Superstitious).expect("a thread");
    let repository = Arc::new(Repository::new(Vec::new(), journal));
    let mut decided: Vec<Decided<Vec<u32>>> = [1, 13, 2, 3].map(|number| repository.decide(put(number))).into();
    decided.push(repository.decide(|state, _| state.clone()));
    // What stands is what was written before the failure, or decided after it: never seen is what failed.
    let standing: Vec<Vec<u32>> = decided.into_iter().filter_map(|decided| decided.wait().ok()).collect();
    assert!(standing.iter().all(|seen| !seen.contains(&13)), "{standing:?}");
    let last = standing.last().cloned().unwrap_or_default();
    assert_eq!(**repository.published(), last);
}
