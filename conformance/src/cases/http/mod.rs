//! Cases about HTTP itself: paths, headers, validators, versions, errors, and what only the hostile send.

use crate::case::Case;

pub(crate) mod conditional;
pub(crate) mod errors;
pub(crate) mod headers;
pub(crate) mod hostile;
pub(crate) mod routing;
pub(crate) mod versioning;

/// The tables of all chapters of this folder.
pub(crate) const TABLES: &[&[Case]] = &[
    routing::prefixes::CASES,
    routing::options::CASES,
    routing::open::CASES,
    versioning::CASES,
    errors::envelopes::ROWS,
    errors::denials::CASES,
    errors::bodies::CASES,
    errors::bodies_open::CASES,
    errors::lenient_readers::CASES,
    errors::bounds::CASES,
    headers::answers::CASES,
    headers::policy::CASES,
    headers::requests::CASES,
    conditional::tags::CASES,
    conditional::matching::CASES,
    conditional::unchanged::CASES,
    hostile::requests::ROWS,
    hostile::smuggling::ROWS,
    hostile::injection::ROWS,
    hostile::floods::CASES,
];
