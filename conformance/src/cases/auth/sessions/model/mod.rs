//! Drawn sequences of actions, held against a small model.

pub(crate) mod game;
pub(crate) mod state;
pub(crate) mod step;
