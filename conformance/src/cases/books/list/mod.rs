//! Cases of the chapter list: how a query string is read, what it keeps, how it orders, what it shows.
//!
//! Every case asks for its own books alone, by the equality filter on their marker.

pub(crate) mod bounds;
pub(crate) mod conversion;
pub(crate) mod dates;
pub(crate) mod decoding;
pub(crate) mod equality;
pub(crate) mod fields;
pub(crate) mod generated;
pub(crate) mod labelled_books;
pub(crate) mod laws;
pub(crate) mod loose;
pub(crate) mod numbers;
pub(crate) mod order;
pub(crate) mod rows;
pub(crate) mod search;
pub(crate) mod search_text;
pub(crate) mod sort;
pub(crate) mod sort_many;
pub(crate) mod sort_open;
pub(crate) mod times;
pub(crate) mod truthiness;
