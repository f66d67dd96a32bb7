//! Cases of the chapter users: the users REST interface.

pub(crate) mod answers;
pub(crate) mod creation;
pub(crate) mod interface;
pub(crate) mod paths;
pub(crate) mod preflight;
pub(crate) mod reading;
pub(crate) mod refusals;
