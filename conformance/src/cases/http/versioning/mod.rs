//! Cases of the chapter versioning: the version label, asked for, echoed, never judged.

pub(crate) mod echo;
pub(crate) mod labelled;
pub(crate) mod labels;
