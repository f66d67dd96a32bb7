//! Cases of the chapter blog: five routes on `/posts`, whose payloads and statuses the documents do not show.

pub(crate) mod absent;
pub(crate) mod entries;
mod written;
