//! Judges the history: the operations on each book fit one order, and no confirmed book is missing in the end.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::nemesis::attack::Attack;
use crate::nemesis::client::{CLIENTS, Client};
use crate::nemesis::history::{Finding, Promise};
use crate::oracle::linearizability::{Effect, OPERATIONS_MAX, Operation, is_linearizable, lanes, shrunk};

/// How often a page of a list is asked for, in the end, before a replica counts as silent.
const TRIES: usize = 10;
const PAUSE: Duration = Duration::from_millis(500);

/// Reads all books of the run on one replica, after the last write.
pub(super) fn read_all(attack: &Attack<'_>, node: usize) {
    let number = CLIENTS + node;
    let mut client = Client::new(attack, number);
    let (mut found, mut ids) = (BTreeMap::new(), BTreeMap::new());
    let sent_us = attack.history.now_us();
    for page in 1.. {
        let books = (0..TRIES).find_map(|nth| {
            if nth > 0 {
                std::thread::sleep(PAUSE);
            }
            client.page(node, page)
        });
        let Some(books) = books else {
            let text = format!("in the end {} does not answer a list of books", attack.replicas[node].url());
            return attack.history.find(Promise::Liveness, text, sent_us);
        };
        // Also where a page comes again: a target may ignore `page`.
        if books.iter().all(|(id, _)| found.contains_key(id)) {
            break;
        }
        for (id, version) in books {
            if let Some(other) = ids.insert(version, id).filter(|other| *other != id) {
                let text = format!("version {version} was written once, and is there as the books {other} and {id}");
                attack.history.find(Promise::Ids, text, sent_us);
            }
            found.insert(id, version);
        }
    }
    let answered_us = Some(attack.history.now_us());
    let mut missing = Vec::new();
    for (id, book) in &mut attack.history.seen().books {
        match found.get(id) {
            Some(version) => {
                let effect = Effect::Saw(*version);
                book.operations.push(Operation { client: number, effect, sent_us, answered_us });
            }
            None => missing.push(*id),
        }
    }
    // A page may lack a book because one before it was deleted meanwhile.
    for id in missing {
        client.operate(id, Effect::Saw(0), node);
    }
}

pub(super) fn judge(attack: &Attack<'_>) {
    let mut seen = attack.history.seen();
    let mut findings = Vec::new();
    for (id, book) in &seen.books {
        // No history is longer: a new book replaces a register before its history is full.
        let history = &book.operations[..book.operations.len().min(OPERATIONS_MAX)];
        if is_linearizable(history, book.first) {
            continue;
        }
        let small = shrunk(history, book.first);
        let ends = small.iter().filter_map(|operation| operation.answered_us);
        let (first, lanes) = (book.first, lanes(&small));
        findings.push(Finding {
            promise: Promise::Order,
            text: format!("no order explains what was answered of the book {id}, created as version {first}\n{lanes}"),
            from_us: small.iter().map(|operation| operation.sent_us).min().unwrap_or_default(),
            to_us: ends.max().unwrap_or_default(),
        });
    }
    seen.findings.extend(findings);
    seen.findings.sort_by_key(|finding| finding.from_us);
}
