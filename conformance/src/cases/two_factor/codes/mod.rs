//! Cases of the chapter codes: how time-based codes are made, which are accepted, and which tokens are no codes at all.

pub(crate) mod chosen_secret;
pub(crate) mod diagnosis;
pub(crate) mod forms;
pub(crate) mod making;
pub(crate) mod readings;
pub(crate) mod window;
