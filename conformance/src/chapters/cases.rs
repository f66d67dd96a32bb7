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
    routing: prefixes options open;
    versioning: cases;
    errors: envelopes denials bodies bodies_open lenient_readers bounds;
    headers: answers policy requests;
    conditional: tags matching unchanged;
    hostile: requests smuggling injection floods;
    books: create fields times authorship ids read replace delete path_id path_id_open methods fresh;
    storage: writes slow restart;
    consistency: cases;
    list: decoding conversion dates times numbers search search_text
        equality loose bounds truthiness sort sort_many sort_open fields order laws generated;
    paging: page limit reading object;
    credentials: everywhere schemes keys precedence moments initial;
    registration: answers roles emails fields;
    login: first_shape second_factor known_devices refusals;
    permissions: roles matrix denials;
    sessions: issued life upkeep histories;
    tokens: issued foreign malformed lifetime;
    api_keys: creation fields listing;
    two_factor: routes enable link disable status status_times regenerate histories;
    verification: answers lifetime trust refusals;
    codes: making window forms open;
    backup_codes: issue once spelling;
    lockout: failures span open;
    devices: list recognition refresh trust removal open;
    pending: cases;
    users: reading creation refusals answers preflight paths;
    posts: cases;
    graphql: queries nesting deep bounds http mutation schema transport;
    graphql_reduced: forms refusals transport open;
    signup: accepted refused;
    blog: entries absent;
    exchanges: books identity demo;
};

/// Every case, in the order of the tables.
pub fn all() -> Vec<&'static Case> {
    TABLES.iter().copied().flatten().collect()
}
