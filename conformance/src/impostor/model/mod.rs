//! What the impostor does: the documents once more, naive and obviously right. Knows no socket.

pub(crate) mod catalogue;
pub(crate) mod clock;
pub(crate) mod control;
pub(crate) mod demo;
pub mod js;
pub mod list;
pub(crate) mod secrets;
pub(crate) mod state;
pub(crate) mod world;
