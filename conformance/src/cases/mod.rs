//! All cases, chapter by chapter. A case is right by the documents: read them first, the server never.

use std::collections::BTreeSet;

use crate::case::Case;
use crate::contract::rule::Contract;

pub mod auth;
pub mod books;
pub mod demo;
pub mod exchanges;
pub mod http;
pub mod two_factor;

/// The tables of all chapters, one line a chapter; a chapter in several files brings several tables.
#[rustfmt::skip]
const CHAPTERS: &[&[&[Case]]] = &[
    http::routing::TABLES,
    books::TABLES,
    books::storage::TABLES,
    http::versioning::TABLES,
    http::errors::TABLES,
    auth::credentials::TABLES,
    books::list::TABLES,
    books::paging::TABLES,
    http::headers::TABLES,
    http::conditional::TABLES,
    auth::registration::TABLES,
    auth::login::TABLES,
    auth::permissions::TABLES,
    auth::sessions::TABLES,
    auth::tokens::TABLES,
    auth::api_keys::TABLES,
    two_factor::TABLES,
    two_factor::verification::TABLES,
    two_factor::codes::TABLES,
    two_factor::backup_codes::TABLES,
    two_factor::lockout::TABLES,
    two_factor::devices::TABLES,
    &[two_factor::pending::CASES],
    demo::users::TABLES,
    demo::posts::TABLES,
    demo::graphql::TABLES,
    demo::graphql_reduced::TABLES,
    demo::signup::TABLES,
    demo::blog::TABLES,
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
