//! Cases of the chapter devices: how one is recognised, registered, listed, refreshed, removed, and for how long it is trusted.

pub(crate) mod list;
pub(crate) mod readings;
pub(crate) mod recognition;
pub(crate) mod refresh;
pub(crate) mod removal;
pub(crate) mod trust;
pub(crate) mod trusted;
