//! Drawn walks through the whole flow, held against a small model.

pub(crate) mod game;
pub(crate) mod manage;
pub(crate) mod open;
pub(crate) mod state;
pub(crate) mod step;
