//! Writers, a refusal, a reader, a failing commit and a stop, on a list of numbers that only grows.

use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use shuttle::thread;

use super::interface::NotDurable;
use super::journal::Journal;
use super::repository::{Decided, Repository};
use super::{BAD, Disk, note, play};

type Numbers = Repository<Vec<u32>>;

/// Adds a number; returns the state that the writer saw.
fn add(repository: &Arc<Numbers>, number: u32) -> Decided<Vec<u32>> {
    repository.decide(|state, changes| {
        state.push(number);
        note(number, changes);
        state.clone()
    })
}

/// Reads within a decision and changes nothing, as a refused request does.
fn look(repository: &Arc<Numbers>) -> Decided<Vec<u32>> {
    repository.decide(|state, _| state.clone())
}

/// A confirmed outcome must rest on durable and published changes alone.
fn check(seen: &Result<Vec<u32>, NotDurable>, disk: &Disk, repository: &Numbers) {
    let Ok(seen) = seen else { return };
    assert!(disk.stored().starts_with(seen), "{seen:?} is not durable: {:?}", disk.stored());
    assert!(repository.published().starts_with(seen), "{seen:?} is not published");
}

/// Two writers with two numbers each, one of which the disk refuses; a refusal; a reader; a stop at any moment.
fn scene(disk: &Disk) {
    let (journal, journal_thread) = Journal::start(disk.clone()).expect("a thread");
    let repository = Arc::new(Numbers::new(Vec::new(), journal));
    let mut threads = Vec::new();
    for numbers in [[1, BAD], [2, 3]] {
        let (repository, disk) = (Arc::clone(&repository), disk.clone());
        threads.push(thread::spawn(move || {
            let [first, second] = numbers.map(|number| add(&repository, number));
            check(&second.wait(), &disk, &repository);
            // Confirmations come in the order of decisions.
            let Poll::Ready(first) = pin!(first.durable()).poll(&mut Context::from_waker(Waker::noop())) else {
                panic!("the second is confirmed before the first");
            };
            check(&first, &disk, &repository);
        }));
    }
    let (refused, refused_disk) = (Arc::clone(&repository), disk.clone());
    threads.push(thread::spawn(move || check(&look(&refused).wait(), &refused_disk, &refused)));
    let (read, read_disk) = (Arc::clone(&repository), disk.clone());
    threads.push(thread::spawn(move || {
        let mut before = Vec::new();
        for _ in 0..3 {
            let now = Vec::clone(&read.published());
            assert!(read_disk.stored().starts_with(&now), "{now:?} is published and not durable");
            assert!(now.starts_with(&before), "{now:?} was {before:?}");
            before = now;
        }
    }));
    drop(journal_thread);
    threads.into_iter().for_each(|thread| thread.join().expect("it holds"));
    assert_eq!(**repository.published(), disk.stored(), "what is durable is published in the end");
    assert!(!disk.stored().contains(&BAD));
}

#[test]
fn what_is_published_confirmed_or_refused_rests_on_what_is_durable_in_every_schedule() {
    play(|| scene(&Disk::default()));
}

#[test]
#[should_panic(expected = "not durable")]
fn a_disk_that_confirms_what_it_does_not_store_is_noticed() {
    play(|| scene(&Disk { lies: true, ..Disk::default() }));
}

#[test]
fn after_a_failed_commit_everything_goes_on_in_every_schedule() {
    play(|| {
        let disk = Disk::default();
        let (journal, _journal_thread) = Journal::start(disk.clone()).expect("a thread");
        let repository = Arc::new(Numbers::new(Vec::new(), journal));
        let writer = |numbers: [u32; 2]| {
            let repository = Arc::clone(&repository);
            thread::spawn(move || numbers.map(|number| add(&repository, number)).map(Decided::wait))
        };
        let threads = [writer([1, BAD]), writer([2, 3])];
        let outcomes = threads.map(|thread| thread.join().expect("it holds"));
        assert_eq!(outcomes[0][1], Err(NotDurable::Failed));
        // Once a failed write is answered, it makes no later write fail.
        let last = add(&repository, 4).wait().expect("stored");
        assert_eq!((&last, last.last()), (&disk.stored(), Some(&4)));
        let mut confirmed = outcomes.as_flattened().iter().flatten().filter_map(|seen| seen.last());
        assert!(confirmed.all(|number| last.contains(number)), "{outcomes:?}, then {last:?}");
    });
}
