//! Cases of the chapter errors: the shapes of failures, and bodies that cannot be read.

pub(crate) mod bodies;
pub(crate) mod bodies_open;
pub(crate) mod bounds;
pub(crate) mod denials;
pub(crate) mod envelopes;
pub(crate) mod lenient_readers;
