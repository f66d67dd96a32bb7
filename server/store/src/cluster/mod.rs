//! The store of replicas: one log that all of them write to and follow, in PostgreSQL.

mod background;
mod encoding;
mod log;
#[cfg(test)]
mod memory;
#[cfg(feature = "postgres")]
mod postgres;
mod replica;
#[cfg(test)]
mod simulation;

#[cfg(feature = "postgres")]
pub use postgres::{fill, join_replicas};
