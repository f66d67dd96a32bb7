//! Cases of the chapter headers: the header groups, which answers carry them, and what the request's own headers may change.

pub(crate) mod answers;
pub(crate) mod policy;
pub(crate) mod requests;
