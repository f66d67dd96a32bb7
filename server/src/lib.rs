//! The reference server of the Library Catalogue Service: every rule of the two documents, fast, and readable as a model.
//!
//! ARCHITECTURE.md follows a request through the rooms. `demo` has the interfaces of the second document; [`app`] composes all.
//!
//! What holds everywhere:
//! - What needs no HTTP is in the crates below this one: [`libros_server_query`] (a collection and a query string in, a page out),
//!   [`libros_server_store`] (what outlives the process), [`libros_server_system`] (time, randomness, processors).
//! - Sockets stay in [`transport`].
//! - Readers never wait for writers or the disk; no reader sees a change that is not durable.
//! - No lock is held while waiting, and a panic stays within its request.
//! - A comment names a rule of `seeds/rules` above the line that decides it.

mod accounts;
pub mod app;
mod auth;
pub mod books;
pub mod catalogue;
mod config;
mod context;
mod control;
pub mod crypto;
mod demo;
mod json_body;
mod logging;
pub mod message;
mod opening;
mod progress;
mod response;
mod run;
#[cfg(feature = "sqlite")]
mod transfer;
pub mod transport;
pub mod worker_pool;

pub use run::{command_line, run};
