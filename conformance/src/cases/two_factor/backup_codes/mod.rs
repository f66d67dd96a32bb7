//! Cases of the chapter backup-codes: their number and form, single use, and what replaces them.

pub(crate) mod issue;
pub(crate) mod once;
pub(crate) mod spelling;
