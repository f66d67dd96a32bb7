//! All cases, chapter by chapter. A case is right by the documents: read them first, the server never.

use super::list::rows;
use crate::case::Case;

/// Each chapter with its files that declare cases.
macro_rules! tables {
    ($($chapter:ident: $($file:ident)+;)+) => {
        &[$((stringify!($chapter), &[$(super::$chapter::$file::CASES,)+]),)+]
    };
}

/// The tables of all files by chapter, in the order in which cases run.
const TABLES: &[(&str, &[&[Case]])] = tables! {
    routing: prefixes options;
    versioning: cases;
    errors: envelopes bodies bounds;
    headers: cases;
    conditional: tags matching;
    hostile: requests smuggling floods;
    books: create fields times read replace path_id methods;
    storage: writes restart;
    consistency: cases;
    list: values filters order fields laws generated;
    paging: cases;
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
    exchanges: cases;
};

/// Every case, in the order of the tables; those of a chapter that are data come first.
pub fn all() -> Vec<&'static Case> {
    TABLES.iter().flat_map(|(chapter, tables)| rows::cases(chapter).chain(tables.iter().copied().flatten())).collect()
}
