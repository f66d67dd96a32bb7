//! Linearizability: whether one order explains what clients saw of a book, each operation taking effect between request and answer.
//!
//! The search of Wing and Gong, with Lowe's memory of visited configurations.

use std::collections::HashSet;

/// The effect of an operation on the book, by its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    Saw(u32),
    Stored(u32),
    Removed,
    Missed,
}

/// One operation of a client; times in microseconds on one clock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation {
    /// The client, from 0; its operations follow one another.
    pub client: usize,
    pub effect: Effect,
    pub sent_us: u64,
    /// `None` without an answer: it may have taken effect at any time after it was sent, or never.
    pub answered_us: Option<u64>,
}

/// The longest history that can be judged.
pub const OPERATIONS_MAX: usize = 128;

type Book = Option<u32>;

impl Effect {
    /// The book after the operation; `None` if the book contradicts this effect.
    fn on(self, book: Book) -> Option<Book> {
        match (self, book) {
            (Self::Saw(version), Some(current)) => (version == current).then_some(book),
            (Self::Stored(version), Some(_)) => Some(Some(version)),
            (Self::Removed, Some(_)) => Some(None),
            (Self::Missed, None) => Some(None),
            (Self::Saw(_) | Self::Stored(_) | Self::Removed, None) | (Self::Missed, Some(_)) => None,
        }
    }
}

/// Whether some order explains all answers; the book begins with version `first`.
pub fn is_linearizable(history: &[Operation], first: u32) -> bool {
    debug_assert!(history.len() <= OPERATIONS_MAX, "the operations done are bits of one word");
    search(&settled(history, first), 0, Some(first), &mut HashSet::new())
}

/// Decides unanswered replaces, since each would double the search. Drops a replace whose version no read saw; a replace with a unique
/// version took effect before the first answer that showed it.
fn settled(history: &[Operation], first: u32) -> Vec<Operation> {
    let settle = |operation: &Operation| {
        let (Effect::Stored(version), None) = (operation.effect, operation.answered_us) else {
            return Some(operation.clone());
        };
        let reads = history.iter().filter(|other| other.effect == Effect::Saw(version));
        let earliest = reads.filter_map(|read| read.answered_us).min()?;
        let stores = history.iter().filter(|other| other.effect == operation.effect).count();
        let is_unique = stores == 1 && version != first;
        Some(Operation { answered_us: is_unique.then_some(earliest), ..operation.clone() })
    };
    history.iter().filter_map(settle).collect()
}

/// Searches from a configuration: the operations that have taken effect, and the book after them.
fn search(history: &[Operation], done: u128, book: Book, seen: &mut HashSet<(u128, Book)>) -> bool {
    let left = || history.iter().enumerate().filter(move |(index, _)| done >> index & 1 == 0);
    // An operation sent after an answer cannot have taken effect before the answered one.
    let Some(earliest_us) = left().filter_map(|(_, operation)| operation.answered_us).min() else {
        return true;
    };
    if !seen.insert((done, book)) {
        return false;
    }
    left().filter(|(_, operation)| operation.sent_us <= earliest_us).any(|(index, operation)| {
        operation.effect.on(book).is_some_and(|book| search(history, done | 1 << index, book, seen))
    })
}

/// A minimal part of a history that no order explains: without any one operation, an order explains it or an answer has no cause.
pub fn shrunk(history: &[Operation], first: u32) -> Vec<Operation> {
    let mut kept = history.to_vec();
    let mut index = 0;
    while index < kept.len() {
        let mut fewer = kept.clone();
        let left_out = fewer.remove(index);
        if is_needed(&left_out, &fewer) || is_linearizable(&fewer, first) {
            index += 1;
        } else {
            kept = fewer;
            index = 0;
        }
    }
    kept
}

fn is_needed(operation: &Operation, others: &[Operation]) -> bool {
    let answers = |effect: Effect| others.iter().any(|other| other.effect == effect);
    match operation.effect {
        Effect::Stored(version) => answers(Effect::Saw(version)),
        Effect::Removed => answers(Effect::Missed),
        Effect::Saw(_) | Effect::Missed => false,
    }
}

/// The history as text, a line per client; operations are as wide as they are long in the order of events.
pub fn lanes(history: &[Operation]) -> String {
    let ended = |operation: &Operation| operation.answered_us.map_or("no answer", |_| "done");
    let label = |operation: &Operation| match operation.effect {
        Effect::Saw(version) => format!("read: version {version}"),
        Effect::Stored(version) => format!("replace by version {version}: {}", ended(operation)),
        Effect::Removed => format!("delete: {}", ended(operation)),
        Effect::Missed => "404".to_owned(),
    };
    let ends = |(index, operation): (usize, &Operation)| {
        [(operation.sent_us, false, index), (operation.answered_us.unwrap_or(u64::MAX), true, index)]
    };
    let mut moments: Vec<(u64, bool, usize)> = history.iter().enumerate().flat_map(ends).collect();
    moments.sort_unstable();
    let mut columns = vec![(0, 0); history.len()];
    let mut column = 0;
    for (_, is_answer, index) in moments {
        let (start, end) = &mut columns[index];
        if is_answer {
            column = column.max(*start + label(&history[index]).chars().count() + 3);
            *end = column;
        } else {
            *start = column;
        }
        column += 1;
    }
    let clients = history.iter().map(|operation| operation.client).max().map_or(0, |last| last + 1);
    let lane = |client: usize| {
        let mut line = String::new();
        for (operation, (start, end)) in history.iter().zip(&columns).filter(|(o, _)| o.client == client) {
            let gap = start.saturating_sub(line.chars().count());
            let label = label(operation);
            let rest = (end - start).saturating_sub(label.chars().count() + 3);
            line.push_str(&format!("{}|{label} {}|", " ".repeat(gap), "-".repeat(rest)));
        }
        (!line.is_empty()).then(|| format!("client {}  {line}", client + 1))
    };
    (0..clients).filter_map(lane).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn operation(client: usize, effect: Effect, sent_us: u64, answered_us: u64) -> Operation {
        Operation { client, effect, sent_us, answered_us: Some(answered_us) }
    }

    #[test]
    fn a_deleted_book_stays_away() {
        let removed = operation(0, Effect::Removed, 0, 4);
        assert!(!is_linearizable(&[removed.clone(), operation(1, Effect::Stored(2), 5, 9)], 1));
        assert!(!is_linearizable(&[removed.clone(), operation(1, Effect::Removed, 2, 9)], 1));
        assert!(is_linearizable(&[removed, operation(1, Effect::Missed, 2, 9)], 1));
    }

    #[test]
    fn what_is_shown_of_a_failure_is_small_and_drawn_in_lanes() {
        let mut history: Vec<Operation> =
            (0..20).map(|at| operation(2, Effect::Saw(1), at * 10, at * 10 + 5)).collect();
        history.push(operation(0, Effect::Stored(2), 300, 310));
        history.push(operation(1, Effect::Saw(2), 305, 330));
        history.push(operation(2, Effect::Saw(1), 340, 350));
        let small = shrunk(&history, 1);
        assert_eq!(
            lanes(&small),
            "client 1  |replace by version 2: done |\n\
             client 3                                |read: version 1 |"
        );
    }

    /// Whether some order of all operations explains them; tries every order.
    fn by_permutation(history: &[Operation], first: u32) -> bool {
        fn any_order(left: &[&Operation], book: Book) -> bool {
            left.iter().all(|operation| operation.answered_us.is_none())
                || (0..left.len()).any(|next| {
                    let mut rest = left.to_vec();
                    let next = rest.remove(next);
                    let is_first = rest.iter().all(|other| other.answered_us.is_none_or(|at| at >= next.sent_us));
                    is_first && next.effect.on(book).is_some_and(|book| any_order(&rest, book))
                })
        }
        any_order(&history.iter().collect::<Vec<_>>(), Some(first))
    }

    fn histories() -> impl Strategy<Value = Vec<Operation>> {
        let effect = prop_oneof![
            4 => (1..4_u32).prop_map(Effect::Saw),
            2 => (2..4_u32).prop_map(Effect::Stored),
            1 => Just(Effect::Removed),
            1 => Just(Effect::Missed),
        ];
        let operation = (0..3_usize, effect, 0..30_u64, prop::option::weighted(0.8, 0..12_u64)).prop_map(
            |(client, effect, sent_us, took)| {
                // A read without an answer shows nothing.
                let took = took.or(matches!(effect, Effect::Saw(_) | Effect::Missed).then_some(5));
                Operation { client, effect, sent_us, answered_us: took.map(|took| sent_us + took) }
            },
        );
        prop::collection::vec(operation, 1..7)
    }

    proptest! {
        #[test]
        fn the_search_agrees_with_trying_every_order(history in histories()) {
            prop_assert_eq!(is_linearizable(&history, 1), by_permutation(&history, 1));
        }

        #[test]
        fn a_shrunk_failure_is_still_one(history in histories()) {
            if !is_linearizable(&history, 1) {
                prop_assert!(!is_linearizable(&shrunk(&history, 1), 1));
            }
        }
    }
}
