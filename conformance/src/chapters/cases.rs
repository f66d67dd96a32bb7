//! All cases, chapter by chapter. A case is right by the documents: read them first, the server never.

use super::rows::{exchanges, files, lists};
use crate::case::Case;

/// Each chapter with its files that declare cases; some chapters have entries alone.
macro_rules! tables {
    ($($chapter:ident: $($file:ident)*;)+) => {
        &[$((stringify!($chapter), &[$(super::$chapter::$file::CASES,)*]),)+]
    };
}

/// The tables of all files by chapter, in the order in which cases run.
const TABLES: &[(&str, &[&[Case]])] = tables! {
    routing: cases;
    versioning: cases;
    errors: envelopes bodies;
    headers: cases;
    conditional: tags;
    hostile: requests smuggling floods;
    books: fields operations;
    storage: writes restart;
    consistency: cases;
    list: filters order laws generated;
    paging: cases;
    credentials: cases;
    registration: answers;
    login: cases;
    permissions: ;
    sessions: histories;
    tokens: cases;
    api_keys: cases;
    two_factor: link histories;
    verification: ;
    codes: cases;
    backup_codes: cases;
    lockout: cases;
    devices: ;
    pending: cases;
    users: reading;
    posts: cases;
    graphql: queries nesting http mutation transport;
    graphql_reduced: forms transport;
    signup: cases;
    blog: entries;
    exchanges: cases;
};

/// Every case, in the order of the tables; in each chapter, cases that are data come first.
pub fn all() -> Vec<&'static Case> {
    let mut cases = Vec::new();
    for (folder, tables) in TABLES {
        let chapter = folder.replace('_', "-");
        cases.extend(rows().map(|(case, _)| case).filter(|case| case.chapter == chapter));
        cases.extend(tables.iter().copied().flatten());
    }
    cases
}

pub fn find(id: &str) -> Option<&'static Case> {
    all().into_iter().find(|case| case.id() == id)
}

/// The entry of a case that is data.
pub(crate) fn entry(case: &Case) -> Option<&'static str> {
    rows().find(|(known, _)| known.id() == case.id()).map(|(_, file)| files::entry_of(file, case.name))
}

fn rows() -> impl Iterator<Item = (&'static Case, &'static str)> {
    lists::cases().chain(exchanges::cases())
}
