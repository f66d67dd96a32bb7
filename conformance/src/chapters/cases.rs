//! All cases, chapter by chapter. A case is right by the documents: read them first, the server never.

use crate::case::Case;

/// Each chapter with its files that declare cases.
macro_rules! tables {
    ($($chapter:ident: $($file:ident)+;)+) => {
        &[$($(super::$chapter::$file::CASES,)+)+]
    };
}

/// The tables of all files, in the order in which cases run.
const TABLES: &[&[Case]] = tables! {
    routing: prefixes options;
    versioning: cases;
    errors: envelopes bodies bounds;
    headers: cases;
    conditional: tags matching;
    hostile: requests smuggling injection floods;
    books: create fields times read replace path_id methods;
    storage: writes restart;
    consistency: cases;
    list: decoding conversion dates search equality bounds truthiness sort sort_open fields laws generated;
    paging: limit object;
    credentials: schemes precedence moments;
    registration: answers emails;
    login: answers refusals;
    permissions: cases;
    sessions: life upkeep histories;
    tokens: issued malformed;
    api_keys: fields listing;
    two_factor: enable link status histories;
    verification: answers refusals;
    codes: cases;
    backup_codes: cases;
    lockout: cases;
    devices: recognition refresh open;
    pending: cases;
    users: reading refusals;
    posts: cases;
    graphql: queries nesting http mutation transport;
    graphql_reduced: forms refusals transport;
    signup: cases;
    blog: entries;
    exchanges: books identity demo;
};

/// Every case, in the order of the tables.
pub fn all() -> Vec<&'static Case> {
    TABLES.iter().copied().flatten().collect()
}
