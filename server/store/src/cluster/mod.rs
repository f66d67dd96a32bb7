//! The store of replicas: one log that all of them write to and follow, in PostgreSQL.

#[cfg(any(feature = "postgres", test))]
mod background;
#[cfg(feature = "postgres")]
mod client;
mod encoding;
#[cfg(feature = "postgres")]
mod fill;
#[cfg(feature = "postgres")]
mod fold;
#[cfg(feature = "postgres")]
mod host_clock;
mod log;
#[cfg(test)]
mod memory;
#[cfg(feature = "postgres")]
mod postgres;
mod replica;
#[cfg(test)]
mod simulation;
#[cfg(feature = "postgres")]
mod snapshot;
#[cfg(feature = "postgres")]
mod tables;
#[cfg(all(test, unix, feature = "postgres", feature = "sqlite"))]
mod trials;

#[cfg(all(feature = "postgres", feature = "sqlite"))]
pub use postgres::fill;
#[cfg(feature = "postgres")]
pub use postgres::join_replicas;
