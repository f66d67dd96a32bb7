//! Cases of the chapter consistency: what several clients see of one book at the same time fits one order.

use std::time::Instant;

use proptest::prelude::Rng as _;
use proptest::test_runner::TestRng;

use crate::chapters::prelude::*;
use crate::generate::inputs::dice;
use crate::oracle::linearizability::{Effect, OPERATIONS_MAX, Operation, is_linearizable, lanes, shrunk};

cases! { "consistency";
    /// Concurrent reads, replaces and deletes of the same books fit one order, each taking effect between its request and its answer.
    concurrent_operations_fit_one_order judges ["consistency/one-order"] => |cx| {
        const { assert!(CLIENTS * OPERATIONS_PER_CLIENT < OPERATIONS_MAX, "all may meet at one book") };
        for round in 0..ROUNDS {
            let books = made(cx)?;
            let started = clock::stopwatch();
            let histories = concurrency::simultaneously(CLIENTS, |client| {
                let mut dice = dice(cx.seed(), &format!("{}, round {round}, client {client}", cx.id()));
                let mut history = Vec::new();
                for number in 0..OPERATIONS_PER_CLIENT {
                    let book = dice.next_u32() as usize % BOOKS;
                    let version = u32::try_from(FIRST as usize + 1 + client * OPERATIONS_PER_CLIENT + number).unwrap_or(REFUSED);
                    let step = drawn(&mut dice, version, number * 2 >= OPERATIONS_PER_CLIENT);
                    history.extend(performed(cx, &books[book], step, client, started)?.map(|operation| (book, operation)));
                }
                Ok(history)
            })?;
            for (at, book) in books.iter().enumerate() {
                let of_book = histories.iter().flatten().filter(|(of, _)| *of == at);
                let mut history: Vec<Operation> = of_book.map(|(_, operation)| operation.clone()).collect();
                history.extend(performed(cx, book, Step::Read, CLIENTS, started)?);
                if !is_linearizable(&history, FIRST) {
                    let got = format!("no order explains these answers\n{}", lanes(&shrunk(&history, FIRST)));
                    let place = format!("what {CLIENTS} clients saw of {}, created as version {FIRST}", book.path());
                    return cx.check(false, &place, "answers that fit one order", got);
                }
            }
        }
        Ok(())
    };
    /// Of deletes of one book at the same time one succeeds, and the others find no book.
    deletes_at_the_same_time_succeed_once judges ["consistency/one-order"] => |cx| {
        for book in (0..ROUNDS).map(|_| made(cx)).collect::<CaseResult<Vec<_>>>()?.iter().flatten() {
            let delete = |_| Ok(cx.delete(&book.path()).key(cx.admin_key()).send()?.status());
            let statuses = concurrency::simultaneously(CLIENTS, delete)?;
            let (done, missed) = [204, 404].map(|status| statuses.iter().filter(|got| **got == status).count()).into();
            let place = format!("statuses of {CLIENTS} deletes of {} at the same time", book.path());
            cx.check(done == 1 && done + missed == CLIENTS, &place, "204 once, else 404", format!("{statuses:?}"))?;
        }
        Ok(())
    };
    /// No read shows data of a replace that is refused for its credential, not even while it is being refused.
    refused_replaces_are_never_read judges ["consistency/refused-unseen"] => |cx| {
        const READS: usize = 12;
        let books = made(cx)?;
        let unknown = format!("{}0", cx.admin_key());
        concurrency::simultaneously(CLIENTS, |client| {
            let book = &books[client % BOOKS];
            for number in 0..READS {
                // The first clients ask for what is refused, one a book; the others read.
                if client < BOOKS {
                    let version = u32::try_from(number).map_or(REFUSED, |number| REFUSED + number);
                    let refused = cx.put(&book.path()).key(&unknown).json(&body(version)).send_unrecorded()?;
                    refused.prepared("replacing a book under an unknown key", 401)?;
                } else {
                    let seen = version_of(cx.get(&book.path()).key(cx.test_key()).send_unrecorded()?)?;
                    let place = format!("/version of {} while replaces of it are refused", book.path());
                    cx.check(seen == FIRST, &place, FIRST, seen)?;
                }
            }
            Ok(())
        })?;
        for book in &books {
            let seen = version_of(books::read(cx, book.id)?)?;
            cx.check(seen == FIRST, format!("/version of {} afterwards", book.path()), FIRST, seen)?;
        }
        Ok(())
    };
}

const CLIENTS: usize = 5;
const OPERATIONS_PER_CLIENT: usize = 10;
const BOOKS: usize = 2;
const ROUNDS: usize = 3;

/// The version that a book is created with. Each replace sends another one.
const FIRST: u32 = 1;
/// Refused replaces send versions from this number on.
const REFUSED: u32 = 10_000;

#[derive(Debug, Clone, Copy)]
enum Step {
    Read,
    Replace(u32),
    Delete,
}

/// Books that are asked for at once, and a later one beside them: where it stays, no id is given again.
fn made(cx: &CaseContext<'_>) -> Result<Vec<MadeBook>, CaseError> {
    let book = |_| books::create(cx, &json!({ "version": FIRST }));
    let books = (0..=BOOKS).map(book).collect::<Result<Vec<_>, _>>()?;
    Ok(books.into_iter().take(BOOKS).collect())
}

/// Reads and replaces alike often; towards the end a delete now and then, after which there is little to see.
fn drawn(dice: &mut TestRng, version: u32, may_delete: bool) -> Step {
    match dice.next_u32() % 10 {
        0 if may_delete => Step::Delete,
        1..=4 => Step::Replace(version),
        _ => Step::Read,
    }
}

/// Performs the operation; `None` for a read without an answer.
fn performed(
    cx: &CaseContext<'_>,
    book: &MadeBook,
    step: Step,
    client: usize,
    started: Instant,
) -> Result<Option<Operation>, CaseError> {
    let now_us = || u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX);
    let path = book.path();
    let request = match step {
        Step::Read => cx.get(&path),
        Step::Replace(version) => cx.put(&path).json(&body(version)),
        Step::Delete => cx.delete(&path),
    };
    let sent_us = now_us();
    let answer = request.key(cx.admin_key()).send_unrecorded();
    let answered_us = Some(now_us());
    let operation = |effect, answered_us| Ok(Some(Operation { client, effect, sent_us, answered_us }));
    match (step, answer) {
        (Step::Read, Err(CaseError::NoAnswer(_))) => Ok(None),
        (Step::Replace(version), Err(CaseError::NoAnswer(_))) => operation(Effect::Stored(version), None),
        (Step::Delete, Err(CaseError::NoAnswer(_))) => operation(Effect::Removed, None),
        (_, Err(stop)) => Err(stop),
        (_, Ok(reply)) if reply.is(404) => operation(Effect::Missed, answered_us),
        (Step::Read, Ok(reply)) => operation(Effect::Saw(version_of(reply)?), answered_us),
        (Step::Replace(version), Ok(reply)) => {
            reply.prepared("replacing a book", 200)?;
            operation(Effect::Stored(version), answered_us)
        }
        (Step::Delete, Ok(reply)) => {
            reply.prepared("deleting a book", 204)?;
            operation(Effect::Removed, answered_us)
        }
    }
}

fn body(version: u32) -> Value {
    json!({ "titulo": "Los pasos perdidos", "autor": "Alejo Carpentier", "version": version })
}

fn version_of(reply: Reply) -> Result<u32, CaseError> {
    let reply = reply.prepared("reading a book", 200)?;
    let version = reply.at("/version").and_then(|version| books::as_integer(&version)?.try_into().ok());
    version.ok_or_else(|| CaseError::blocked("reading a book", "want the version that was stored, got none"))
}
