//! The writer thread: what it writes together, in what order it confirms, and what becomes of what failed.

use std::sync::{Arc, Mutex};

use futures_executor::block_on;

use super::group::GROUP_MAX;
use super::interface::{NotDurable, Store};
use super::journal::{Confirmation, Journal};
use super::order::Decision;
use super::record::{Change, Changes, Kind};

/// Remembers groups, and fails where a key says so.
#[derive(Clone, Default)]
struct Spy {
    groups: Arc<Mutex<Vec<usize>>>,
}

impl Store for Spy {
    fn commit(&mut self, changes: &[Change]) -> anyhow::Result<()> {
        anyhow::ensure!(!changes.contains(&remove("bad")), "told to fail");
        self.groups.lock().expect("no panic").push(changes.len());
        Ok(())
    }
}

fn remove(key: &str) -> Change {
    Change::Remove { kind: Kind::BOOKS, key: key.to_owned() }
}

fn wait(confirmation: Confirmation) -> Result<(), NotDurable> {
    block_on(confirmation)
}

#[test]
fn everything_queued_is_written_before_the_thread_ends() {
    let spy = Spy::default();
    let (journal, thread) = Journal::start(spy.clone()).expect("a thread");
    for key in 0..3000 {
        drop(journal.submit(vec![remove(&key.to_string())]));
    }
    drop(thread);
    let groups = spy.groups.lock().expect("no panic");
    assert_eq!(groups.iter().sum::<usize>(), 3000);
    assert!(groups.iter().all(|size| *size <= GROUP_MAX), "{groups:?}");
}

#[test]
fn a_submission_hears_its_fate_and_the_next_one_goes_on() {
    let (journal, _thread) = Journal::start(Spy::default()).expect("a thread");
    assert_eq!(wait(journal.submit(vec![remove("bad")])), Err(NotDurable::Failed));
    assert_eq!(wait(journal.submit(vec![remove("good")])), Ok(()));
}

/// Notes its number when it is committed.
struct Noting(usize, bool, Arc<Mutex<Vec<(usize, bool)>>>);

impl Decision for Noting {
    fn stands(&self) -> bool {
        self.1
    }

    fn on_commit(self: Box<Self>, durable: bool) {
        self.2.lock().expect("no panic").push((self.0, durable));
    }
}

#[test]
fn decisions_hear_their_fate_in_order_before_the_confirmation_and_fallen_ones_are_not_written() {
    let spy = Spy::default();
    let (journal, thread) = Journal::start(spy.clone()).expect("a thread");
    let seen = Arc::new(Mutex::new(Vec::new()));
    let mut fates = Vec::new();
    for number in 0..100 {
        let mut changes = Changes::default();
        changes.remove(Kind::BOOKS, "a".to_owned());
        let decision = Noting(number, number % 3 == 0, Arc::clone(&seen));
        fates.push(journal.submit_decision(changes, Box::new(decision)));
    }
    let expected: Vec<(usize, bool)> = (0..100).map(|number| (number, number % 3 == 0)).collect();
    for (fate, (_, durable)) in fates.into_iter().zip(&expected) {
        assert_eq!(wait(fate).is_ok(), *durable);
    }
    assert_eq!(*seen.lock().expect("no panic"), expected);
    drop(thread);
    assert_eq!(spy.groups.lock().expect("no panic").iter().sum::<usize>(), 34);
}

#[test]
fn nothing_is_durable_once_the_thread_has_ended() {
    let (journal, thread) = Journal::start(Spy::default()).expect("a thread");
    drop(thread);
    assert_eq!(wait(journal.submit(vec![remove("a")])), Err(NotDurable::Failed));
}
