//! Cases of the chapter sessions: session tokens, their life, and what a use does to it.

pub(crate) mod histories;
pub(crate) mod issued;
pub(crate) mod life;
pub(crate) mod timed_session;
pub(crate) mod upkeep;
