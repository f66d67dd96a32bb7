//! Accounts beside books on one journal: a backup code that two ask for at once, and a book that makes the common commit fail.

use std::sync::Arc;

use shuttle::thread;

use super::journal::Journal;
use super::repository::Repository;
use super::{BAD, Disk, note, play};

const CODE: u32 = 7;

/// The codes not yet used.
type Codes = Repository<Vec<u32>>;

/// Whether the code lets in; as with attempts, a refusal leaves its mark where it says so.
fn redeem(codes: &Arc<Codes>, marks_refusals: bool) -> Option<bool> {
    let decided = codes.decide(|unused, changes| {
        let is_right = unused.contains(&CODE);
        unused.retain(|code| *code != CODE);
        if is_right {
            note(CODE, changes);
        } else if marks_refusals {
            note(0, changes);
        }
        is_right
    });
    decided.wait().ok()
}

fn scene(marks_refusals: bool) {
    let disk = Disk::default();
    let (journal, _journal_thread) = Journal::start(disk.clone()).expect("a thread");
    let codes = Arc::new(Codes::new(vec![CODE], journal.clone()));
    let books = Arc::new(Repository::new(Vec::new(), journal));
    let asking = [(); 2].map(|()| {
        let (codes, disk) = (Arc::clone(&codes), disk.clone());
        thread::spawn(move || {
            let is_accepted = redeem(&codes, marks_refusals);
            // Let in or refused as used: either way the code is used for good.
            assert!(is_accepted.is_none() || disk.stored().contains(&CODE));
            assert!(is_accepted.is_none() || !codes.published().contains(&CODE));
            is_accepted
        })
    });
    let failing = thread::spawn(move || {
        let decided = books.decide(|books: &mut Vec<u32>, changes| {
            books.push(BAD);
            note(BAD, changes);
        });
        assert!(decided.wait().is_err());
        assert!(books.published().is_empty());
    });
    let outcomes = asking.map(|thread| thread.join().expect("it holds"));
    failing.join().expect("it holds");
    let accepted = outcomes.iter().filter(|outcome| **outcome == Some(true)).count();
    let is_used = disk.stored().contains(&CODE);
    assert!(accepted == usize::from(is_used), "{outcomes:?}, stored {:?}", disk.stored());
    assert_eq!(redeem(&codes, marks_refusals), Some(!is_used), "a code that was not used is still good");
}

#[test]
fn a_code_lets_in_once_and_is_refused_as_used_only_once_it_is_in_every_schedule() {
    play(|| scene(false));
}

#[test]
fn a_refusal_that_leaves_a_mark_holds_to_the_same() {
    play(|| scene(true));
}
