//! What the impostor does: the documents once more, naive and obviously right. Knows no socket.

pub(crate) mod accounts;
pub(crate) mod catalogue;
pub(crate) mod clock;
pub(crate) mod control;
pub(crate) mod demo;
pub(crate) mod initial;
pub mod js;
pub mod list;
pub(crate) mod records;
pub(crate) mod refusals;
pub(crate) mod secrets;
pub(crate) mod state;
pub(crate) mod steps;
pub(crate) mod world;
