//! All cases, chapter by chapter. A case is right by the documents: read them first, the server never.

use crate::case::Case;

pub(crate) mod auth;
pub(crate) mod books;
pub(crate) mod demo;
pub(crate) mod exchanges;
pub(crate) mod http;
pub(crate) mod prelude;
pub(crate) mod two_factor;

/// The tables of all folders.
const TABLES: &[&[&[Case]]] =
    &[http::TABLES, books::TABLES, auth::TABLES, two_factor::TABLES, demo::TABLES, exchanges::TABLES];

/// Every case, in the order of the tables.
pub fn all() -> Vec<&'static Case> {
    TABLES.iter().copied().flatten().copied().flatten().collect()
}
