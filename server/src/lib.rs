//! The reference server of the Library Catalogue Service: every rule of the two documents, fast, and readable as a model.
//!
//! The way of a request: bytes -> [`transport`] reads it whole, within limits -> [`message::Request`] ->
//! [`catalogue::route()`], pure; what ends there ends before any credential -> the guard of [`auth`] yields a principal or a
//! failure -> a handler of [`books`] or [`auth`] -> a [`response`] or a failure -> one table renders failures -> a validator may
//! turn the response into a 304 -> one place gives it its headers -> bytes. `demo` holds the interfaces of the second document,
//! each on its own. [`app`] puts everything together.
//!
//! What holds everywhere:
//! - [`query`] knows no HTTP, no clock and no store; sockets stay in [`transport`], time in [`clock`], randomness in [`entropy`].
//! - Readers never wait for writers or the disk; no reader sees a change that is not durable ([`store`]).
//! - No lock is held while waiting, and a panic stays within its request.
//! - A comment names a rule of `seeds/rules` above the line that decides it.

pub mod accounts;
pub mod app;
pub mod auth;
pub mod books;
pub mod catalogue;
pub mod clock;
mod config;
mod context;
mod control;
pub mod crypto;
mod demo;
pub mod entropy;
pub mod json;
mod logging;
pub mod message;
mod progress;
pub mod query;
pub mod response;
mod run;
pub mod store;
#[cfg(feature = "sqlite")]
mod transfer;
pub mod transport;
pub mod worker_pool;

pub use run::{command_line, run};
