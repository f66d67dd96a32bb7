//! Cases of the chapter credentials: how a credential is found, which one counts, when it is asked for; the initial clients.

pub(crate) mod everywhere;
pub(crate) mod initial;
pub(crate) mod keys;
pub(crate) mod moments;
pub(crate) mod precedence;
pub(crate) mod schemes;
