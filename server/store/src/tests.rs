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
        let bad = Change::Remove { kind: Kind::BOOKS, key: "bad".to_owned() };
        anyhow::ensure!(!changes.contains(&bad), "set to fail");
        self.groups.lock().expect("no panic").push(changes.len());
        Ok(())
    }
}

/// Notes its number when it is committed or has failed.
#[derive(Clone)]
struct Noting {
    number: usize,
    stands: bool,
    seen: Arc<Mutex<Vec<(usize, bool)>>>,
}

impl Decision for Noting {
    fn stands(&self) -> bool {
        self.stands
    }

    fn on_commit(self: Box<Self>, durable: bool) {
        self.seen.lock().expect("no panic").push((self.number, durable));
    }
}

fn submit(journal: &Journal, key: &str, decision: Noting) -> Confirmation {
    let mut changes = Changes::default();
    changes.remove(Kind::BOOKS, key.to_owned());
    journal.submit(changes, Box::new(decision))
}

#[test]
fn everything_queued_is_written_in_groups_before_the_thread_ends_but_for_fallen_decisions() {
    let (spy, seen) = (Spy::default(), Arc::default());
    let (journal, thread) = Journal::start(spy.clone()).expect("a thread");
    let expected: Vec<(usize, bool)> = (0..3000).map(|number| (number, number % 3 == 0)).collect();
    for (number, stands) in expected.iter().copied() {
        drop(submit(&journal, "a", Noting { number, stands, seen: Arc::clone(&seen) }));
    }
    drop(thread);
    assert_eq!(*seen.lock().expect("no panic"), expected, "in order");
    let groups = spy.groups.lock().expect("no panic");
    assert_eq!(groups.iter().sum::<usize>(), 1000);
    assert!(groups.iter().all(|size| *size <= GROUP_MAX), "{groups:?}");
    let late = submit(&journal, "a", Noting { number: 0, stands: true, seen });
    assert_eq!(block_on(late), Err(NotDurable::Failed), "nothing is durable once the thread has ended");
}

#[test]
fn a_submission_hears_its_fate_and_the_next_one_goes_on() {
    let (journal, _thread) = Journal::start(Spy::default()).expect("a thread");
    let decision = Noting { number: 0, stands: true, seen: Arc::default() };
    assert_eq!(block_on(submit(&journal, "bad", decision.clone())), Err(NotDurable::Failed));
    assert_eq!(block_on(submit(&journal, "good", decision)), Ok(()));
}
