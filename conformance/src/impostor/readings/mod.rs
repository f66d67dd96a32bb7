//! The permitted readings other than the reference's, each tied to the open rules that permit it, with its effect.

mod auth;
mod books;
mod demo;
mod http;
mod list;
mod paging;
mod two_factor;

use super::effect::Variation;

/// One permitted reading.
pub type Reading = Variation;

/// All tables.
const AREAS: [&[Reading]; 7] = [
    auth::READINGS,
    books::READINGS,
    demo::READINGS,
    http::READINGS,
    list::READINGS,
    paging::READINGS,
    two_factor::READINGS,
];

/// All permitted readings.
pub fn all() -> impl Iterator<Item = &'static Reading> {
    AREAS.into_iter().flatten()
}

/// The reading of an id.
pub fn find(id: &str) -> Option<&'static Reading> {
    all().find(|reading| reading.id == id)
}
