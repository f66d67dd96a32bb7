//! Cases of the chapter lockout: what blocks the checks of an e-mail, for how long, and what the block leaves alone.
//!
//! No case tries a code while it waits for the end of a block, unless that is what it judges.

pub(crate) mod current_code;
pub(crate) mod failures;
pub(crate) mod readings;
pub(crate) mod span;
