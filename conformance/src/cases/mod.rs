//! All cases, chapter by chapter. A case is right by the documents: read them first, the server never.

use std::collections::BTreeSet;

use crate::case::Case;
use crate::rule::Contract;

pub mod api_keys;
pub mod backup_codes;
pub mod blog;
pub mod books;
pub mod codes;
pub mod conditional;
pub mod credentials;
pub mod devices;
pub mod errors;
pub mod exchanges;
pub mod graphql;
pub mod graphql_reduced;
pub mod headers;
pub mod list;
pub mod lockout;
pub mod login;
pub mod paging;
pub mod pending;
pub mod permissions;
pub mod posts;
pub mod registration;
pub mod routing;
pub mod sessions;
pub mod signup;
pub mod storage;
pub mod tokens;
pub mod two_factor;
pub mod users;
pub mod verification;
pub mod versioning;

/// The tables of all chapters, one line a chapter; a chapter in several files brings several tables.
#[rustfmt::skip]
const CHAPTERS: &[&[&[Case]]] = &[
    routing::TABLES,
    books::TABLES,
    storage::TABLES,
    versioning::TABLES,
    errors::TABLES,
    credentials::TABLES,
    list::TABLES,
    paging::TABLES,
    headers::TABLES,
    conditional::TABLES,
    registration::TABLES,
    login::TABLES,
    permissions::TABLES,
    sessions::TABLES,
    tokens::TABLES,
    api_keys::TABLES,
    two_factor::TABLES,
    verification::TABLES,
    codes::TABLES,
    backup_codes::TABLES,
    lockout::TABLES,
    devices::TABLES,
    &[pending::CASES],
    users::TABLES,
    posts::TABLES,
    graphql::TABLES,
    graphql_reduced::TABLES,
    signup::TABLES,
    blog::TABLES,
    exchanges::TABLES,
];

/// Every case, in the order of the chapters.
pub fn all() -> Vec<&'static Case> {
    CHAPTERS.iter().copied().flatten().copied().flatten().collect()
}

/// Chapters of the contract whose cases are still to be written, from `seeds/not-yet-judged.txt`, the one place that lists them.
pub fn open_chapters() -> Vec<String> {
    let listed: BTreeSet<&str> =
        include_str!("../../../seeds/not-yet-judged.txt").lines().filter(|line| !line.starts_with('#')).collect();
    let chapters: BTreeSet<&str> = Contract::built_in().rules().map(|rule| rule.chapter()).collect();
    chapters.intersection(&listed).map(|chapter| (*chapter).to_owned()).collect()
}
