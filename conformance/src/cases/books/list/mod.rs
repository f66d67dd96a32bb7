//! Cases of the chapter list: how a query string is read, what it keeps, how it orders, what it shows.
//!
//! Every case asks for its own books alone, by the equality filter on their marker.

mod bounds;
mod conversion;
mod dates;
mod decoding;
mod equality;
mod fields;
mod generated;
pub(crate) mod labelled_books;
mod laws;
mod loose;
mod numbers;
mod order;
mod search;
mod search_text;
mod sort;
mod sort_open;
mod times;
mod truthiness;

use crate::case::Case;

/// The tables of this chapter.
pub const TABLES: &[&[Case]] = &[
    decoding::CASES,
    conversion::CASES,
    dates::CASES,
    times::CASES,
    numbers::CASES,
    search::CASES,
    search_text::CASES,
    equality::CASES,
    loose::CASES,
    bounds::CASES,
    truthiness::CASES,
    sort::CASES,
    sort_open::CASES,
    fields::CASES,
    order::CASES,
    laws::CASES,
    generated::CASES,
];
