//! The store of replicas: one log that all of them write to and follow, in PostgreSQL.

mod background;
mod defect;
mod encoding;
mod log;
mod postgres;
mod replica;
#[cfg(test)]
mod simulated;
#[cfg(test)]
mod simulation;
mod threads;

pub use postgres::fill;
pub use replica::join_replicas;
