//! The answers that clients got, and the check that one server could have given them. The state is the list of all writes, and each write
//! answers its place in it: so the final log checks any history exactly.

use std::collections::BTreeSet;
use std::time::Duration;

use crate::record::{Change, Kind};
use crate::repository::State;

/// Numbers from here on are asked for several times.
pub(super) const CODES: u64 = 1_000_000;

/// The writes, in the order in which they took place.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Written(pub(super) Vec<u64>);

impl State for Written {
    fn take_in(&mut self, change: &Change) -> Result<bool, String> {
        match change {
            Change::Put { doc, .. } => self.0.push(doc.parse().map_err(|_| format!("{doc:?} is no number"))?),
            Change::Clear { kind: Kind::BOOKS } => self.0.clear(),
            _ => return Ok(false),
        }
        Ok(true)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Answer {
    /// A write, and how many had taken place before it.
    Wrote {
        number: u64,
        before: usize,
    },
    /// A write was refused because the collection already held this many.
    Full(usize),
    /// A write was refused because its number was there, among this many.
    Taken(u64, usize),
    Read(Vec<u64>),
    NotWritten(u64),
    NotRead,
}

/// What was answered, and when: in the order of the run, and in its time.
#[derive(Debug)]
pub(super) struct Answered {
    pub(super) replica: usize,
    pub(super) began: usize,
    pub(super) ended: usize,
    pub(super) began_at: Duration,
    pub(super) answer: Answer,
}

/// Whether answers are those of one server whose writes took place in the order of `truth`.
pub(super) fn check(history: &[Answered], truth: &[u64]) -> Result<(), String> {
    let distinct: BTreeSet<&u64> = truth.iter().collect();
    if distinct.len() != truth.len() {
        return Err("a write took place twice".to_owned());
    }
    // How many writes had taken place, at least, when an answer came.
    let mut seen: Vec<(usize, usize)> = Vec::new();
    for Answered { answer, ended, .. } in history {
        match answer {
            Answer::Wrote { number, before } if truth.get(*before) != Some(number) => {
                return Err(format!("write {number} is confirmed at place {before}, and is not there"));
            }
            Answer::Taken(number, _) if *number < CODES => {
                return Err(format!("{number} was refused as taken, and no other asked for it"));
            }
            Answer::Read(read) if !truth.starts_with(read) => {
                return Err(format!("{read:?} was read, but never was the state"));
            }
            Answer::Full(found) if *found > truth.len() => {
                return Err(format!("a refusal rests on {found} writes, which there never were"));
            }
            Answer::Taken(number, count) if !truth.iter().take(*count).any(|taken| taken == number) => {
                return Err(format!("{number} was refused as taken, and is not there"));
            }
            Answer::Wrote { before, .. } => seen.push((*ended, before + 1)),
            Answer::Read(read) => seen.push((*ended, read.len())),
            Answer::Full(found) | Answer::Taken(_, found) => seen.push((*ended, *found)),
            Answer::NotWritten(_) | Answer::NotRead => {}
        }
    }
    for Answered { answer, began, ended, .. } in history {
        let knows = match answer {
            Answer::Wrote { before: count, .. } | Answer::Full(count) | Answer::Taken(_, count) => *count,
            Answer::Read(read) => read.len(),
            Answer::NotWritten(_) | Answer::NotRead => continue,
        };
        let known = seen.iter().filter(|(at, _)| at < began).map(|(_, count)| *count).max().unwrap_or(0);
        if knows < known {
            return Err(format!(
                "{answer:?} from step {began} to {ended} does not know of {known} writes answered before"
            ));
        }
    }
    Ok(())
}

#[test]
fn the_check_finds_what_is_wrong() {
    let answered = |began, ended, answer| Answered { replica: 0, began, ended, began_at: Duration::ZERO, answer };
    let wrote = |number, before| Answer::Wrote { number, before };
    for (history, truth) in [
        (vec![answered(1, 2, wrote(7, 0))], vec![]),
        (vec![answered(1, 2, wrote(7, 0)), answered(3, 4, Answer::Read(vec![]))], vec![7]),
        (vec![answered(1, 2, Answer::Read(vec![8]))], vec![7]),
        (vec![answered(1, 2, wrote(7, 1)), answered(3, 4, wrote(8, 0))], vec![8, 7]),
        (vec![], vec![7, 7]),
    ] {
        assert!(check(&history, &truth).is_err(), "{history:?}");
    }
}
