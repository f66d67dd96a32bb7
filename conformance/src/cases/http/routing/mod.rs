//! Cases of the chapter routing: which operations a path reaches, and what OPTIONS answers.

pub(crate) mod open;
pub(crate) mod options;
pub(crate) mod prefixes;
